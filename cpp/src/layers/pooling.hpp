#pragma once

#include <cstdint>

#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"
#include "desc/windows.hpp"
#include "layer_kernels/layer_kernels.hpp"

/// What both kinds of pooling share: the check of their windows, and how these form runs for the kernels.
namespace conv2d::layers {

/// Checks dilation, padding and size of the windows and makes them depthwise. Errors: as for `resolve`.
Status complete_pooling(ConvDesc& windows) noexcept;

/// Whether a row of outputs is one run. The cells of a pixel's channels are neighbors, and so are the windows of
/// neighboring pixels if the stride is 1; otherwise each pixel of several channels is a run.
constexpr bool has_whole_rows(const Geometry& g, std::int64_t channels) noexcept {
  return g.stride_w == 1 || channels == 1;
}

/// Channels that are neighbors in memory.
constexpr std::int64_t neighbor_channels(const Geometry& g) noexcept { return g.layout == Layout::nhwc ? g.c : 1; }

/// Outputs of the longest run.
constexpr std::int64_t longest_run(const Geometry& g) noexcept {
  const std::int64_t channels = neighbor_channels(g);
  return has_whole_rows(g, channels) ? g.ow * channels : channels;
}

/// Calls visit(WindowRun, y): all outputs as runs, in the order of y, where `y` is the flat index of the first output.
template <class Visit>
void for_each_run(const Geometry& g, Visit visit) noexcept {
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
        visit(run, y);
        y += g.ow * channels;
        continue;
      }
      for (std::int64_t j = 0; j < g.ow; ++j) {
        const Range columns = column_taps(g, j);
        run.first = in_floats(start + x_column(g, j, columns.begin) * channels);
        run.taps = in_floats(columns.size());
        run.width = in_floats(channels);
        run.outputs = in_floats(channels);
        visit(run, y);
        y += channels;
      }
    }
  }
}

}  // namespace conv2d::layers
