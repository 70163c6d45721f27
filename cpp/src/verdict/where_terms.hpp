#pragma once

#include <array>
#include <cstdint>

#include "desc/windows.hpp"
#include "verdict/where_axes.hpp"

/// The terms of a cell of a convolution.
namespace conv2d_check {

/// The axes that a sum runs over: row tap, column tap and channel of the group (y) or filter of the group (dx); image,
/// row and column of dy (dw, db).
inline std::array<std::int64_t, 3> sum_sizes(const Geometry& g, Pass pass) noexcept {
  if (pass == Pass::forward) return {g.kh, g.kw, g.group_c};
  if (pass == Pass::backward_data) return {g.kh, g.kw, g.group_k};
  return {g.n, g.oh, g.ow};
}

/// The elements of a term. A row or column of x may be in the padding.
struct TermElements {
  std::int64_t n = 0, row = 0, col = 0, channel = 0;  ///< of x; `channel` counts over all groups
  std::int64_t p = 0, q = 0, w_c = 0, filter = 0;     ///< of w
  std::int64_t i = 0, j = 0;                          ///< of dy
};

/// Calls visit(r, elements) for the terms of the cell at `at`, with those in the padding; r are the indices along
/// sum_sizes.
template <class Visit>
void for_each_term(const Geometry& g, Pass pass, const CellIndex& at, Visit visit) {
  const auto sizes = sum_sizes(g, pass);
  for (std::int64_t r0 = 0; r0 < sizes[0]; ++r0)
    for (std::int64_t r1 = 0; r1 < sizes[1]; ++r1) {
      TermElements t{};
      std::int64_t group = 0;
      if (pass == Pass::forward) {
        t = {.n = at[0], .p = r0, .q = r1, .filter = at[3], .i = at[1], .j = at[2]};
        group = at[3] / g.group_k;
      } else if (pass == Pass::backward_data) {
        t = {.n = at[0], .row = at[1], .col = at[2], .channel = at[3], .p = r0, .q = r1, .w_c = at[3] % g.group_c};
        t.i = conv2d::window_at(t.row + g.padding.top, t.p * g.dilation_h, g.stride_h, g.oh);
        t.j = conv2d::window_at(t.col + g.padding.left, t.q * g.dilation_w, g.stride_w, g.ow);
        group = at[3] / g.group_c;
        if (t.i < 0 || t.j < 0) continue;
      } else {
        t = {.n = r0, .p = at[0], .q = at[1], .w_c = at[2], .filter = at[3], .i = r1};
        group = at[3] / g.group_k;
        t.channel = group * g.group_c + t.w_c;
      }
      for (std::int64_t r2 = 0; r2 < sizes[2]; ++r2) {
        if (pass == Pass::forward) {
          t.w_c = r2;
          t.channel = group * g.group_c + r2;
        } else if (pass == Pass::backward_data) {
          t.filter = group * g.group_k + r2;
        } else {
          t.j = r2;
        }
        if (pass != Pass::backward_data) {
          t.row = conv2d::x_row(g, t.i, t.p);
          t.col = conv2d::x_column(g, t.j, t.q);
        }
        visit(std::array<std::int64_t, 3>{r0, r1, r2}, t);
      }
    }
}

inline bool is_in_x(const Geometry& g, const TermElements& t) noexcept {
  return t.row >= 0 && t.row < g.h && t.col >= 0 && t.col < g.w;
}

}  // namespace conv2d_check
