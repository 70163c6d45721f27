#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

/// Copies of a few floats at a time, many times: what packing into panels consists of.
namespace conv2d {

/// `rows` times: kCount floats from `from`, which then advances by from_step, to `to`, which advances by to_step.
template <std::int64_t kCount>
inline void copy_lanes_fixed(std::int64_t rows, const float* from, std::int64_t from_step, float* to,
                             std::int64_t to_step) noexcept {
  for (std::int64_t r = 0; r < rows; ++r) {
    std::memcpy(to, from, kCount * sizeof(float));
    from += from_step;
    to += to_step;
  }
}

/// The same with `count` known at run time only. The widths of the panels have loops of their own, in which a copy is
/// one or two moves instead of a call to memmove: packing the rows of dy took 40 % of backward_weights without.
inline void copy_lanes(std::int64_t count, std::int64_t rows, const float* from, std::int64_t from_step, float* to,
                       std::int64_t to_step) noexcept {
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
    case 12:
      return copy_lanes_fixed<12>(rows, from, from_step, to, to_step);
    case 16:
      return copy_lanes_fixed<16>(rows, from, from_step, to, to_step);
    case 32:
      return copy_lanes_fixed<32>(rows, from, from_step, to, to_step);
    default:
      break;
  }
  for (std::int64_t r = 0; r < rows; ++r) std::copy_n(from + r * from_step, count, to + r * to_step);
}

/// `rows` times: `count` zeros at `to`, which then advances by to_step.
inline void zero_lanes(std::int64_t count, std::int64_t rows, float* to, std::int64_t to_step) noexcept {
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t i = 0; i < count; ++i) to[r * to_step + i] = 0.0F;
  }
}

/// Runs shorter than this are copied in loops: in WebAssembly memory.copy and memory.fill are calls out of the module.
/// The length from which such a call pays was not measured.
inline constexpr std::int64_t kLongRun = 256;

/// Copies `count` floats and returns the end of the copy.
inline float* copy_run(const float* from, std::int64_t count, float* to) noexcept {
  if (count >= kLongRun) return std::copy_n(from, count, to);
  float* const end = to + count;
  for (; end - to >= 4; to += 4, from += 4) {
    std::memcpy(to, from, 4 * sizeof(float));
    asm volatile("" : "+r"(to));  // or the compiler makes one call of the loop again
  }
  for (; to < end; ++to, ++from) {
    *to = *from;
    asm volatile("" : "+r"(to));
  }
  return end;
}

/// Writes `count` zeros and returns their end.
inline float* zero_run(std::int64_t count, float* to) noexcept {
  if (count >= kLongRun) return std::fill_n(to, count, 0.0F);
  constexpr float kZeros[4] = {};
  float* const end = to + count;
  for (; end - to >= 4; to += 4) {
    std::memcpy(to, kZeros, sizeof(kZeros));
    asm volatile("" : "+r"(to));
  }
  for (; to < end; ++to) {
    *to = 0.0F;
    asm volatile("" : "+r"(to));
  }
  return end;
}

}  // namespace conv2d
