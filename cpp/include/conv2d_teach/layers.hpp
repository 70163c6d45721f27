#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "conv2d/config.hpp"
#include "conv2d/conv_desc.hpp"

/// The layers of a chain (chain.hpp): convolution, transposed convolution, activations and pooling. docs/cpp.md
/// describes each kind.
namespace conv2d {

/// The names of all kinds: "conv", "relu", ...
CONV2D_API std::span<const std::string_view> layer_kinds() noexcept;

/// What is particular to a kind is a list of named numbers.
struct LayerOptionRule {
  std::string_view name;
  double initial = 0, lowest = 0, most = 1;  ///< initial: where it is not given
};

/// The options of a kind; empty if there is no such kind.
CONV2D_API std::span<const LayerOptionRule> layer_options(std::string_view kind) noexcept;

/// No kind has more.
inline constexpr std::size_t kMaxLayerOptions = 2;
/// The values of a kind's options, in the order of layer_options().
using LayerOptions = std::array<double, kMaxLayerOptions>;

/// {"alpha", 0.1}; without a name, no option.
struct LayerOption {
  std::string_view name;
  double value = 0;
};

/// The tensors that a pass of a layer reads.
struct Operands {
  bool x = false, w = false, b = false, winners = false, dy = false;
};

/// What a pass of a layer of this kind reads; nothing if it has no such pass: no weights, no dw and db. Precondition:
/// there is such a kind.
CONV2D_API Operands operands_of(std::string_view kind, Pass pass) noexcept;

/// Describes a layer of a chain. What precedes it decides its n, h, w, c and layout. Texts must live until the call
/// ends.
struct LayerDesc {
  std::string_view kind = "conv";
  /// conv and conv_transpose: k, kernel, stride, dilation, groups, padding and weights_layout are read; the latter as
  /// transposed::Desc, with the options output_padding_h and output_padding_w. Pooling: kh x kw is the window;
  /// stride (which has no other default than 1) and padding are read; the dilation must be 1; each side's padding must
  /// be smaller than the window, so that every window has a cell (PyTorch: at most half of it); sizes are rounded down.
  /// A kind that computes each cell of y from one of x reads nothing.
  ConvDesc windows{};
  std::array<LayerOption, kMaxLayerOptions> options{};
};

/// A layer with its sizes. Its x is the output of the layer before.
struct LayerInfo {
  std::string_view kind;  ///< static storage
  LayerOptions options{};
  /// Of its windows: for a layer without weights with k = groups = c and an unused w (ReLU is a 1 x 1 window), for a
  /// transposed one that of transposed::resolve: its x_shape() is that of y, its y_shape() that of x.
  Geometry geometry;
  bool is_transposed = false;
  std::array<std::int64_t, 4> x_shape{}, y_shape{};  ///< in the layout's order
  std::int64_t x_size = 0, y_size = 0;               ///< elements
  std::int64_t channels = 0;                         ///< of y
  std::int64_t w_size = 0, b_size = 0;               ///< elements; 0 for a layer without weights
  std::int64_t winners_size = 0;      ///< elements of the winners' indices: those of y for a maximum, else 0
  std::int64_t workspace_floats = 0;  ///< largest of forward and backward

  [[nodiscard]] constexpr bool is_convolution() const noexcept { return w_size > 0 && !is_transposed; }
  /// Elements of y, dx, dw or db.
  [[nodiscard]] constexpr std::int64_t result_size(Pass pass) const noexcept {
    const std::array<std::int64_t, 4> sizes{y_size, x_size, w_size, b_size};
    return sizes[static_cast<std::size_t>(pass)];
  }
};

/// What the output of average_pool at one cell is made of: sum / count.
struct AverageCell {
  float sum = 0;           ///< of the cells in x, with the same bits as the layer's
  std::int64_t count = 0;  ///< what it is divided by
};

/// Precondition: the layer is an average_pool, `x` has its length, and `index` is a flat index of its y.
CONV2D_API AverageCell average_cell(const LayerInfo& layer, std::span<const float> x, std::int64_t index) noexcept;

}  // namespace conv2d
