#pragma once

#include <vector>

#include "conv2d/conv_desc.hpp"
#include "evidence/arguments.hpp"

/// Strides, dilations and paddings that sizes allow.
namespace conv2d_check {

/// A way in which windows move along an axis. `after` never changes a value of y, dx or dw: among the paddings that
/// give the output size it is the usual one.
struct AxisWay {
  std::int64_t stride = 1, dilation = 1, before = 0, after = 0, out = 1;
  double cost = 0;       ///< how unlikely it is
  bool is_same = false;  ///< padding as of TensorFlow's SAME
  unsigned given = 0;    ///< a bit for each way to read the arguments that gives it
};

struct AxisSizes {
  std::int64_t in = 1, kernel = 1;
  std::int64_t out = -1;  ///< -1: not known; only usual ways are listed
};

/// The likeliest first; those of the arguments are always among them if they give the size. `columns`: of `given`, the
/// second axis.
std::vector<AxisWay> ways_of(const AxisSizes& sizes, conv2d::Layout framework, const std::vector<Given>& given,
                             bool columns);

/// How unlikely two ways are together, each by itself included.
double cost_of(const AxisWay& row, const AxisWay& column, bool is_square);

}  // namespace conv2d_check
