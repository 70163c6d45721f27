#pragma once

#include <cstdint>

#include "conv2d/config.hpp"

/// How algorithms rearrange a convolution. conv2d_teach shows the same.
namespace conv2d {

/// Order of the columns of x_col and dx_col, and of the rows of w_col and dw_col.
enum class ColumnOrder {
  kh_kw_c,  ///< channels vary fastest: natural for NHWC
  c_kh_kw,  ///< taps vary fastest: natural for NCHW, as in PyTorch's unfold
};

/// One axis of a Phase. Element m of the phase is element first_cell + m * stride of x, and tap t is tap
/// first_tap + t * tap_step of w. Their product contributes to output first_output + m - t * output_step if that
/// exists.
struct PhaseAxis {
  std::int64_t first_cell = 0, cells = 0;
  std::int64_t first_tap = 0, tap_step = 1, taps = 0;  ///< taps == 0: the gradient of these elements is exactly 0
  std::int64_t first_output = 0, output_step = 1;      ///< output_step is the dilation of the sub-convolution
};

/// One of the interleaved grids into which the stride divides dx. Each is a convolution of dy with stride 1 and a
/// sub-kernel of w. Every tap of w belongs to at most one phase.
struct Phase {
  PhaseAxis rows, cols;
};

}  // namespace conv2d
