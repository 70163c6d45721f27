#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/strided_view.hpp"
#include "conv2d/conv_desc.hpp"
#include "conv2d_teach/gradient_check.hpp"
#include "dcheck/dcheck.hpp"
#include "desc/windows.hpp"
#include "gradient_check/loss_entry.hpp"

/// The terms of a loss, the outputs that depend on one element of a parameter, and the computation of a single output:
/// its sum has the bits of reference::forward before they are rounded to T.
namespace conv2d {

/// The term of one element of y in a loss, before the loss's division. `other` is the element of dy or target, and
/// `entry` null for Loss::linear.
template <class T>
T loss_term(const LossEntry* entry, T y, T other) noexcept {
  return entry ? entry->term<T>(y - other) : y * other;
}

/// The loss, from the sum of its terms over `count` elements.
template <class T>
T loss_of_sum(const LossEntry* entry, T sum, std::size_t count) noexcept {
  if (!entry || count == 0) return sum;
  return sum / static_cast<T>(static_cast<std::size_t>(entry->divisor) * count);
}

/// The derivatives of a term by y, before the loss's division.
struct LossSlope {
  double slope = 0;
  double curvature = 0;  ///< its largest value
};

inline LossSlope loss_slope(const LossEntry* entry, double y, double other) noexcept {
  if (!entry) return {.slope = other};
  return {.slope = entry->slope(y - other), .curvature = loss_checks_of(entry->loss).curvature};
}

/// Pairwise sum of term(begin) ... term(end - 1): the rounding error grows with the logarithm of the count, as in deep-
/// learning frameworks, and not with the count.
template <class T, class Term>
T pairwise_sum(std::size_t begin, std::size_t end, const Term& term) noexcept {
  constexpr std::size_t kLanes = 8;  // independent chains of additions, to hide their latency
  constexpr std::size_t kLeaf = 16 * kLanes;
  if (end - begin > kLeaf) {
    const std::size_t middle = begin + (end - begin) / 2;
    return pairwise_sum<T>(begin, middle, term) + pairwise_sum<T>(middle, end, term);
  }
  T lanes[kLanes] = {};
  std::size_t t = begin;
  for (; t + kLanes <= end; t += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += term(t + lane);
  }
  for (std::size_t lane = 0; t < end; ++t, ++lane) lanes[lane] += term(t);
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/// A function of the position of an output, as a reference: the loops over outputs are compiled once.
struct OutputVisit {
  void* state;
  void (*call)(void* state, std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k);

  void operator()(std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) const { call(state, n, i, j, k); }
};

/// Calls visit(n, i, j, k) for every output that depends on element `index` (flat, in its layout's order) of
/// `parameter`.
void visit_dependent_outputs(const Geometry& g, Parameter parameter, std::int64_t index, OutputVisit visit) noexcept;

template <class Visit>
void for_each_dependent_output(const Geometry& g, Parameter parameter, std::int64_t index, Visit visit) noexcept {
  visit_dependent_outputs(g, parameter, index,
                          {&visit, [](void* state, std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) {
                             (*static_cast<Visit*>(state))(n, i, j, k);
                           }});
}

/// Visits the pairs of cells that y[n, i, j, k] multiplies, over p, q, c.
template <class T, class Visit>
void for_each_product(const Geometry& g, const GradientCheckInputs<T>& in, std::int64_t n, std::int64_t i,
                      std::int64_t j, std::int64_t k, Visit visit) noexcept {
  const auto x = x_view(in.x.data(), g);
  const auto w = w_view(in.w.data(), g);
  const std::int64_t first_c = k / g.group_k * g.group_c;
  const Range rows = row_taps(g, i);
  const Range cols = column_taps(g, j);
  for (std::int64_t p = rows.begin; p < rows.end; ++p) {
    for (std::int64_t q = cols.begin; q < cols.end; ++q) {
      for (std::int64_t c = 0; c < g.group_c; ++c) {
        visit(x(n, x_row(g, i, p), x_column(g, j, q), first_c + c), w(p, q, c, k));
      }
    }
  }
}

/// y[n, i, j, k] as a sum in double over p, q, c, and the sum of |products|.
struct Output {
  double sum = 0, magnitude = 0;
};

template <class T>
Output output_at(const Geometry& g, const GradientCheckInputs<T>& in, std::int64_t n, std::int64_t i, std::int64_t j,
                 std::int64_t k) noexcept {
  Output output{.sum = in.b.empty() ? 0.0 : static_cast<double>(in.b[static_cast<std::size_t>(k)])};
  output.magnitude = std::abs(output.sum);
  for_each_product(g, in, n, i, j, k, [&](T x, T w) {
    const double product = static_cast<double>(x) * static_cast<double>(w);
    output.sum += product;
    output.magnitude += std::abs(product);
  });
  return output;
}

}  // namespace conv2d
