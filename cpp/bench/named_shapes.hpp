#pragma once

#include <string_view>

#include "conv2d/conv_desc.hpp"

namespace conv2d::bench {

struct NamedShape {
  std::string_view name;
  ConvDesc desc;
};

/// The shapes of tests/problems/named_shapes.json.
inline constexpr NamedShape kNamedShapes[]{
#include "named_shapes.inc"
};

inline constexpr Pass kPasses[]{Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias};

}  // namespace conv2d::bench
