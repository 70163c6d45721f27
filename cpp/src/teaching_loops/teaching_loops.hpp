#pragma once

#include <cstdint>

#include "base/checked.hpp"
#include "base/strided_view.hpp"
#include "cost/constants.hpp"
#include "desc/windows.hpp"
#include "engines/engines.hpp"
#include "engines/loops.hpp"

/// The algorithms that explain a pass: plain loops without an engine. The page shows them, and the trace their steps. A
/// plan chooses one where no engine fills its registers (2 % of random problems, most with few channels in NCHW).
namespace conv2d::teaching_loops {

using engine::add_scaled;
using engine::dot;
using engine::in_chunks;
using engine::Operands;
using engine::Progress;

/// A loop nest. It runs undivided, on one thread.
struct LoopKernel {
  double (*cost)(const Geometry&, const cost::Loops&) = nullptr;  ///< see Executable::cost
  bool (*run)(const Geometry&, const Operands&, float* scratch, const ProgressHook&) noexcept = nullptr;
  CheckedInt (*scratch)(const Geometry&) noexcept = nullptr;  ///< floats; null: none
};

// Each is defined in the file of its name.
extern const LoopKernel kForwardStridedView, kForwardDirect;
extern const LoopKernel kBackwardDataPhaseSplit, kBackwardDataFullConv, kBackwardDataGather, kBackwardDataScatter;
extern const LoopKernel kBackwardWeightsDirect, kBackwardWeightsDilatedDy, kBackwardWeightsGrouped;

// The loops of algorithms that process their positions one after the other, each in the file of its algorithm. They
// take a range of steps: the algorithm runs all of them, the trace the first t, so that a frame of an animation is a
// result of the algorithm's own code. All orders are row-major; operands as in engines.hpp.

/// y at the output positions (n, i, j) of the range, all filters. (forward_direct.cpp)
void forward_positions(const Geometry& g, const Operands& o, Range positions) noexcept;

/// Adds w * dy[n, i, j, :] into dx for the output positions of the range. (backward_data_scatter.cpp)
void scatter_positions(const Geometry& g, const Operands& o, Range positions) noexcept;

/// dx at the input cells (n, row, col) of the range, all channels. (backward_data_gather.cpp)
void gather_cells(const Geometry& g, const Operands& o, Range cells) noexcept;

/// dx at the input cells of the range: `kernel` (w with its axes swapped and flipped) over `upsampled` (dy on its
/// full_grid), both as in transforms/full_convolution.hpp. (backward_data_full_conv.cpp)
void full_conv_cells(const Geometry& g, const float* upsampled, const float* kernel, float* dx, Range cells) noexcept;

/// Elements of dy on its full_grid. (backward_data_full_conv.cpp)
CheckedInt full_grid_floats(const Geometry& g) noexcept;

/// The grid of all positions of the dilated dy on the padded x. Positions from kh and kw on exist only where the stride
/// leaves a remainder; they are not part of dw.
struct PositionGrid {
  std::int64_t rows = 0, cols = 0;
};
constexpr PositionGrid all_positions(const Geometry& g) noexcept {
  return {g.kh + g.remainder_h / g.dilation_h, g.kw + g.remainder_w / g.dilation_w};
}

/// The convolution of x with the dilated dy at the positions of the range. `out` has the shape of weights with `grid`
/// as kernel; with grid = {kh, kw} it is dw. (backward_weights_dilated_dy.cpp)
void dilated_dy_positions(const Geometry& g, const Operands& o, PositionGrid grid, Range positions) noexcept;

/// Output of the grouped convolution, which computes a separate dw for each image: the first dw, and the stride in
/// floats to the next.
struct PerImage {
  StridedView<float> dw;
  std::int64_t image_stride = 0;
};

/// Adds the dw of each image, at all positions of the grid: the grouped convolution before its sum over the batch.
/// False when the hook cancels the run. (backward_weights_grouped.cpp)
bool add_images(const Geometry& g, const Operands& o, PositionGrid positions, const PerImage& to,
                const ProgressHook& hook) noexcept;

/// Adds the contributions of the output positions of the range to dw. (backward_weights_direct.cpp)
void reduce_positions(const Geometry& g, const Operands& o, Range positions) noexcept;

}  // namespace conv2d::teaching_loops
