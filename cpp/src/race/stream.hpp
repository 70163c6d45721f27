#pragma once

#include <span>

namespace conv2d::race {

/// out[t] = a[t] + factor * b[t]: three floats move for one multiply-add, so that of long arrays the memory sets the
/// time (the triad of McCalpin's STREAM). All of one length.
void triad(std::span<const float> a, std::span<const float> b, float factor, std::span<float> out) noexcept;

}  // namespace conv2d::race
