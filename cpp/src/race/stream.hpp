#pragma once

#include <span>

namespace conv2d::race {

/// out[t] = a[t] + factor * b[t], the triad of McCalpin's STREAM. It moves three floats per multiply-add, so long
/// arrays measure memory bandwidth. Precondition: all spans have the same length.
void triad(std::span<const float> a, std::span<const float> b, float factor, std::span<float> out) noexcept;

}  // namespace conv2d::race
