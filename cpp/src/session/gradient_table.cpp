#include "session/gradient_table.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "session/converted.hpp"

namespace conv2d::session {
namespace {

constexpr std::size_t kRows = 9;

template <class T>
CheckSummary fill(const Geometry& g, const CheckTensors& tensors, const CheckOptions& options,
                  std::span<const std::int64_t> indices, Buffer<double>& table) {
  Converted<T> x, w, b, dy, target, gradient;
  for (Status status :
       {x.assign(tensors.x, "x"), w.assign(tensors.w, "w"), b.assign(tensors.b, "b"), dy.assign(tensors.dy, "dy"),
        target.assign(tensors.target, "target"), gradient.assign(tensors.gradient, "gradient")}) {
    if (!status.ok()) return {.status = std::move(status)};
  }
  const GradientCheckInputs<T> inputs{.x = x.view(),
                                      .w = w.view(),
                                      .b = b.view(),
                                      .dy = dy.view(),
                                      .target = target.view(),
                                      .gradient = gradient.view(),
                                      .gradient_precision = static_cast<double>(std::numeric_limits<float>::epsilon())};
  const auto checked =
      gradient_check<T>(g, options.loss, options.parameter, inputs, static_cast<T>(options.epsilon), indices);
  if (!checked.ok()) return {.status = checked.status()};
  const std::vector<GradientCheckCell<T>>& cells = *checked;
  const std::size_t count = cells.size();
  CheckSummary summary{.status = table.reserve(static_cast<std::int64_t>(count * kRows), "cells"),
                       .cells = static_cast<std::int64_t>(count)};
  if (!summary.status.ok()) return summary;
  const std::span<double> out = table.span();
  for (std::size_t i = 0; i < count; ++i) {
    const GradientCheckCell<T>& cell = cells[i];
    const std::array<double, kRows> column{static_cast<double>(cell.index),
                                           static_cast<double>(cell.loss_plus),
                                           static_cast<double>(cell.loss_minus),
                                           static_cast<double>(cell.analytic),
                                           static_cast<double>(cell.numeric),
                                           cell.absolute_error,
                                           cell.relative_error,
                                           cell.rounding,
                                           static_cast<double>(cell.verdict)};
    for (std::size_t row = 0; row < kRows; ++row) out[row * count + i] = column[row];
    summary.max_absolute_error = larger(summary.max_absolute_error, cell.absolute_error);
    summary.verdict = std::max(summary.verdict, static_cast<std::int64_t>(cell.verdict));
    if (cell.verdict == GradientVerdict::within_rounding) continue;
    summary.max_relative_error = larger(summary.max_relative_error, cell.relative_error);
  }
  return summary;
}

}  // namespace

CheckSummary fill_gradient_table(const Geometry& g, const CheckTensors& tensors, const CheckOptions& options,
                                 std::span<const std::int64_t> indices, Buffer<double>& table) {
  return options.float64 ? fill<double>(g, tensors, options, indices, table)
                         : fill<float>(g, tensors, options, indices, table);
}

}  // namespace conv2d::session
