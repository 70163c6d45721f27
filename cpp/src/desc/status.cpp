#include "conv2d/status.hpp"

#include "conv2d/conv_desc.hpp"

namespace conv2d {

std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::ok:
      return "ok";
    case ErrorCode::invalid_size:
      return "invalid_size";
    case ErrorCode::invalid_stride:
      return "invalid_stride";
    case ErrorCode::invalid_dilation:
      return "invalid_dilation";
    case ErrorCode::invalid_padding:
      return "invalid_padding";
    case ErrorCode::invalid_groups:
      return "invalid_groups";
    case ErrorCode::channel_mismatch:
      return "channel_mismatch";
    case ErrorCode::kernel_too_large:
      return "kernel_too_large";
    case ErrorCode::input_size_mismatch:
      return "input_size_mismatch";
    case ErrorCode::length_mismatch:
      return "length_mismatch";
    case ErrorCode::overflow:
      return "overflow";
    case ErrorCode::out_of_memory:
      return "out_of_memory";
    case ErrorCode::unknown_algorithm:
      return "unknown_algorithm";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::cancelled:
      return "cancelled";
  }
  return "unknown";
}

std::string_view to_string(WeightsLayout layout) noexcept {
  switch (layout) {
    case WeightsLayout::automatic:
      return "automatic";
    case WeightsLayout::hwio:
      return "hwio";
    case WeightsLayout::oihw:
      return "oihw";
    case WeightsLayout::ohwi:
      return "ohwi";
  }
  return "unknown";
}

std::string_view to_string(Pass pass) noexcept {
  switch (pass) {
    case Pass::forward:
      return "forward";
    case Pass::backward_data:
      return "backward_data";
    case Pass::backward_weights:
      return "backward_weights";
    case Pass::backward_bias:
      return "backward_bias";
  }
  return "unknown";
}

}  // namespace conv2d
