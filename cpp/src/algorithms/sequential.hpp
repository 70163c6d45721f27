#pragma once

#include <cstdint>

#include "algorithms/entry.hpp"
#include "algorithms/loops.hpp"
#include "transforms/strided_view.hpp"

/// The loops that go through an algorithm's positions one after the other, each defined in the file of its algorithm.
/// They take a range of steps: the algorithm runs all of them, the trace the first t, so that a frame of an animation
/// is a result of the algorithm's own code. All orders are row-major; operands as in entry.hpp.
namespace conv2d::algorithm {

/// y at the output positions (n, i, j) of the range, all filters. (forward_direct.cpp)
void forward_positions(const Geometry& g, const Operands& o, Range positions) noexcept;

/// Adds w * dy[n, i, j, :] into dx for the output positions of the range. (backward_data_scatter.cpp)
void scatter_positions(const Geometry& g, const Operands& o, Range positions) noexcept;

/// dx at the input cells (n, row, col) of the range, all channels. (backward_data_gather.cpp)
void gather_cells(const Geometry& g, const Operands& o, Range cells) noexcept;

/// dx at the input cells of the range: `kernel` (w exchanged and turned) slid over `spread` (dy on its full_grid), both
/// as transforms/full_convolution.hpp makes them. (backward_data_full_conv.cpp)
void full_conv_cells(const Geometry& g, const float* spread, const float* kernel, float* dx, Range cells) noexcept;

/// Elements of dy on its full_grid. (backward_data_full_conv.cpp)
CheckedInt full_spread_floats(const Geometry& g) noexcept;

/// The grid of all stops that the dilated dy makes on the padded x. Stops from kh and kw on exist only where the
/// stride leaves a remainder; they are no part of dw.
struct StopGrid {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};
constexpr StopGrid all_stops(const Geometry& g) noexcept {
  return {g.kh + g.remainder_h / g.dilation_h, g.kw + g.remainder_w / g.dilation_w};
}

/// The result of convolving x with the dilated dy at the flat stops of the range; `out` has the shape of weights whose
/// kernel is `grid`. With grid = {kh, kw}, dw itself. (backward_weights_dilated_dy.cpp)
void dilated_dy_stops(const Geometry& g, const Operands& o, StopGrid grid, Range stops) noexcept;

/// Where the grouped convolution writes: the dw of the first image, and how far it is to that of the next.
struct PerImage {
  StridedView<float> dw;
  std::int64_t image_stride = 0;
};

/// Adds the dw of every image by itself, at all stops of the grid: the grouped convolution before its sum over the
/// batch. False when the hook asked to stop. (backward_weights_grouped.cpp)
bool add_images(const Geometry& g, const Operands& o, StopGrid stops, const PerImage& to,
                const ProgressHook& hook) noexcept;

/// Adds what the output positions of the range contribute to dw. (backward_weights_direct.cpp)
void reduce_positions(const Geometry& g, const Operands& o, Range positions) noexcept;

}  // namespace conv2d::algorithm
