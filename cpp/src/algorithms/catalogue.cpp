#include "algorithms/engine_passes.hpp"
#include "algorithms/loop_kernels.hpp"
#include "engines/depthwise/depthwise.hpp"
#include "engines/outer_product/outer_product.hpp"
#include "engines/products/products.hpp"

namespace conv2d::algorithm {
namespace {

double exact(const Geometry&) { return 0; }

constexpr Entry kCatalogue[] = {
    {.name = "implicit_gemm",
     .pass = Pass::forward,
     .description = "The same product without x_col: it reads the windows in place in the image, several at a time.",
     .layouts = Layouts::nhwc_activations,
     .prepare = prepare_implicit_gemm_forward},
    {.name = "winograd_4x4",
     .pass = Pass::forward,
     .description = "4 x 4 outputs at a time with 36 products instead of 144: cells and weights are transformed, "
                    "multiplied element by element and transformed back (Lavin and Gray).",
     .layouts = Layouts::nhwc_activations,
     .unsupported = winograd_unsupported_reason,
     .bound = [](const Geometry& g) { return winograd_error_bound(g.c, 4); },
     .accuracy = Accuracy::fast,
     .prepare = prepare_winograd_forward<4>},
    {.name = "winograd_2x2",
     .pass = Pass::forward,
     .description = "2 x 2 outputs at a time with 16 products instead of 36: cells and weights are transformed, "
                    "multiplied element by element and transformed back (Lavin and Gray).",
     .layouts = Layouts::nhwc_activations,
     .unsupported = winograd_unsupported_reason,
     .bound = [](const Geometry& g) { return winograd_error_bound(g.c, 2); },
     .accuracy = Accuracy::standard,
     .prepare = prepare_winograd_forward<2>},
    {.name = "im2col_gemm",
     .pass = Pass::forward,
     .description = "Every window becomes a row of x_col, in (p, q, c) order. y is the matrix product x_col . w_col.",
     .layouts = Layouts::nhwc_only,
     .prepare = [](const Geometry& g,
                   const PrepareOptions& o) { return engine::prepare_im2col_forward(g, ColumnOrder::kh_kw_c, o); }},
    {.name = "im2col_gemm_c_kh_kw",
     .pass = Pass::forward,
     .description = "The same product with the columns in (c, p, q) order, as in PyTorch's unfold.",
     .layouts = Layouts::nhwc_only,
     .prepare = [](const Geometry& g,
                   const PrepareOptions& o) { return engine::prepare_im2col_forward(g, ColumnOrder::c_kh_kw, o); }},
    {.name = "depthwise",
     .pass = Pass::forward,
     .description = "One channel per filter: the channels of a pixel are adjacent, and so are the filters of a tap. "
                    "Registers multiply them pairwise.",
     .layouts = Layouts::nhwc_only,
     .unsupported = engine::depthwise_unsupported_reason,
     .prepare = engine::prepare_depthwise_forward},
    {.name = "plane",
     .pass = Pass::forward,
     .description = "One channel, one filter: a register holds neighboring columns of y. Each tap adds its weight "
                    "times the cells under it.",
     .unsupported = plane_forward_unsupported_reason,
     .prepare = prepare_plane_forward},
    {.name = "strided_view",
     .pass = Pass::forward,
     .description = "The windows of the padded x as a six-axis view without copies, contracted with w over row tap, "
                    "column tap and channel.",
     .prepare = prepare_forward_strided_view},
    {.name = "direct",
     .pass = Pass::forward,
     .description =
         "The formula as seven nested loops in float32: every output position, every filter, every tap and channel.",
     .prepare = prepare_forward_direct},
    {.name = "reference",
     .pass = Pass::forward,
     .description = "The formula, with one sum in double precision per cell of y. Slow; the other algorithms are "
                    "checked against it.",
     .bound = exact,
     .prepare = prepare_reference<Pass::forward>},
    {.name = "implicit_gemm",
     .pass = Pass::backward_data,
     .description = "One product per phase of the stride: windows of dy, read in place, times the flipped taps of w "
                    "that meet the phase.",
     .layouts = Layouts::nhwc_activations,
     .unsupported = implicit_gemm_backward_data_unsupported_reason,
     .prepare = prepare_implicit_gemm_backward_data},
    {.name = "winograd_4x4",
     .pass = Pass::backward_data,
     .description = "The flipped kernel over dy, 4 x 4 outputs at a time with 36 products instead of 144. Both are "
                    "transformed, multiplied element by element and transformed back.",
     .layouts = Layouts::nhwc_activations,
     .unsupported = winograd_unsupported_reason,
     .bound = [](const Geometry& g) { return winograd_error_bound(g.k, 4); },
     .accuracy = Accuracy::fast,
     .prepare = prepare_winograd_backward_data<4>},
    {.name = "winograd_2x2",
     .pass = Pass::backward_data,
     .description = "The flipped kernel over dy, 2 x 2 outputs at a time with 16 products instead of 36. Both are "
                    "transformed, multiplied element by element and transformed back.",
     .layouts = Layouts::nhwc_activations,
     .unsupported = winograd_unsupported_reason,
     .bound = [](const Geometry& g) { return winograd_error_bound(g.k, 2); },
     .accuracy = Accuracy::standard,
     .prepare = prepare_winograd_backward_data<2>},
    {.name = "col2im",
     .pass = Pass::backward_data,
     .description =
         "dx_col = dy_col . w_col^T, then col2im: it adds the gradient of every copy of a cell back to the cell.",
     .layouts = Layouts::nhwc_only,
     // A cell of dx_col sums over the filters of its group, and a cell of dx adds up to kh * kw of them.
     .bound = [](const Geometry& g) { return sum_error_bound(g.group_k + g.kh * g.kw); },
     .prepare = engine::prepare_col2im},
    {.name = "depthwise",
     .pass = Pass::backward_data,
     .description = "One channel per filter: for each cell of x, adds the outputs that use it, one register of "
                    "channels at a time.",
     .layouts = Layouts::nhwc_only,
     .unsupported = engine::depthwise_unsupported_reason,
     .bound = [](const Geometry& g) { return sum_error_bound(g.kh * g.kw + g.group_k); },
     .prepare = engine::prepare_depthwise_backward_data},
    {.name = "plane",
     .pass = Pass::backward_data,
     .description = "One channel, one filter: a register holds neighboring columns of dx. Each tap of the flipped w "
                    "adds its weight times the dy under it.",
     .unsupported = plane_backward_data_unsupported_reason,
     .prepare = prepare_plane_backward_data},
    {.name = "phase_split",
     .pass = Pass::backward_data,
     .description = "stride_h x stride_w dense convolutions of dy, each with the taps that meet its cells of dx. No "
                    "inserted zero is multiplied.",
     .prepare = prepare_backward_data_phase_split},
    {.name = "full_conv",
     .pass = Pass::backward_data,
     .description = "A full convolution of dy with w flipped by 180 degrees. First dy is upsampled: stride - 1 zeros "
                    "between its cells, and the remainder at the end.",
     .prepare = prepare_backward_data_full_conv},
    {.name = "gather",
     .pass = Pass::backward_data,
     .description = "For each cell of x, finds the outputs that use it and adds dy times the weight of each.",
     .prepare = prepare_backward_data_gather},
    {.name = "scatter",
     .pass = Pass::backward_data,
     .description = "For each output position, adds w * dy[i, j] to the cells of dx under its window.",
     .prepare = prepare_backward_data_scatter},
    {.name = "reference",
     .pass = Pass::backward_data,
     .description = "One sum in double precision per cell of x, over every output that uses the cell.",
     .bound = exact,
     .prepare = prepare_reference<Pass::backward_data>},
    {.name = "outer_product",
     .pass = Pass::backward_weights,
     .description = "Every pixel adds the outer product of its window and its dy. A block of dw stays in registers for "
                    "all pixels of a tap.",
     .layouts = Layouts::nhwc_only,
     .prepare = engine::prepare_outer_product},
    {.name = "im2col_gemm",
     .pass = Pass::backward_weights,
     .description = "dw_col = x_col^T . dy_col, summed over blocks of output positions. The rows of x_col are packed "
                    "directly from the image.",
     .layouts = Layouts::nhwc_only,
     .prepare = engine::prepare_im2col_weights},
    {.name = "depthwise",
     .pass = Pass::backward_weights,
     .description = "One channel per filter: for every tap, multiplies rows of x with rows of dy, one register of "
                    "channels at a time.",
     .layouts = Layouts::nhwc_only,
     .unsupported = engine::depthwise_unsupported_reason,
     .prepare = engine::prepare_depthwise_backward_weights},
    {.name = "direct",
     .pass = Pass::backward_weights,
     .description = "Reads dy once, row by row, and sums a block of weights in registers.",
     .bound = [](const Geometry& g) { return sum_error_bound(g.ow + g.n * g.oh); },
     .prepare = prepare_backward_weights_direct},
    {.name = "dilated_dy",
     .pass = Pass::backward_weights,
     .description = "A convolution of x with dy as the kernel: dy is dilated by the stride, moves by the dilation, and "
                    "the result is cropped to kh x kw.",
     .prepare = prepare_backward_weights_dilated_dy},
    {.name = "grouped",
     .pass = Pass::backward_weights,
     .description = "A grouped convolution with one group per image and channel, stride and dilation swapped. The "
                    "result is cropped to kh x kw and summed over the batch.",
     .bound = [](const Geometry& g) { return sum_error_bound(g.oh * g.ow + g.n); },
     .prepare = prepare_backward_weights_grouped},
    {.name = "reference",
     .pass = Pass::backward_weights,
     .description = "One sum in double precision per weight, over the batch and every output position.",
     .bound = exact,
     .prepare = prepare_reference<Pass::backward_weights>},
    {.name = "sum",
     .pass = Pass::backward_bias,
     .description =
         "Sums dy over the batch and all positions, one register of filters (or of neighboring pixels) at a time.",
     .bound = backward_bias_sum_error_bound,
     .prepare = prepare_backward_bias_sum},
    {.name = "reference",
     .pass = Pass::backward_bias,
     .description = "One sum in double precision per filter, over the batch and every output position.",
     .bound = exact,
     .prepare = prepare_reference<Pass::backward_bias>},
};

}  // namespace

std::span<const Entry> list() noexcept { return kCatalogue; }

double Entry::error_bound(const Geometry& g) const {
  if (bound) return bound(g);
  switch (pass) {
    case Pass::forward:
      return sum_error_bound(g.kh * g.kw * g.group_c + 1);
    case Pass::backward_data:
      return sum_error_bound(g.kh * g.kw * g.group_k);
    case Pass::backward_weights:
    case Pass::backward_bias:
      return sum_error_bound(g.n * g.oh * g.ow);
  }
  return 0;
}

}  // namespace conv2d::algorithm
