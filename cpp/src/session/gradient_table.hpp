#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "conv2d_teach/gradient_check.hpp"
#include "session/buffer.hpp"

/// Gradient checks as tables, of one convolution and of a chain.
namespace conv2d::session {

/// Inputs of a gradient check, in float.
using CheckTensors = GradientCheckInputs<float>;

struct CheckOptions {
  Loss loss = Loss::linear;
  Parameter parameter = Parameter::x;
  bool float64 = false;  ///< all arithmetic in double, on the float32 values
  double epsilon = 0;
};

/// The largest errors of a check; NaN if any is NaN. max_relative_error ignores cells within rounding, at a kink and at
/// a tie; of a chain, max_absolute_error does, too.
struct CheckSummary {
  Status status;
  std::int64_t cells = 0;
  double max_absolute_error = 0, max_relative_error = 0;
  /// The worst GradientVerdict: wrong, then undecided, not_at_this_step, at_tie, at_kink, within_rounding, confirmed.
  std::int64_t verdict = 0;
};

/// Runs gradient_check and writes a table with one column per checked cell and 10 rows, in this order: index,
/// loss_plus, loss_minus, analytic, numeric, absolute_error, relative_error, rounding, truncation, verdict. Errors:
/// those of gradient_check, out_of_memory.
CheckSummary fill_gradient_table(const Geometry& g, const CheckTensors& tensors, const CheckOptions& options,
                                 std::span<const std::int64_t> indices, Buffer<double>& table);

/// A float tensor as T: a view, or a copy converted to double.
template <class T>
class Converted {
 public:
  Status assign(std::span<const float> values, std::string_view name) {
    if constexpr (std::is_same_v<T, float>) {
      view_ = values;
      return {};
    } else {
      Status status = copy_.reserve(static_cast<std::int64_t>(values.size()), name);
      if (status.ok()) {
        std::ranges::copy(values, copy_.span().begin());
        view_ = copy_.span();
      }
      return status;
    }
  }

  [[nodiscard]] std::span<const T> view() const noexcept { return view_; }

 private:
  Buffer<T> copy_;
  std::span<const T> view_;
};

/// Writes the cells as the columns of a table, with 7 more rows for those of a chain: kink_layer, kink_cell,
/// kink_at_value (0 or 1), winner_above, winner_below, slope_above, slope_below.
template <class Cell>
CheckSummary write_table(const std::vector<Cell>& cells, Buffer<double>& table) {
  constexpr bool kOfChain = requires(const Cell& cell) { cell.kink_layer; };
  static constexpr int kRank[]{0, 1, 4, 6, 2, 3, 5};  // by GradientVerdict, from best to worst
  const auto rank = [](GradientVerdict verdict) { return kRank[static_cast<int>(verdict)]; };
  const auto larger = [](double so_far, double error) {
    return std::isnan(so_far) || error <= so_far ? so_far : error;
  };
  const std::size_t count = cells.size();
  CheckSummary summary{.status = table.reserve(static_cast<std::int64_t>(count * (kOfChain ? 17 : 10)), "cells"),
                       .cells = static_cast<std::int64_t>(count)};
  if (!summary.status.ok()) return summary;
  const std::span<double> out = table.span();
  GradientVerdict worst = GradientVerdict::confirmed;
  for (std::size_t i = 0; i < count; ++i) {
    const Cell& cell = cells[i];
    std::size_t row = 0;
    const auto add = [&](auto... values) { ((out[row++ * count + i] = static_cast<double>(values)), ...); };
    add(cell.index, cell.loss_plus, cell.loss_minus, cell.analytic, cell.numeric, cell.absolute_error,
        cell.relative_error, cell.rounding, cell.truncation, cell.verdict);
    if constexpr (kOfChain) {
      add(cell.kink_layer, cell.kink_cell, cell.kink_at_value, cell.winner_above, cell.winner_below, cell.slope_above,
          cell.slope_below);
    }
    if (rank(cell.verdict) > rank(worst)) worst = cell.verdict;
    const bool counts = cell.verdict != GradientVerdict::within_rounding && cell.verdict != GradientVerdict::at_kink &&
                        cell.verdict != GradientVerdict::at_tie;
    if (counts || !kOfChain) summary.max_absolute_error = larger(summary.max_absolute_error, cell.absolute_error);
    if (counts) summary.max_relative_error = larger(summary.max_relative_error, cell.relative_error);
  }
  summary.verdict = static_cast<std::int64_t>(worst);
  return summary;
}

}  // namespace conv2d::session
