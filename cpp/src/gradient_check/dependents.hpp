#pragma once

#include <cstdint>
#include <span>

#include "base/strided_view.hpp"
#include "conv2d_teach/gradient_check.hpp"
#include "desc/windows.hpp"

/// The outputs of a convolution that depend on one element of a parameter, and the computation of a single output.
namespace conv2d {

/// A function of the flat index and the position of an output, as a reference: the loops over outputs are compiled
/// once.
struct OutputVisit {
  void* state;
  void (*call)(void* state, std::size_t y, const Position& at);

  void operator()(std::size_t y, const Position& at) const { call(state, y, at); }
};

/// Calls visit(y, at) for every output that depends on element `index` (flat, in its layout's order) of `parameter`.
void visit_dependent_outputs(const Geometry& g, Parameter parameter, std::size_t index, OutputVisit visit) noexcept;

template <class Visit>
void for_each_dependent_output(const Geometry& g, Parameter parameter, std::size_t index, Visit visit) noexcept {
  visit_dependent_outputs(g, parameter, index, {&visit, [](void* state, std::size_t y, const Position& at) {
                                                  (*static_cast<Visit*>(state))(y, at);
                                                }});
}

/// An output as a sum in double over p, q, c: with the bits of reference::forward before they are rounded to T.
template <class T>
double output_at(const Geometry& g, std::span<const T> x_values, std::span<const T> w_values,
                 std::span<const T> b_values, const Position& at) noexcept {
  double sum = b_values.empty() ? 0.0 : static_cast<double>(b_values[static_cast<std::size_t>(at.c)]);
  const auto x = x_view(x_values.data(), g);
  const auto w = w_view(w_values.data(), g);
  const std::int64_t first_c = at.c / g.group_k * g.group_c;
  const Range rows = row_taps(g, at.row), cols = column_taps(g, at.col);
  for (std::int64_t p = rows.begin; p < rows.end; ++p) {
    for (std::int64_t q = cols.begin; q < cols.end; ++q) {
      for (std::int64_t c = 0; c < g.group_c; ++c) {
        sum += static_cast<double>(x(at.n, x_row(g, at.row, p), x_column(g, at.col, q), first_c + c)) *
               static_cast<double>(w(p, q, c, at.c));
      }
    }
  }
  return sum;
}

}  // namespace conv2d
