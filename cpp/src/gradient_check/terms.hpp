#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "base/strided_view.hpp"
#include "check/check.hpp"
#include "conv2d/conv_desc.hpp"
#include "conv2d_teach/gradient_check.hpp"
#include "desc/windows.hpp"

/// The terms of a loss, the outputs that depend on one element of a parameter, and the computation of a single output.
namespace conv2d {

/// A libm function in double, rounded to T. The float versions are avoided: they would add to the first download.
template <class T>
T rounded(double (*function)(double), T value) noexcept {
  return static_cast<T>(function(static_cast<double>(value)));
}

/// The term of one element of y in the loss, before the loss's division. `other` is the element of dy or target.
template <class T>
T loss_term(Loss loss, T y, T other) noexcept {
  if (loss == Loss::linear) return y * other;
  const T error = y - other;
  if (loss == Loss::mse) return error * error;
  // log(cosh(e)) without overflow. Uses expm1, which tanh needs anyway: exp would add an incompressible table of 2 kB
  // to the download.
  const T magnitude = std::abs(error);
  const auto softened = [](double twice) { return std::log1p(std::expm1(twice) + 1); };
  return magnitude + rounded(softened, T(-2) * magnitude) - std::numbers::ln2_v<T>;
}

/// The loss, from the sum of its terms over `count` elements.
template <class T>
T loss_of_sum(Loss loss, T sum, std::size_t count) noexcept {
  if (loss == Loss::linear || count == 0) return sum;
  return sum / static_cast<T>(loss == Loss::mse ? 2 * count : count);
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

/// Calls visit(n, i, j, k) for every output that depends on element `index` (flat, in its layout's order) of
/// `parameter`.
template <class Visit>
void for_each_dependent_output(const Geometry& g, Parameter parameter, std::int64_t index, Visit visit) noexcept {
  CONV2D_DCHECK(index >= 0);
  CONV2D_DCHECK(index < (parameter == Parameter::b ? g.k : parameter == Parameter::w ? g.w_size : g.x_size));
  if (parameter == Parameter::b) {
    for_each_position({0, g.n * g.oh * g.ow}, g.oh, g.ow,
                      [&](std::int64_t n, std::int64_t i, std::int64_t j) { visit(n, i, j, index); });
    return;
  }
  if (parameter == Parameter::w) {
    const auto w = w_view<const float>(nullptr, g);
    const std::int64_t k = index / w.stride_3 % g.k;
    const std::int64_t q = index / w.stride_1 % g.kw;
    const std::int64_t p = index / w.stride_0 % g.kh;
    const Range rows = inside(g.oh, g.stride_h, p * g.dilation_h - g.padding.top, g.h);
    const Range cols = inside(g.ow, g.stride_w, q * g.dilation_w - g.padding.left, g.w);
    for (std::int64_t n = 0; n < g.n; ++n) {
      for (std::int64_t i = rows.begin; i < rows.end; ++i) {
        for (std::int64_t j = cols.begin; j < cols.end; ++j) visit(n, i, j, k);
      }
    }
    return;
  }
  const auto [n, row, col, c] = position_in_x(g, index);
  const std::int64_t first_k = c / g.group_c * g.group_k;
  for (std::int64_t p = 0; p < g.kh; ++p) {
    const std::int64_t i = window_at(row + g.padding.top, p * g.dilation_h, g.stride_h, g.oh);
    if (i < 0) continue;
    for (std::int64_t q = 0; q < g.kw; ++q) {
      const std::int64_t j = window_at(col + g.padding.left, q * g.dilation_w, g.stride_w, g.ow);
      if (j < 0) continue;
      for (std::int64_t k = first_k; k < first_k + g.group_k; ++k) visit(n, i, j, k);
    }
  }
}

/// y[n, i, j, k], with the same bits as reference::forward: a sum in double over p, q, c, rounded to T.
template <class T>
T output_at(const Geometry& g, const GradientCheckInputs<T>& in, std::int64_t n, std::int64_t i, std::int64_t j,
            std::int64_t k) noexcept {
  const auto x = x_view(in.x.data(), g);
  const auto w = w_view(in.w.data(), g);
  const std::int64_t first_c = k / g.group_k * g.group_c;
  const Range rows = row_taps(g, i);
  const Range cols = column_taps(g, j);
  double sum = in.b.empty() ? 0.0 : static_cast<double>(in.b[static_cast<std::size_t>(k)]);
  for (std::int64_t p = rows.begin; p < rows.end; ++p) {
    for (std::int64_t q = cols.begin; q < cols.end; ++q) {
      for (std::int64_t c = 0; c < g.group_c; ++c) {
        sum += static_cast<double>(x(n, x_row(g, i, p), x_column(g, j, q), first_c + c)) *
               static_cast<double>(w(p, q, c, k));
      }
    }
  }
  return static_cast<T>(sum);
}

}  // namespace conv2d
