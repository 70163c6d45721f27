#include <algorithm>
#include <span>

#include "algorithms/algorithm_entry.hpp"
#include "base/range.hpp"
#include "conv2d/reference.hpp"
#include "cost/constants.hpp"
#include "teaching_loops/teaching_loops.hpp"

namespace conv2d::algorithm {
namespace {

using teaching_loops::LoopKernel;

double exact(const Geometry&, Pass) { return 0; }

/// Most roundings between a cell and an output, except those of the sum of products: with m = 4, 6 of the cells, 8 of
/// the weights, 6 of the outputs, the product, and the bias. dw has 6, 4 and 10, and the product.
constexpr std::int64_t kRoundingsOfTransforms = 22;

/// The roundings of a sum of `terms` products that are all as large as the largest: the sum of the first i is rounded
/// with an error of at most i products, and the mean of i is half of the terms. Any other order of addition has smaller
/// sums.
constexpr std::int64_t roundings_of_sum(std::int64_t terms) noexcept { return (terms + 1) / 2; }

/// In its `mixes_cells` form (AlgorithmInfo), for sums of products of transforms over all channels or filters.
template <int kOutputs>
double winograd_error_bound(const Geometry& g, Pass pass) {
  // Along an axis, the largest sum over the transform's rows of |A| times the row sums of |B| and |G|: 8 for m = 2, 48
  // for m = 4; squared, since there are two axes, and relative to the 9 products that it replaces.
  constexpr double kGrowth = kOutputs == 2 ? 8.0 * 8.0 / 9.0 : 48.0 * 48.0 / 9.0;
  return kGrowth * sum_error_bound(roundings_of_sum(pass == Pass::forward ? g.c : g.k) + kRoundingsOfTransforms);
}

/// The same for dw: sums of products of transforms over the tiles of a block. The sums of blocks are added to dw, where
/// errors do not grow.
template <int kOutputs>
double winograd_weights_error_bound(const Geometry& g, Pass) {
  // As above, with G^T for A: 6 for m = 2, 160 / 3 for m = 4; squared, per tile.
  constexpr double kGrowth = kOutputs == 2 ? 6.0 * 6.0 : 160.0 * 160.0 / 9.0;
  // Tiles at the edge are computed whole: relative to the products of the element.
  const std::int64_t tiles = g.n * ceil_div(g.oh, kOutputs) * ceil_div(g.ow, kOutputs);
  const double per_product = static_cast<double>(tiles) / std::max(1.0, static_cast<double>(g.n * g.oh * g.ow));
  const std::int64_t of_block = roundings_of_sum(std::min(tiles, engine::kMostWinogradTiles));
  return kGrowth * per_product * sum_error_bound(of_block + kRoundingsOfTransforms) + sum_error_bound(tiles);
}

/// Of the sums of chains, which are at most as long as there are pixels.
double bias_sum_error_bound(const Geometry& g, Pass) {
  const std::int64_t pixels = g.oh * g.ow, all = g.n * pixels;
  const CheckedInt chains = CheckedInt(g.n) * (pixels / engine::kBiasChain + 1);
  return sum_error_bound(std::min(all, (chains * 2 * engine::kBiasRow + engine::kBiasChain).value_or(all)));
}

/// conv2d/reference.hpp, in one piece: the hook is called once, before it.
bool run_reference(const Geometry& g, Pass pass, const Operands& o, const ProgressHook& hook) noexcept {
  const auto view = [](auto* data, std::int64_t size) {
    return std::span(data, data ? static_cast<std::size_t>(size) : 0);
  };
  if (hook.step && !hook.step(hook.context, 0, 1)) return false;
  reference::run(g, pass,
                 {.x = view(o.x, g.x_size),
                  .w = view(o.w, g.w_size),
                  .b = view(o.b, g.k),
                  .dy = view(o.dy, g.y_size),
                  .out = view(o.out, g.result_size(pass))});
  return true;
}

template <Pass kPass>
bool run_reference(const Geometry& g, const Operands& o, float*, const ProgressHook& hook) noexcept {
  return run_reference(g, kPass, o, hook);
}

template <Pass kPass>
double reference_cost(const Geometry& g, const cost::Loops& c) {
  return kPass == Pass::backward_bias ? c.reference_sum * static_cast<double>(g.y_size + g.k)
                                      : c.reference_mac * static_cast<double>(g.macs() + g.x_size + g.y_size);
}

template <Pass kPass>
constexpr LoopKernel kReference{.cost = reference_cost<kPass>, .run = run_reference<kPass>};

template <Pass kPass>
constexpr Entry reference_of(std::string_view description) {
  return {.name = "reference", .pass = kPass, .description = description, .bound = exact, .loops = &kReference<kPass>};
}

template <int kOutputs>
constexpr Entry winograd(Pass pass, std::string_view description) {
  const bool of_weights = pass == Pass::backward_weights;
  return {.name = kOutputs == 2 ? "winograd_2x2" : "winograd_4x4",
          .pass = pass,
          .description = description,
          .layouts = of_weights ? Layouts::nhwc_only : Layouts::nhwc_activations,
          .unsupported = engine::winograd_unsupported_reason,
          .bound = of_weights ? winograd_weights_error_bound<kOutputs> : winograd_error_bound<kOutputs>,
          .accuracy = kOutputs == 2 ? Accuracy::standard : Accuracy::fast,
          .engine = of_weights ? engine::prepare_winograd_weights<kOutputs> : engine::prepare_winograd<kOutputs>};
}

constexpr Entry kCatalogue[] = {
    {.name = "implicit_gemm",
     .pass = Pass::forward,
     .description = "The same product without x_col: it reads the windows in place in the image, several at a time.",
     .layouts = Layouts::nhwc_activations,
     .engine = engine::prepare_windows},
    winograd<4>(Pass::forward,
                "4 x 4 outputs at a time with 36 products instead of 144: cells and weights are transformed, "
                "multiplied element by element and transformed back (Lavin and Gray)."),
    winograd<2>(Pass::forward, "As winograd_4x4, for 2 x 2 outputs with 16 products."),
    {.name = "im2col_gemm",
     .pass = Pass::forward,
     .description = "Every window becomes a row of x_col, in (p, q, c) order. y is the matrix product x_col . w_col.",
     .layouts = Layouts::nhwc_only,
     .engine = engine::prepare_im2col<ColumnOrder::kh_kw_c>},
    {.name = "im2col_gemm_c_kh_kw",
     .pass = Pass::forward,
     .description = "The same product with the columns in (c, p, q) order, as in PyTorch's unfold.",
     .layouts = Layouts::nhwc_only,
     .engine = engine::prepare_im2col<ColumnOrder::c_kh_kw>},
    {.name = "depthwise",
     .pass = Pass::forward,
     .description = "One channel per filter: the channels of a pixel are adjacent, and so are the filters of a tap. "
                    "Registers multiply them pairwise.",
     .layouts = Layouts::nhwc_only,
     .unsupported = engine::depthwise_unsupported_reason,
     .engine = engine::prepare_depthwise_forward},
    {.name = "plane",
     .pass = Pass::forward,
     .description = "One channel, or NCHW with one channel per filter or a 1 x 1 kernel: a register holds neighboring "
                    "columns of y. Each tap adds its weight times the cells under it.",
     .unsupported = engine::plane_unsupported_reason,
     .engine = engine::prepare_plane},
    {.name = "strided_view",
     .pass = Pass::forward,
     .description = "The windows of the padded x as a six-axis view without copies, contracted with w over row tap, "
                    "column tap and channel.",
     .loops = &teaching_loops::kForwardStridedView},
    {.name = "direct",
     .pass = Pass::forward,
     .description = "The formula as seven nested loops in float32.",
     .loops = &teaching_loops::kForwardDirect},
    reference_of<Pass::forward>(
        "The formula, with one sum in double precision per cell of y. Slow; the other algorithms are "
        "checked against it."),
    {.name = "implicit_gemm",
     .pass = Pass::backward_data,
     .description = "One product per phase of the stride: windows of dy, read in place, times the flipped taps of w "
                    "that meet the phase.",
     .layouts = Layouts::nhwc_activations,
     .unsupported = engine::windows_unsupported_reason,
     .engine = engine::prepare_windows},
    winograd<4>(Pass::backward_data,
                "The flipped kernel over dy, 4 x 4 outputs at a time with 36 products instead of 144. Both are "
                "transformed, multiplied element by element and transformed back."),
    winograd<2>(Pass::backward_data, "As winograd_4x4, for 2 x 2 outputs with 16 products."),
    {.name = "col2im",
     .pass = Pass::backward_data,
     .description =
         "dx_col = dy_col . w_col^T, then col2im: it adds the gradient of every copy of a cell back to the cell.",
     .layouts = Layouts::nhwc_only,
     // A cell of dx_col sums over the filters of its group, and a cell of dx adds up to kh * kw of them.
     .bound = [](const Geometry& g, Pass) { return sum_error_bound(g.group_k + g.kh * g.kw); },
     .engine = engine::prepare_im2col<ColumnOrder::kh_kw_c>},
    {.name = "depthwise",
     .pass = Pass::backward_data,
     .description = "One channel per filter: for each cell of x, adds the outputs that use it, one register of "
                    "channels at a time.",
     .layouts = Layouts::nhwc_only,
     .unsupported = engine::depthwise_unsupported_reason,
     .bound = [](const Geometry& g, Pass) { return sum_error_bound(g.kh * g.kw + g.group_k); },
     .engine = engine::prepare_depthwise_backward_data},
    {.name = "plane",
     .pass = Pass::backward_data,
     .description = "One channel, or NCHW with one channel per filter or a 1 x 1 kernel: a register holds neighboring "
                    "columns of dx. Each tap of the flipped w adds its weight times the dy under it.",
     .layouts = Layouts::hwio_weights,
     .unsupported = engine::plane_unsupported_reason,
     .engine = engine::prepare_plane},
    {.name = "phase_split",
     .pass = Pass::backward_data,
     .description = "stride_h x stride_w dense convolutions of dy, each with the taps that meet its cells of dx. No "
                    "inserted zero is multiplied.",
     .loops = &teaching_loops::kBackwardDataPhaseSplit},
    {.name = "full_conv",
     .pass = Pass::backward_data,
     .description = "A full convolution of dy with w flipped by 180 degrees. First dy is upsampled: stride - 1 zeros "
                    "between its cells, and the remainder at the end.",
     .loops = &teaching_loops::kBackwardDataFullConv},
    {.name = "gather",
     .pass = Pass::backward_data,
     .description = "For each cell of x, finds the outputs that use it and adds dy times the weight of each.",
     .loops = &teaching_loops::kBackwardDataGather},
    {.name = "scatter",
     .pass = Pass::backward_data,
     .description = "For each output position, adds w * dy[i, j] to the cells of dx under its window.",
     .loops = &teaching_loops::kBackwardDataScatter},
    reference_of<Pass::backward_data>(
        "One sum in double precision per cell of x, over every output that uses the cell."),
    {.name = "outer_product",
     .pass = Pass::backward_weights,
     .description = "Every pixel adds the outer product of its window and its dy. A block of dw stays in registers for "
                    "all pixels of a tap.",
     .layouts = Layouts::nhwc_only,
     .engine = engine::prepare_outer_product},
    {.name = "im2col_gemm",
     .pass = Pass::backward_weights,
     .description = "dw_col = x_col^T . dy_col, summed over blocks of output positions. The rows of x_col are packed "
                    "directly from the image.",
     .layouts = Layouts::nhwc_only,
     .engine = engine::prepare_im2col_weights},
    winograd<4>(Pass::backward_weights,
                "4 x 4 outputs at a time with 36 products instead of 144: cells and dy are transformed, multiplied "
                "element by element, summed and transformed to dw."),
    winograd<2>(Pass::backward_weights, "As winograd_4x4, for 2 x 2 outputs with 16 products."),
    {.name = "depthwise",
     .pass = Pass::backward_weights,
     .description = "One channel per filter: for every tap, multiplies rows of x with rows of dy, one register of "
                    "channels at a time.",
     .layouts = Layouts::nhwc_only,
     .unsupported = engine::depthwise_unsupported_reason,
     .engine = engine::prepare_depthwise_backward_weights},
    {.name = "plane",
     .pass = Pass::backward_weights,
     .description = "NCHW with a 1 x 1 kernel: the matrix product of the planes of dy with those of x, summed over the "
                    "batch.",
     .unsupported = engine::plane_unsupported_reason,
     .engine = engine::prepare_plane},
    {.name = "direct",
     .pass = Pass::backward_weights,
     .description = "Reads dy once, row by row, and sums a block of weights in registers.",
     .bound = [](const Geometry& g, Pass) { return sum_error_bound(g.ow + g.n * g.oh); },
     .loops = &teaching_loops::kBackwardWeightsDirect},
    {.name = "dilated_dy",
     .pass = Pass::backward_weights,
     .description = "A convolution of x with dy as the kernel: dy is dilated by the stride, moves by the dilation, and "
                    "the result is cropped to kh x kw.",
     .loops = &teaching_loops::kBackwardWeightsDilatedDy},
    {.name = "grouped",
     .pass = Pass::backward_weights,
     .description = "A grouped convolution with one group per image and channel, stride and dilation swapped. The "
                    "result is cropped to kh x kw and summed over the batch.",
     .bound = [](const Geometry& g, Pass) { return sum_error_bound(g.oh * g.ow + g.n); },
     .loops = &teaching_loops::kBackwardWeightsGrouped},
    reference_of<Pass::backward_weights>(
        "One sum in double precision per weight, over the batch and every output position."),
    {.name = "sum",
     .pass = Pass::backward_bias,
     .description =
         "Sums dy over the batch and all positions, one register of filters (or of neighboring pixels) at a time.",
     .bound = bias_sum_error_bound,
     .engine = engine::prepare_backward_bias_sum},
    reference_of<Pass::backward_bias>(
        "One sum in double precision per filter, over the batch and every output position."),
};

}  // namespace

std::span<const Entry> list() noexcept { return kCatalogue; }

}  // namespace conv2d::algorithm
