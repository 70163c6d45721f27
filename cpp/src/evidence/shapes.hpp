#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "evidence/tensors.hpp"

/// The orders of axes that shapes allow.
namespace conv2d_check {

using conv2d::Layout;
using conv2d::WeightsLayout;

/// The sizes of a layer, and how its arrays are read. All arrays stay as they are in memory: an order without an axis
/// is one with an axis of size 1, and a convolution along one axis has one row.
struct Reading {
  Layout layout = Layout::nchw;
  WeightsLayout weights = WeightsLayout::oihw;
  std::string x_order{}, w_order{};  ///< "NCHW", "CHW", "NLC"; "OIHW", "HWCM", "OIL"
  bool is_1d = false;
  std::int64_t n = 1, h = 1, w = 1, c = 1, k = 1, kh = 1, kw = 1, groups = 1;
  std::int64_t oh = -1, ow = -1;  ///< -1: not known
  double cost = 0;                ///< how unlikely it is
};

/// All readings of these shapes, the likeliest first, each arrangement of the values once. Without `y`, oh and ow are
/// -1.
std::vector<Reading> readings_of(const Dims& x, const Dims& w, const Dims* y);

/// Readings of layers without weights: pooling and ReLU.
std::vector<Reading> readings_without_weights(const Dims& x, const Dims& y);

/// Whether an array of this shape is the tensor: the same axes, apart from those of size 1.
bool is_shape(const Dims& shape, const Dims& wanted);

/// The shape without axes of size 1.
Dims squeezed(const Dims& shape);

/// Whether it is a list of `count` cells, such as [k], [1, k], [k, 1] or [1, 1, 1, k].
bool is_list(const Dims& shape, std::int64_t count);

}  // namespace conv2d_check
