#pragma once

#include <utility>

#include "kernels/operations.hpp"
#include "simd/batch.hpp"

/// Included by the files that define the Operations of one instruction set.
namespace conv2d::test {

template <class Arch, int kCount>
void sums_of(const float* registers, float* to) {
  simd::Floats<Arch> values[kCount];
  for (int i = 0; i < kCount; ++i) values[i] = simd::load<Arch>(registers + i * simd::kLanes<Arch>);
  simd::sums<Arch, kCount>(values, to);
}

template <class Arch, std::size_t... kIndex>
constexpr void add_sums(Operations& operations, std::index_sequence<kIndex...>) {
  ((operations.sums[kIndex] = sums_of<Arch, kIndex + 1>), ...);
}

template <class Arch>
constexpr Operations make_operations() {
  using namespace simd;
  Operations operations{
      .lanes = kLanes<Arch>,
      .copy = [](const float* from, float* to) { simd::store<Arch>(to, simd::load<Arch>(from)); },
      .broadcast = [](float value, float* to) { simd::store<Arch>(to, simd::broadcast<Arch>(value)); },
      .add = [](const float* a, const float* b,
                float* to) { simd::store<Arch>(to, simd::load<Arch>(a) + simd::load<Arch>(b)); },
      .subtract = [](const float* a, const float* b,
                     float* to) { simd::store<Arch>(to, simd::load<Arch>(a) - simd::load<Arch>(b)); },
      .multiply = [](const float* a, const float* b,
                     float* to) { simd::store<Arch>(to, simd::load<Arch>(a) * simd::load<Arch>(b)); },
      .divide = [](const float* a, const float* b,
                   float* to) { simd::store<Arch>(to, quotient<Arch>(simd::load<Arch>(a), simd::load<Arch>(b))); },
      .greater_or_nan =
          [](const float* a, const float* a_where, const float* b, const float* b_where, float* to, float* where) {
            const auto chosen = simd::greater_or_nan<Arch>({simd::load<Arch>(a), simd::load<Arch>(a_where)},
                                                           {simd::load<Arch>(b), simd::load<Arch>(b_where)});
            simd::store<Arch>(to, chosen.value);
            simd::store<Arch>(where, chosen.where);
          },
      .clamped =
          [](const float* values, float lowest, float highest, float* to) {
            simd::store<Arch>(to, simd::clamped<Arch>(simd::load<Arch>(values), simd::broadcast<Arch>(lowest),
                                                      simd::broadcast<Arch>(highest)));
          },
      .multiply_add =
          [](const float* a, const float* b, const float* c, float* to) {
            simd::store<Arch>(to,
                              simd::multiply_add<Arch>(simd::load<Arch>(a), simd::load<Arch>(b), simd::load<Arch>(c)));
          },
      .copy_first = simd::copy_first<Arch>};
  add_sums<Arch>(operations, std::make_index_sequence<kMostSums>{});
  return operations;
}

}  // namespace conv2d::test
