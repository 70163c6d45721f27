#pragma once

#include <cstdint>
#include <string_view>

#include "conv2d.h"
#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"
#include "conv2d_check/check.hpp"

namespace conv2d::c {

/// Writes the outcome of a call and returns its code. `out` may be null.
std::int32_t report(const Status& status, conv2d_status* out) noexcept;

/// The description of the caller, with the defaults of this version for members that it does not have.
Status to_desc(const conv2d_desc* given, ConvDesc& desc) noexcept;

/// The elements of another program, which `name` calls in an error.
Status to_elements(const conv2d_elements& given, std::string_view name, conv2d_check::Elements& elements) noexcept;

/// Runs a call, and makes an error of an exception: only memory can run out.
template <class Body>
std::int32_t guarded(conv2d_status* out, Body body) noexcept {
  try {
    return report(body(), out);
  } catch (...) {
    return report({ErrorCode::out_of_memory, "", "there is not enough memory"}, out);
  }
}

}  // namespace conv2d::c
