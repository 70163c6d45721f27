#pragma once

#include <cstdint>
#include <span>

/// Initial values of tensors.
namespace conv2d::session {

/// Integers from -4 to 4. The same seed gives the same values on every machine:
/// state = 1664525 * state + 1013904223 (mod 2^32), starting at the seed; value = floor((state >> 8) * 9 / 2^24) - 4.
void random_values(std::uint32_t seed, std::span<float> out) noexcept;

/// Values in [-1, 1) by the same generator: value = (state >> 8) / 2^23 - 1.
void random_reals(std::uint32_t seed, std::span<float> out) noexcept;

/// Converts pixels (r, g, b, a in 0..255; alpha is ignored) to values in 0..1: [pixel][channel] for 3 channels, or gray
/// = 0.299 r + 0.587 g + 0.114 b (ITU-R BT.601) for 1. Precondition: rgba.size() / 4 * channels == out.size().
void values_of_pixels(std::span<const std::uint8_t> rgba, int channels, std::span<float> out) noexcept;

}  // namespace conv2d::session
