#pragma once

#include "conv2d/conv_desc.hpp"

namespace conv2d {

/// The tensors that a pass reads, and the name of the one that it writes.
struct PassTensors {
  bool x = false, w = false, b = false, dy = false;
  const char* out = "";
};

constexpr PassTensors tensors_of(Pass pass) noexcept {
  switch (pass) {
    case Pass::forward:
      return {.x = true, .w = true, .b = true, .out = "y"};
    case Pass::backward_data:
      return {.w = true, .dy = true, .out = "dx"};
    case Pass::backward_weights:
      return {.x = true, .dy = true, .out = "dw"};
    case Pass::backward_bias:
      break;
  }
  return {.dy = true, .out = "db"};
}

}  // namespace conv2d
