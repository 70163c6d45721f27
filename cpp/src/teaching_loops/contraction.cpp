#include "teaching_loops/contraction.hpp"

#include <algorithm>

#include "dcheck/dcheck.hpp"

namespace conv2d::teaching_loops {
namespace {

/// The number of loads and stores of an inner loop over the axis that are not contiguous.
int scattered(const ContractionAxis& axis) noexcept {
  const auto is_scattered = [](std::int64_t stride) { return stride == 0 || stride == 1 ? 0 : 1; };
  return is_scattered(axis.a) + is_scattered(axis.b) + is_scattered(axis.out);
}

/// How unfit an axis is for the innermost loop: non-contiguous memory, and very few iterations.
int unfitness(const ContractionAxis& axis) noexcept {
  return scattered(axis) + (axis.extent < 4 ? 2 : axis.extent < 8 ? 1 : 0);
}

/// True when `l` is an outer loop of `r`: its steps through `out` are longer.
bool is_outer(const ContractionAxis& l, const ContractionAxis& r) noexcept {
  if (l.out != r.out) return l.out > r.out;
  return l.a != r.a ? l.a > r.a : l.b > r.b;
}

/// The innermost two loops, for each form of the inner one: products summed to one element, one factor for a row of
/// elements, and a row times a row (depthwise).
void contract_rows(const ContractionAxis& outer, const ContractionAxis& inner, const float* a, const float* b,
                   float* out) noexcept {
  const auto for_each_row = [&](auto contract_row) {
    for (std::int64_t t = 0; t < outer.extent; ++t) {
      contract_row(a + t * outer.a, b + t * outer.b, out + t * outer.out);
    }
  };
  if (inner.out == 0) {
    for_each_row([&](const float* a_row, const float* b_row, float* out_row) {
      *out_row += dot(inner.extent, a_row, inner.a, b_row, inner.b);
    });
  } else if (inner.a == 0) {
    for_each_row([&](const float* a_row, const float* b_row, float* out_row) {
      add_scaled(inner.extent, *a_row, b_row, inner.b, out_row, inner.out);
    });
  } else if (inner.b == 0) {
    for_each_row([&](const float* a_row, const float* b_row, float* out_row) {
      add_scaled(inner.extent, *b_row, a_row, inner.a, out_row, inner.out);
    });
  } else if (inner.a == 1 && inner.b == 1 && inner.out == 1) {
    for_each_row([&](const float* a_row, const float* b_row, float* out_row) {
      for (std::int64_t t = 0; t < inner.extent; ++t) out_row[t] += a_row[t] * b_row[t];
    });
  } else {
    for_each_row([&](const float* a_row, const float* b_row, float* out_row) {
      for (std::int64_t t = 0; t < inner.extent; ++t) {
        out_row[t * inner.out] += a_row[t * inner.a] * b_row[t * inner.b];
      }
    });
  }
}

}  // namespace

Contraction::Contraction(std::initializer_list<ContractionAxis> axes) noexcept {
  CONV2D_DCHECK(axes.size() <= axes_.size());
  for (const ContractionAxis& axis : axes) {
    empty_ = empty_ || axis.extent <= 0;
    if (axis.extent > 1) axes_[count_++] = axis;
  }
  // Loop over `out` in memory order, with the sums innermost ...
  const auto begin = axes_.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(count_);
  // (Insertion sort: there are at most eight axes, and std::sort would be the largest function of the module.)
  for (auto axis = begin; axis != end; ++axis) {
    std::rotate(std::find_if(begin, axis, [&](const ContractionAxis& placed) { return is_outer(*axis, placed); }), axis,
                axis + 1);
  }
  // ... except for one axis: the most contiguous one (the last of equals) becomes the inner loop when that is faster. A
  // row of `out` then stays in the cache for all its additions.
  const auto first_sum = std::find_if(begin, end, [](const ContractionAxis& axis) { return axis.out == 0; });
  if (first_sum != begin && first_sum != end) {
    auto row = first_sum - 1;
    for (auto axis = row; axis != begin;) {
      if (unfitness(*--axis) < unfitness(*row)) row = axis;
    }
    if (unfitness(*row) <= unfitness(*(end - 1))) std::rotate(row, row + 1, end);
  }
  // contract_rows needs two axes; an axis of one element changes nothing.
  if (count_ < 2) {
    std::rotate(begin, axes_.begin() + 1, axes_.begin() + 2);
    count_ = 2;
  }
}

double Contraction::cycles_per_mac(const cost::Loops& c) const noexcept {
  const ContractionAxis& inner = axes_[count_ - 1];
  return c.element + c.scattered * scattered(inner) + c.innermost / static_cast<double>(inner.extent);
}

bool Contraction::run_axis(std::size_t level, const float* a, const float* b, float* out,
                           Progress& progress) const noexcept {
  const ContractionAxis& axis = axes_[level];
  if (level + 2 == count_) {
    contract_rows(axis, axes_[level + 1], a, b, out);
    return progress.advance(axis.extent * axes_[level + 1].extent);
  }
  for (std::int64_t t = 0; t < axis.extent; ++t) {
    if (!run_axis(level + 1, a + t * axis.a, b + t * axis.b, out + t * axis.out, progress)) return false;
  }
  return true;
}

}  // namespace conv2d::teaching_loops
