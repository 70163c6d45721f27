#pragma once

#include <cstdint>
#include <vector>

#include "base/checked.hpp"
#include "desc/windows.hpp"
#include "engines/engines.hpp"
#include "micro_kernels/kernel_set.hpp"

/// A convolution as one matrix product. Its left operand is never written: the rows are windows, read in place in the
/// image. The forward pass is one such product; backward_data is one per phase of the stride. Sizes count elements and
/// may be 0. Precondition: NHWC (one channel and one filter are in that order in both layouts). Weights have any
/// layout.
namespace conv2d::engine {

/// The windows along one axis: window t begins at cell `first` + t * `step`, which may be outside the image's `size`
/// cells, and its taps are `dilation` cells apart.
struct WindowAxis {
  std::int64_t windows = 0;
  std::int64_t first = 0, step = 1;
  std::int64_t taps = 0, dilation = 1;
  std::int64_t size = 0;

  /// The taps of window t that are inside the image.
  [[nodiscard]] constexpr Range taps_inside(std::int64_t t) const noexcept {
    return inside(taps, dilation, first + t * step, size);
  }
  [[nodiscard]] constexpr bool all_inside() const noexcept {
    return windows == 0 || taps == 0 || (first >= 0 && first + (windows - 1) * step + (taps - 1) * dilation < size);
  }
};

/// The steps of the weights: the weight of tap (p, q), channel c and column j of group m is at first + p * row + q *
/// col + c * channel + j * column + m * group. Steps may be negative: flipped weights.
struct WeightSteps {
  std::int64_t first = 0;
  std::int64_t row = 0, col = 0, channel = 0, column = 0, group = 0;
};

/// Output (n, i, j) is at first + n * image + i * row + j * col.
struct OutputSteps {
  std::int64_t first = 0, image = 0, row = 0, col = 0;

  [[nodiscard]] constexpr std::int64_t at(std::int64_t n, std::int64_t i, std::int64_t j) const noexcept {
    return first + n * image + i * row + j * col;
  }
};

/// What the sums begin with.
enum class InitialSums {
  bias_of_columns,  ///< the bias of the column, or 0
  bias_of_rows,     ///< the bias of the row of windows, or 0
  output,           ///< the output: the sums are added to it
};

/// The memory that the offsets of products refer to.
struct WindowTensors {
  const float* image = nullptr;
  const float* weights = nullptr;
  const float* packed = nullptr;  ///< all weights, packed by pack_weights(); null: packed during the run
  const float* bias = nullptr;    ///< null: zeros
  float* out = nullptr;
  const micro_kernels::Clamp* clamp = nullptr;  ///< of `out`; null: none
};

/// Which operands of a run are the matrices of a product.
struct WindowOperands {
  const float* Operands::*image = nullptr;
  const float* Operands::*weights = nullptr;
  const float* Operands::*bias = nullptr;  ///< null: none

  [[nodiscard]] constexpr WindowTensors in(const Operands& o) const noexcept {
    return {o.*image, o.*weights, o.packed, bias ? o.*bias : nullptr, o.out, o.clamp};
  }
};

/// Those of forward_product and phase_product.
constexpr WindowOperands window_operands(Pass pass) noexcept {
  if (pass == Pass::forward) return {&Operands::x, &Operands::w, &Operands::b};
  return {&Operands::dy, &Operands::w};
}

/// Floats from one block of each tensor to the next.
struct BlockSteps {
  std::int64_t image = 0, weights = 0, bias = 0, out = 0;

  /// The tensors from block number `count` on. Packed weights have no blocks.
  [[nodiscard]] constexpr WindowTensors after(std::int64_t count, const WindowTensors& t) const noexcept {
    return {t.image + count * image,
            t.weights + count * weights,
            t.packed,
            t.bias ? t.bias + count * bias : nullptr,
            t.out + count * out,
            t.clamp};
  }
};

/// The blocks of the tensors that a product runs on: for each image, one for each group. The blocks have the same plan.
struct ProductBatch {
  std::int64_t images = 1, groups = 1;
  BlockSteps image{}, group{};

  [[nodiscard]] constexpr std::int64_t runs() const noexcept { return images * groups; }
};

/// A matrix product on strided memory: the rows of the left matrix are windows of an image, the right matrix are the
/// weights, with any steps. Sizes and offsets only; WindowTensors has the memory. Both axes have taps, or neither has.
struct StridedMatmul {
  const micro_kernels::KernelSet* kernels = nullptr;  ///< of the run
  std::int64_t n = 0;                                 ///< images
  WindowAxis rows, cols;
  std::int64_t groups = 1;
  std::int64_t channels = 0;      ///< of the image, per group
  std::int64_t out_channels = 0;  ///< per group
  std::int64_t image_offset = 0;  ///< of the first float that is read
  WeightSteps weights;
  bool weights_vary = false;       ///< they are planes of an activation: other values in each run
  std::int64_t packed_offset = 0;  ///< of the first packed weight
  InitialSums initial_sums = InitialSums::bias_of_columns;
  std::int64_t bias_offset = 0;  ///< of the first of groups * out_channels, or of the rows of windows
  OutputSteps out;
  ProductBatch batch{};

  [[nodiscard]] constexpr std::int64_t taps() const noexcept { return rows.taps * cols.taps; }
  [[nodiscard]] constexpr std::int64_t reduction() const noexcept { return taps() * channels; }
  [[nodiscard]] constexpr std::int64_t cell() const noexcept { return groups * channels; }
};

/// y = windows of x times w.
StridedMatmul forward_product(const Geometry& g, const KernelSet& kernels) noexcept;

/// The cells of dx that are first_row and first_col from the top left corner of a stride's grid: windows of dy times
/// the taps of w that meet them, flipped. With stride 1 there is one such phase, the full convolution. A phase without
/// taps is a product without a reduction, which writes zeros.
StridedMatmul phase_product(const Geometry& g, const KernelSet& kernels, std::int64_t first_row,
                            std::int64_t first_col) noexcept;

/// The product of `pass`, forward or backward_data, when it has only one (stride 1).
StridedMatmul only_product(const Geometry& g, const KernelSet& kernels, Pass pass) noexcept;

/// All products of the pass: one, or all phases. Each computes its own part of the output with its own part of the
/// weights.
std::vector<StridedMatmul> products_of(const Geometry& g, const KernelSet& kernels, Pass pass);

/// The columns of a group, divided into panels of two registers; the last panel has one to three, since loads bound a
/// panel of a single register. Or into panels of four registers for 2x4 tiles, all of them full. Or up to
/// kMaxDotColumns columns as one panel for dot tiles, if the spans are whole registers.
struct Panels {
  std::int64_t lanes = 1;    ///< floats per register
  std::int64_t vectors = 1;  ///< registers that all columns fill
  std::int64_t each = 2;     ///< registers of every panel but the last
  std::int64_t count = 1;
  std::int64_t packed_columns = 0;  ///< of a group: rounded up to whole registers, but not for dot tiles
  bool dots = false;                ///< for dot tiles

  Panels() = default;
  Panels(const micro_kernels::KernelSet& kernels, std::int64_t columns, std::int64_t registers = 2) noexcept;
  /// The panels that the product's weights are packed in.
  static Panels of(const StridedMatmul& p) noexcept;
  [[nodiscard]] constexpr std::int64_t first_column(std::int64_t panel) const noexcept { return panel * each * lanes; }
  [[nodiscard]] constexpr std::int64_t vectors_of(std::int64_t panel) const noexcept {
    return panel + 1 < count ? each : vectors - each * panel;
  }
  /// Lanes of the widest panel.
  [[nodiscard]] constexpr std::int64_t widest() const noexcept {
    const std::int64_t last = vectors_of(count - 1);
    return (count > 1 && last < each ? each : last) * lanes;
  }
};

/// Writes panel[(p, q)][c][lane] for `width` lanes from column `first` of the group, taps `tap_step` floats apart.
/// Lanes past the last column are 0.
void pack_panel(const StridedMatmul& p, const float* w, std::int64_t group, std::int64_t first, std::int64_t width,
                float* panel, std::int64_t tap_step) noexcept;

/// Packs one panel of a group at `to`. The offsets of p.weights refer to `w`. `panels`: those of p.
void pack_weights_at(const StridedMatmul& p, const Panels& panels, const float* w, std::int64_t group,
                     std::int64_t panel, float* to) noexcept;

/// Floats of packed weights before a panel of a group.
std::int64_t packed_before(const StridedMatmul& p, const Panels& panels, std::int64_t group,
                           std::int64_t panel) noexcept;

/// Floats of a product's packed weights: [group][panel][tap][channel][lane].
CheckedInt packed_weights_floats(const StridedMatmul& p) noexcept;

/// Packs the weights for WindowTensors::packed.
void pack_weights(const StridedMatmul& p, const float* w, float* packed) noexcept;

}  // namespace conv2d::engine
