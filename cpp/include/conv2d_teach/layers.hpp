#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "conv2d/config.hpp"
#include "conv2d/conv_desc.hpp"

/// The layers of a chain (chain.hpp): convolution, ReLU and pooling.
namespace conv2d {

enum class LayerKind {
  conv,  ///< see ConvDesc
  /// y = x where x > 0 or x is NaN, else +0. dx = dy where x > 0 or x is NaN, else +0: the gradient at 0 is 0, as in
  /// PyTorch.
  relu,
  /// y = the largest cell of each window, channel by channel. Padding never wins: it counts as -infinity. Of equal
  /// cells the first one wins, row by row; a NaN wins over numbers, and the last NaN over other NaNs, all as in
  /// PyTorch. dx adds dy of each window to its winner.
  max_pool,
  /// y = the sum of each window's cells, in float, divided by kh * kw, or by its cells in x (count_include_pad). dx
  /// adds dy / that number to each cell of the window.
  average_pool,
};
inline constexpr int kLayerKinds = 4;

/// The name of the enumerator.
CONV2D_API std::string_view to_string(LayerKind kind) noexcept;

/// The tensors that a pass of a layer reads.
struct Operands {
  bool x = false, w = false, b = false, winners = false, dy = false;
};

/// What a pass of a layer of this kind reads; nothing if it has no such pass: no weights, no dw and db. Precondition:
/// the kind is an enumerator.
CONV2D_API Operands operands_of(LayerKind kind, Pass pass) noexcept;

/// Describes a layer of a chain. What precedes it decides its n, h, w, c and layout.
struct LayerDesc {
  LayerKind kind = LayerKind::conv;
  /// conv: k, kernel, stride, dilation, groups, padding and weights_layout are read. Pooling: kh x kw is the window;
  /// stride (which has no other default than 1) and padding are read; the dilation must be 1; each side's padding must
  /// be smaller than the window, so that every window has a cell (PyTorch: at most half of it); sizes are rounded down.
  /// relu: nothing is read.
  ConvDesc windows{};
  bool count_include_pad = true;  ///< average_pool: divide by kh * kw, as PyTorch does unless told otherwise
};

/// A layer with its sizes. Its geometry has x as the output of the layer before, y as its own output, and for a layer
/// without weights k = groups = c and an unused w: ReLU is a 1 x 1 window.
struct LayerInfo {
  LayerDesc desc;
  Geometry geometry;
  std::int64_t w_size = 0, b_size = 0;  ///< elements; 0 for a layer without weights
  std::int64_t winners_size = 0;        ///< elements of the winners' indices: those of y for max_pool, else 0
  std::int64_t workspace_floats = 0;    ///< largest of forward and backward
};

/// What the output of average_pool at one cell is made of: sum / count.
struct AverageCell {
  float sum = 0;           ///< of the cells in x, with the same bits as the layer's
  std::int64_t count = 0;  ///< what it is divided by
};

/// Precondition: the layer is an average_pool, `x` has its length, and `index` is a flat index of its y.
CONV2D_API AverageCell average_cell(const LayerInfo& layer, std::span<const float> x, std::int64_t index) noexcept;

}  // namespace conv2d
