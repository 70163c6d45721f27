#include "layers/pooling_windows.hpp"

#include <limits>
#include <string_view>
#include <utility>

#include "base/checked.hpp"
#include "base/errors.hpp"
#include "desc/windows.hpp"

namespace conv2d::layers {
namespace {

/// Indices of cells are int32, and counts of cells are exact in float.
constexpr std::int64_t kMostCells = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostWindowCells = std::int64_t{1} << 24;

}  // namespace

void visit_runs(const Geometry& g, VisitRun visit, void* context) noexcept {
  const auto in_floats = [](std::int64_t count) { return static_cast<std::ptrdiff_t>(count); };
  const std::int64_t channels = neighbor_channels(g);
  const std::int64_t planes = g.layout == Layout::nhwc ? g.n : g.n * g.c;
  const std::int64_t row = g.w * channels;
  std::int64_t y = 0;
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    for (std::int64_t i = 0; i < g.oh; ++i) {
      const Range rows = row_taps(g, i);
      const std::int64_t start = (plane * g.h + x_row(g, i, rows.begin)) * row;
      layer_kernels::WindowRun run{
          .row = in_floats(row), .tap = in_floats(channels), .step = 1, .rows = in_floats(rows.size())};
      if (has_whole_rows(g, channels)) {
        run.first = in_floats(start - g.padding.left * channels);
        run.step = in_floats(channels == 1 ? g.stride_w : 1);
        run.taps = in_floats(g.kw);
        run.column = in_floats(-g.padding.left * channels);
        run.tap_column = in_floats(channels);
        run.width = in_floats(row);
        run.outputs = in_floats(g.ow * channels);
        visit(context, run, y);
        y += g.ow * channels;
        continue;
      }
      for (std::int64_t j = 0; j < g.ow; ++j) {
        const Range columns = column_taps(g, j);
        run.first = in_floats(start + x_column(g, j, columns.begin) * channels);
        run.taps = in_floats(columns.size());
        run.width = in_floats(channels);
        run.outputs = in_floats(channels);
        visit(context, run, y);
        y += channels;
      }
    }
  }
}

Result<Geometry> resolve_pooling(const ConvDesc& windows, const LayerOptions&) noexcept {
  for (const auto& [field, value] :
       {std::pair{"dilation_h", windows.dilation_h}, std::pair{"dilation_w", windows.dilation_w}}) {
    if (value == 1) continue;
    return Status{ErrorCode::invalid_dilation, field,
                  text(field, " is ", value, ", but windows of pooling have no dilation: set it to 1")};
  }
  if (windows.padding_mode == PaddingMode::explicit_sides) {
    struct Side {
      std::string_view field, name, extent;
      std::int64_t value, window;
    };
    const Padding& padding = windows.padding;
    for (const auto& [field, name, extent, value, window] :
         {Side{"padding.top", "top", "height", padding.top, windows.kh},
          Side{"padding.bottom", "bottom", "height", padding.bottom, windows.kh},
          Side{"padding.left", "left", "width", padding.left, windows.kw},
          Side{"padding.right", "right", "width", padding.right, windows.kw}}) {
      if (value < window || window < 1) continue;
      return Status{ErrorCode::invalid_padding, field,
                    text(name, " padding is ", value, ", but must be smaller than the window ", extent, ", ", window,
                         ": a window in the padding alone has no cell")};
    }
  }
  const CheckedInt cells = CheckedInt(windows.kh) * windows.kw;
  if (!cells.fits() || cells.value() > kMostWindowCells) {
    return Status{ErrorCode::overflow, "kh", "a window has more than 2^24 cells; make kh or kw smaller"};
  }
  const CheckedInt x = CheckedInt(windows.n) * windows.h * windows.w * windows.c;
  if (!x.fits() || x.value() > kMostCells) {
    return Status{ErrorCode::overflow, "x",
                  "x of a pooling layer has more than 2^31 - 1 cells; make its sizes smaller"};
  }
  ConvDesc depthwise = windows;
  depthwise.k = windows.c;
  depthwise.groups = windows.c;
  depthwise.weights_layout = WeightsLayout::automatic;
  return resolve(depthwise);
}

}  // namespace conv2d::layers
