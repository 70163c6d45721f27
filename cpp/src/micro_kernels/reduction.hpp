#pragma once

#include <cstddef>

#include "simd/constant.hpp"

/// How the micro-kernels unroll their reductions. Steps of straight-line code would not do: LLVM moves the loads of all
/// ahead of their multiply-adds, and V8, which keeps that order, runs out of registers and spills sums (31 to 38
/// GFLOP/s in Chromium 156). Here every step ends in a test whether it was the last one, which keeps them apart and
/// costs one instruction; moving the addresses and V8's look for interrupts cost ten. Not unrolled, a tile of 6 x 2
/// registers has 33 instructions for 12 multiply-adds and reaches 49 GFLOP/s, but 30 where another thread shares the
/// core and takes half of what it can begin per cycle; unrolled, 24 instructions, 50 and 41.
namespace conv2d::micro_kernels {

/// Of `count` >= 1 steps, those after the last advance() of reduce<kSteps>: 1 .. kSteps. Like every function that the
/// kernels call, always inlined or a template over Arch: a copy that was compiled for one instruction set could
/// otherwise serve another.
template <int kSteps>
[[gnu::always_inline]] constexpr std::ptrdiff_t steps_left(std::ptrdiff_t count) noexcept {
  return (count - 1) % kSteps + 1;
}

/// Calls step(u) `count` >= 1 times, u = 0 .. kSteps - 1 as a constant and then, after advance(), from 0 again.
template <int kSteps, class Step, class Advance>
[[gnu::always_inline]] inline void reduce(std::ptrdiff_t count, Step step, Advance advance) noexcept {
  static_assert(kSteps >= 2 && kSteps <= 4);
  for (;;) {
    step(simd::Constant<0>());
    if (count == 1) return;
    step(simd::Constant<1>());
    if constexpr (kSteps > 2) {
      if (count == 2) return;
      step(simd::Constant<2>());
    }
    if constexpr (kSteps > 3) {
      if (count == 3) return;
      step(simd::Constant<3>());
    }
    if (count <= kSteps) return;
    count -= kSteps;
    advance();
  }
}

}  // namespace conv2d::micro_kernels
