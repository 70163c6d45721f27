#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "conv2d/conv_desc.hpp"

namespace conv2d {

/// The tensors that a pass reads, and the name of the one that it writes.
struct PassTensors {
  bool x = false, w = false, b = false, dy = false;
  const char* out = "";
};

constexpr PassTensors tensors_of(Pass pass) noexcept {
  constexpr PassTensors kTensors[]{
      {.x = true, .w = true, .b = true, .out = "y"},
      {.w = true, .dy = true, .out = "dx"},
      {.x = true, .dy = true, .out = "dw"},
      {.dy = true, .out = "db"},
  };
  return kTensors[static_cast<std::size_t>(pass)];
}

/// The shape of the tensor that a pass writes; [1, 1, 1, k] for db.
inline std::array<std::int64_t, 4> result_shape(const Geometry& g, Pass pass) noexcept {
  switch (pass) {
    case Pass::forward:
      return g.y_shape();
    case Pass::backward_data:
      return g.x_shape();
    case Pass::backward_weights:
      return g.w_shape();
    case Pass::backward_bias:
      break;
  }
  return {1, 1, 1, g.k};
}

}  // namespace conv2d
