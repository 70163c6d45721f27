#pragma once

#include "compiler/compiler.hpp"

/// Four floats as a vector type of the compiler, which has an instruction for each of the shuffles on every target. No
/// function here has external linkage: the linker could keep code of one instruction set for all.
namespace conv2d {

#if CONV2D_GNU_LANGUAGE

using Four [[gnu::vector_size(16)]] = float;

/// Lane by lane a where `mask`, a comparison of two Four, holds, else b.
template <class Mask>
[[gnu::always_inline]] inline Four choose(Mask mask, Four a, Four b) noexcept {
  return mask ? a : b;
}

/// The lanes kFrom: 0 to 3 are those of a, 4 to 7 those of b.
template <int... kFrom>
[[gnu::always_inline]] inline Four pick(Four a, Four b) noexcept {
#if defined(__clang__)
  return __builtin_shufflevector(a, b, kFrom...);
#else
  using Indices [[gnu::vector_size(16)]] = int;
  return __builtin_shuffle(a, b, Indices{kFrom...});
#endif
}

#else

struct Four {
  float lane[4];
};
struct FourMask {
  bool lane[4];
};

template <class Result, class A, class Operation>
static inline Result each_lane(const A& a, const A& b, const Operation& operation) noexcept {
  Result result{};
  for (int i = 0; i < 4; ++i) result.lane[i] = operation(a.lane[i], b.lane[i]);
  return result;
}
static inline Four operator+(Four a, Four b) noexcept {
  return each_lane<Four>(a, b, [](float x, float y) { return x + y; });
}
static inline Four operator-(Four a, Four b) noexcept {
  return each_lane<Four>(a, b, [](float x, float y) { return x - y; });
}
static inline Four operator*(Four a, Four b) noexcept {
  return each_lane<Four>(a, b, [](float x, float y) { return x * y; });
}
static inline Four operator/(Four a, Four b) noexcept {
  return each_lane<Four>(a, b, [](float x, float y) { return x / y; });
}
static inline FourMask operator>(Four a, Four b) noexcept {
  return each_lane<FourMask>(a, b, [](float x, float y) { return x > y; });
}
static inline FourMask operator>=(Four a, Four b) noexcept {
  return each_lane<FourMask>(a, b, [](float x, float y) { return x >= y; });
}
static inline FourMask operator!=(Four a, Four b) noexcept {
  return each_lane<FourMask>(a, b, [](float x, float y) { return x != y; });
}
static inline FourMask operator|(FourMask a, FourMask b) noexcept {
  return each_lane<FourMask>(a, b, [](bool x, bool y) { return x || y; });
}

static inline Four choose(FourMask mask, Four a, Four b) noexcept {
  for (int i = 0; i < 4; ++i) b.lane[i] = mask.lane[i] ? a.lane[i] : b.lane[i];
  return b;
}

template <int... kFrom>
static inline Four pick(Four a, Four b) noexcept {
  return {{(kFrom < 4 ? a.lane[kFrom % 4] : b.lane[kFrom % 4])...}};
}

#endif

}  // namespace conv2d
