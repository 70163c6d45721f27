#pragma once

#include <cstdint>
#include <span>

/// Where tensors of the page get their first values from, so that no arithmetic on values happens in TypeScript.
namespace conv2d::session {

/// Whole numbers from -4 to 4. The same seed gives the same numbers on every machine:
/// state = 1664525 * state + 1013904223 (mod 2^32), starting at the seed; value = floor((state >> 8) * 9 / 2^24) - 4.
void random_values(std::uint32_t seed, std::span<float> out) noexcept;

/// Values in [-1, 1) by the same generator: value = (state >> 8) / 2^23 - 1.
void random_reals(std::uint32_t seed, std::span<float> out) noexcept;

/// Pixels (r, g, b, a of 0..255, alpha ignored) as values of 0..1: [pixel][channel] for 3 channels, the grey
/// 0.299 r + 0.587 g + 0.114 b (ITU-R BT.601) for 1. Precondition: rgba.size() / 4 * channels == out.size().
void values_of_pixels(std::span<const std::uint8_t> rgba, int channels, std::span<float> out) noexcept;

}  // namespace conv2d::session
