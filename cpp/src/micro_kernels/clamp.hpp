#pragma once

#include <cstddef>

/// What a kernel does to its outputs before it stores them.
namespace conv2d::micro_kernels {

/// An output v <= lowest becomes `lowest`, and then v >= highest becomes `highest`. NaN stays.
struct Clamp {
  float lowest, highest;
};

/// The same for `count` adjacent floats.
using ClampFunction = void (*)(const Clamp& clamp, float* values, std::ptrdiff_t count) noexcept;

}  // namespace conv2d::micro_kernels
