#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "compiler/compiler.hpp"

/// Copies of a few floats at a time, many times: the work of packing into panels.
namespace conv2d {

/// Copies shorter than this are loops: in WebAssembly, memory.copy and memory.fill are calls out of the module. The
/// length at which such a call pays was not measured.
inline constexpr std::int64_t kLongCopy = 256;

/// Copies kCount floats; the compiler does it in registers.
template <std::int64_t kCount>
inline void copy_fixed(const float* from, float* to) noexcept {
  std::memcpy(to, from, kCount * sizeof(float));
}

/// Copies `count` floats and returns the end of the copy.
[[gnu::noinline]] inline float* copy_floats(const float* from, std::int64_t count, float* to) noexcept {
  if (count >= kLongCopy) return std::copy_n(from, count, to);
  auto left = static_cast<std::ptrdiff_t>(count);
  for (; left >= 16; left -= 16, from += 16, to += 16) copy_fixed<16>(from, to);
  for (; left >= 4; left -= 4, from += 4, to += 4) {
    copy_fixed<4>(from, to);
    CONV2D_OPAQUE(to);  // otherwise the compiler replaces the loop by a call
  }
  if (left & 2) {
    copy_fixed<2>(from, to);
    from += 2;
    to += 2;
  }
  if (left & 1) *to++ = *from;
  return to;
}

/// Writes `count` zeros and returns their end.
[[gnu::noinline]] inline float* zero_floats(std::int64_t count, float* to) noexcept {
  if (count >= kLongCopy) return std::fill_n(to, count, 0.0F);
  constexpr float kZeros[4] = {};
  auto left = static_cast<std::ptrdiff_t>(count);
  for (; left >= 4; left -= 4, to += 4) {
    copy_fixed<4>(kZeros, to);
    CONV2D_OPAQUE(to);
  }
  if (left & 2) {
    copy_fixed<2>(kZeros, to);
    to += 2;
  }
  if (left & 1) *to++ = 0.0F;
  return to;
}

/// `rows` times: kCount floats from `from`, which then advances by from_step, to `to`, which advances by to_step.
template <std::int64_t kCount>
inline void copy_lanes_fixed(std::int64_t rows, const float* from, std::int64_t from_step, float* to,
                             std::int64_t to_step) noexcept {
  for (std::int64_t r = 0; r < rows; ++r) {
    copy_fixed<kCount>(from, to);
    from += from_step;
    to += to_step;
  }
}

/// The same with `count` known at run time only. The widths of the panels have their own loops, in which a copy is one
/// or two moves instead of a call to memmove: without them packing the rows of dy took 40 % of backward_weights.
[[gnu::noinline]] inline void copy_lanes(std::int64_t count, std::int64_t rows, const float* from,
                                         std::int64_t from_step, float* to, std::int64_t to_step) noexcept {
  switch (count) {
    case 1:
      return copy_lanes_fixed<1>(rows, from, from_step, to, to_step);
    case 2:
      return copy_lanes_fixed<2>(rows, from, from_step, to, to_step);
    case 3:
      return copy_lanes_fixed<3>(rows, from, from_step, to, to_step);
    case 4:
      return copy_lanes_fixed<4>(rows, from, from_step, to, to_step);
    case 6:
      return copy_lanes_fixed<6>(rows, from, from_step, to, to_step);
    case 8:
      return copy_lanes_fixed<8>(rows, from, from_step, to, to_step);
#if !defined(__wasm__)  // the rows of AVX-512 tiles
    case 9:
      return copy_lanes_fixed<9>(rows, from, from_step, to, to_step);
    case 10:
      return copy_lanes_fixed<10>(rows, from, from_step, to, to_step);
    case 11:
      return copy_lanes_fixed<11>(rows, from, from_step, to, to_step);
#endif
    case 12:
      return copy_lanes_fixed<12>(rows, from, from_step, to, to_step);
    case 16:
      return copy_lanes_fixed<16>(rows, from, from_step, to, to_step);
    case 32:
      return copy_lanes_fixed<32>(rows, from, from_step, to, to_step);
    default:
      break;
  }
  for (std::int64_t r = 0; r < rows; ++r) copy_floats(from + r * from_step, count, to + r * to_step);
}

/// `rows` times: `count` zeros at `to`, which then advances by to_step.
inline void zero_lanes(std::int64_t count, std::int64_t rows, float* to, std::int64_t to_step) noexcept {
  if (count == 0) return;
  for (std::int64_t r = 0; r < rows; ++r) zero_floats(count, to + r * to_step);
}

}  // namespace conv2d
