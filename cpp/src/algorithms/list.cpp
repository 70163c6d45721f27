#include <array>

#include "algorithms/entry.hpp"

namespace conv2d::algorithm {

// The list: one declaration and one line per algorithm. Tests, benchmarks and the page's menus use it.
// clang-format off
#define CONV2D_ALGORITHMS(entry)     \
  entry(forward_implicit_gemm)       \
  entry(forward_winograd_4x4)        \
  entry(forward_winograd_2x2)        \
  entry(forward_im2col_gemm)         \
  entry(forward_im2col_gemm_c_kh_kw) \
  entry(forward_depthwise)           \
  entry(forward_plane)               \
  entry(forward_strided_view)        \
  entry(forward_direct)              \
  entry(forward_reference)           \
  entry(backward_data_implicit_gemm) \
  entry(backward_data_winograd_4x4)  \
  entry(backward_data_winograd_2x2)  \
  entry(backward_data_col2im)        \
  entry(backward_data_depthwise)     \
  entry(backward_data_plane)         \
  entry(backward_data_phase_split)   \
  entry(backward_data_full_conv)     \
  entry(backward_data_gather)        \
  entry(backward_data_scatter)       \
  entry(backward_data_reference)     \
  entry(backward_weights_outer_product) \
  entry(backward_weights_im2col)     \
  entry(backward_weights_depthwise)  \
  entry(backward_weights_direct)     \
  entry(backward_weights_dilated_dy) \
  entry(backward_weights_grouped)    \
  entry(backward_weights_reference)  \
  entry(backward_bias_sum)           \
  entry(backward_bias_reference)
// clang-format on

#define CONV2D_DECLARE(name) extern const Entry name;
CONV2D_ALGORITHMS(CONV2D_DECLARE)
#undef CONV2D_DECLARE

std::span<const Entry> list() noexcept {
  // Built at the first call: the entries are constants of other translation units.
#define CONV2D_COPY(name) name,
  static const std::array entries{CONV2D_ALGORITHMS(CONV2D_COPY)};
#undef CONV2D_COPY
  return entries;
}

}  // namespace conv2d::algorithm
