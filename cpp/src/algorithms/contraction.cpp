#include "algorithms/contraction.hpp"

#include <algorithm>
#include <tuple>

namespace conv2d::algorithm {
namespace {

/// The innermost loop, in the shapes that occur: products that go to one cell, one factor for a row of cells, and a row
/// times a row (depthwise).
void contract_row(const ContractionAxis& axis, const float* a, const float* b, float* out) noexcept {
  if (axis.out == 0) {
    *out += dot(axis.extent, a, axis.a, b, axis.b);
  } else if (axis.a == 0) {
    add_scaled(axis.extent, *a, b, axis.b, out, axis.out);
  } else if (axis.b == 0) {
    add_scaled(axis.extent, *b, a, axis.a, out, axis.out);
  } else if (axis.a == 1 && axis.b == 1 && axis.out == 1) {
    for (std::int64_t t = 0; t < axis.extent; ++t) out[t] += a[t] * b[t];
  } else {
    for (std::int64_t t = 0; t < axis.extent; ++t) out[t * axis.out] += a[t * axis.a] * b[t * axis.b];
  }
}

}  // namespace

Contraction::Contraction(std::initializer_list<ContractionAxis> axes) noexcept {
  for (const ContractionAxis& axis : axes) {
    empty_ = empty_ || axis.extent <= 0;
    if (axis.extent > 1) axes_[static_cast<std::size_t>(count_++)] = axis;
  }
  if (count_ == 0) axes_[static_cast<std::size_t>(count_++)] = ContractionAxis{};
  // Walk `out` in memory order, and sum within its last axis but one, so that the last stays the innermost loop and a
  // row of `out` stays in the cache while everything is added to it.
  const auto begin = axes_.begin();
  const auto end = begin + count_;
  std::sort(begin, end, [](const ContractionAxis& l, const ContractionAxis& r) {
    return std::tie(l.out, l.a, l.b) > std::tie(r.out, r.a, r.b);
  });
  const auto first_sum = std::find_if(begin, end, [](const ContractionAxis& axis) { return axis.out == 0; });
  if (first_sum != begin && first_sum != end) std::rotate(first_sum - 1, first_sum, end);
}

bool Contraction::run_axis(int level, const float* a, const float* b, float* out, Progress& progress) const noexcept {
  const auto index = static_cast<std::size_t>(level);
  const ContractionAxis& axis = axes_[index];
  if (level + 1 == count_) {
    contract_row(axis, a, b, out);
    return progress.advance(axis.extent);
  }
  for (std::int64_t t = 0; t < axis.extent; ++t) {
    const float* a_t = a + t * axis.a;
    const float* b_t = b + t * axis.b;
    if (!run_axis(level + 1, a_t, b_t, out + t * axis.out, progress)) return false;
  }
  return true;
}

}  // namespace conv2d::algorithm
