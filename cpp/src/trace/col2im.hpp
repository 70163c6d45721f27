#pragma once

#include "desc/windows.hpp"
#include "transforms/strided_view.hpp"

namespace conv2d::trace {

/// The way back from dx_col to dx: calls visit(position, p, q, cell) for every entry (position, tap) of the first rows
/// that has a cell of x to go to, in the order of the rows. `cell` points at channel 0 of that cell in dx.
template <class Visit>
void for_each_entry(const Geometry& g, std::int64_t positions, float* dx_data, Visit visit) noexcept {
  const auto dx = x_view(dx_data, g);
  std::int64_t position = 0;
  for_each_position({0, positions}, g.oh, g.ow, [&](std::int64_t n, std::int64_t i, std::int64_t j) {
    const Range rows = row_taps(g, i);
    const Range cols = column_taps(g, j);
    for (std::int64_t p = rows.begin; p < rows.end; ++p) {
      for (std::int64_t q = cols.begin; q < cols.end; ++q) {
        visit(position, p, q, &dx(n, x_row(g, i, p), x_column(g, j, q), 0));
      }
    }
    ++position;
  });
}

}  // namespace conv2d::trace
