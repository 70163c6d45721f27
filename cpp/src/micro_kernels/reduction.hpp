#pragma once

#include <cstddef>

#include "simd/batch.hpp"

/// How the micro-kernels unroll their reductions. Plain unrolling is slow in WebAssembly: LLVM moves all loads ahead of
/// their multiply-adds, V8 keeps that order, runs out of registers and spills sums (31 to 38 GFLOP/s in Chromium 156).
/// Here every step ends with a test for the last step, which keeps the steps apart and costs one instruction. Moving
/// the addresses and V8's interrupt check cost ten. A tile of 6 x 2 registers that is not unrolled has 33 instructions
/// for 12 multiply-adds and reaches 49 GFLOP/s, but 30 when another thread shares the core and takes half of its issue
/// slots; unrolled it has 24 instructions and reaches 50 and 41.
namespace conv2d::micro_kernels {

/// The number of steps after the last advance() of reduce<kSteps> for `count` >= 1 steps: 1 .. kSteps. Like every
/// function that the kernels call, it is always inlined or a template over Arch: otherwise one copy, compiled for one
/// instruction set, could serve another.
template <int kSteps>
[[gnu::always_inline]] constexpr std::ptrdiff_t steps_left(std::ptrdiff_t count) noexcept {
  return (count - 1) % kSteps + 1;
}

/// Calls step(u) `count` >= 1 times, with u = 0 .. kSteps - 1 as a constant, and advance() before u starts from 0
/// again.
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
