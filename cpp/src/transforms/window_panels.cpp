#include "transforms/window_panels.hpp"

#include <algorithm>

#include "transforms/lane_copy.hpp"

namespace conv2d {
namespace {

/// The window of one output position: the cell of x under its tap (0, 0), which may lie in the padding. Offsets, not
/// pointers, since an x without cells has no address.
struct Window {
  std::int64_t image = 0;  ///< offset of this image's and group's first channel in x
  std::int64_t top = 0;
  std::int64_t left = 0;
};

Window window_of(const Geometry& g, std::int64_t group, std::int64_t position) noexcept {
  const std::int64_t j = position % g.ow;
  const std::int64_t i = position / g.ow % g.oh;
  const std::int64_t n = position / g.ow / g.oh;
  return {n * g.h * g.w * g.c + group * g.group_c, i * g.stride_h - g.padding.top, j * g.stride_w - g.padding.left};
}

/// A stretch of a window's row of x_col that is contiguous in x when it lies in the image: the channels of one tap, or
/// of all taps of a kernel row when they are neighbours and every channel is read.
struct Run {
  std::int64_t p = 0, q = 0;  ///< tap of the first float
  std::int64_t c = 0;         ///< its channel within the group
  std::int64_t length = 0;
  std::int64_t last_q = 0;  ///< tap of the last float
};

Run run_at(const Geometry& g, std::int64_t depth, std::int64_t depth_left) noexcept {
  const std::int64_t row_size = g.kw * g.group_c;
  const bool row_is_contiguous = g.groups == 1 && g.dilation_w == 1;
  const std::int64_t in_row = depth % row_size;
  Run run{.p = depth / row_size, .q = in_row / g.group_c, .c = in_row % g.group_c};
  run.length = std::min(row_is_contiguous ? row_size - in_row : g.group_c - run.c, depth_left);
  run.last_q = (in_row + run.length - 1) / g.group_c;
  return run;
}

/// Where the run begins in x, or null when some of it lies in the padding.
const float* run_address(const WindowLanes& lanes, const Window& window, const Run& run) noexcept {
  const Geometry& g = *lanes.g;
  const std::int64_t row = window.top + run.p * g.dilation_h;
  const std::int64_t first_col = window.left + run.q * g.dilation_w;
  const std::int64_t last_col = window.left + run.last_q * g.dilation_w;
  if (row < 0 || row >= g.h || first_col < 0 || last_col >= g.w) return nullptr;
  return lanes.x + window.image + (row * g.w + first_col) * g.c + run.c;
}

/// A lane whose run lies in the padding, in part at least: tap by tap.
void pack_edge_run(const WindowLanes& lanes, const Window& window, const Run& run, std::int64_t width,
                   float* lane) noexcept {
  const Geometry& g = *lanes.g;
  const std::int64_t row = window.top + run.p * g.dilation_h;
  const bool row_inside = row >= 0 && row < g.h;
  std::int64_t c = run.c;
  std::int64_t q = run.q;
  for (std::int64_t left = run.length; left > 0; ++q) {
    const std::int64_t col = window.left + q * g.dilation_w;
    const std::int64_t count = std::min(g.group_c - c, left);
    if (row_inside && col >= 0 && col < g.w) {
      const float* from = lanes.x + window.image + (row * g.w + col) * g.c + c;
      for (std::int64_t d = 0; d < count; ++d) lane[d * width] = from[d];
    } else {
      for (std::int64_t d = 0; d < count; ++d) lane[d * width] = 0.0F;
    }
    lane += count * width;
    left -= count;
    c = 0;
  }
}

void pack_window_lanes(const void* context, const PanelRange& range, float* panel) noexcept {
  const auto& lanes = *static_cast<const WindowLanes*>(context);
  const Geometry& g = *lanes.g;
  Window windows[kMaxPanelWidth];
  for (std::int64_t i = 0; i < range.width; ++i) windows[i] = window_of(g, lanes.group, range.first + i);

  std::int64_t done = 0;
  while (done < range.depth) {
    const Run run = run_at(g, range.depth_first + done, range.depth - done);
    float* to = panel + done * range.width;
    const float* from[kMaxPanelWidth];
    bool all_inside = true;
    for (std::int64_t i = 0; i < range.width; ++i) {
      from[i] = run_address(lanes, windows[i], run);
      all_inside = all_inside && from[i];
    }
    if (all_inside) {
      interleave(from, range.width, run.length, to);
    } else {
      for (std::int64_t i = 0; i < range.width; ++i) {
        if (from[i]) {
          for (std::int64_t d = 0; d < run.length; ++d) to[d * range.width + i] = from[i][d];
        } else {
          pack_edge_run(lanes, windows[i], run, range.width, to + i);
        }
      }
    }
    done += run.length;
  }
}

/// The t in [0, count) for which offset + t * step lies in [0, size).
struct Inside {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

Inside inside(std::int64_t count, std::int64_t step, std::int64_t offset, std::int64_t size) noexcept {
  const std::int64_t begin = offset >= 0 ? 0 : (-offset - 1) / step + 1;
  const std::int64_t end = size <= offset ? 0 : (size - offset - 1) / step + 1;
  return {std::min(begin, count), std::clamp(end, std::min(begin, count), count)};
}

/// Lanes of one tap, neighbours in x: `lanes` floats of every output position in the range, `width` apart in the panel.
void pack_tap(const Geometry& g, const WindowDepth& source, const Run& tap, std::int64_t lanes, const PanelRange& range,
              float* panel) noexcept {
  std::int64_t j = range.depth_first % g.ow;
  std::int64_t i = range.depth_first / g.ow % g.oh;
  std::int64_t n = range.depth_first / g.ow / g.oh;
  for (std::int64_t left = range.depth; left > 0;) {
    // One row of y at a time: the row of x is the same for all of it.
    const std::int64_t count = std::min(g.ow - j, left);
    const std::int64_t row = i * g.stride_h + tap.p * g.dilation_h - g.padding.top;
    const std::int64_t col = j * g.stride_w + tap.q * g.dilation_w - g.padding.left;
    const Inside cols = row >= 0 && row < g.h ? inside(count, g.stride_w, col, g.w) : Inside{};
    zero_lanes(lanes, cols.begin, panel, range.width);
    if (cols.begin < cols.end) {
      const std::int64_t cell = (n * g.h + row) * g.w + col + cols.begin * g.stride_w;
      copy_lanes(lanes, cols.end - cols.begin, source.x + cell * g.c + source.group * g.group_c + tap.c,
                 g.stride_w * g.c, panel + cols.begin * range.width, range.width);
    }
    zero_lanes(lanes, count - cols.end, panel + cols.end * range.width, range.width);
    panel += count * range.width;
    left -= count;
    j = 0;
    if (++i == g.oh) {
      i = 0;
      ++n;
    }
  }
}

void pack_window_depth(const void* context, const PanelRange& range, float* panel) noexcept {
  const auto& source = *static_cast<const WindowDepth*>(context);
  const Geometry& g = *source.g;
  std::int64_t lane = 0;
  while (lane < range.valid) {
    const std::int64_t column = range.first + lane;
    const Run tap{.p = column / (g.kw * g.group_c), .q = column / g.group_c % g.kw, .c = column % g.group_c};
    const std::int64_t count = std::min(g.group_c - tap.c, range.valid - lane);
    pack_tap(g, source, tap, count, range, panel + lane);
    lane += count;
  }
}

}  // namespace

PanelSource WindowLanes::source() const noexcept { return {pack_window_lanes, this}; }
PanelSource WindowDepth::source() const noexcept { return {pack_window_depth, this}; }

}  // namespace conv2d
