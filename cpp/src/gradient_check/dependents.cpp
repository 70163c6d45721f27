#include "gradient_check/dependents.hpp"

#include "dcheck/dcheck.hpp"

namespace conv2d {

void visit_dependent_outputs(const Geometry& g, Parameter parameter, std::size_t index, OutputVisit visit) noexcept {
  const auto element = static_cast<std::int64_t>(index);
  const auto y = y_view<const float>(nullptr, g);
  const auto visit_at = [&](std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) {
    visit(static_cast<std::size_t>(y.offset(n, i, j, k)), {n, i, j, k});
  };
  CONV2D_DCHECK(element < (parameter == Parameter::b ? g.k : parameter == Parameter::w ? g.w_size : g.x_size));
  if (parameter == Parameter::b) {
    for_each_position({0, g.n * g.oh * g.ow}, g.oh, g.ow,
                      [&](std::int64_t n, std::int64_t i, std::int64_t j) { visit_at(n, i, j, element); });
    return;
  }
  if (parameter == Parameter::w) {
    const auto w = w_view<const float>(nullptr, g);
    const std::int64_t k = element / w.stride_3 % g.k;
    const std::int64_t q = element / w.stride_1 % g.kw;
    const std::int64_t p = element / w.stride_0 % g.kh;
    const Range rows = inside(g.oh, g.stride_h, p * g.dilation_h - g.padding.top, g.h);
    const Range cols = inside(g.ow, g.stride_w, q * g.dilation_w - g.padding.left, g.w);
    for (std::int64_t n = 0; n < g.n; ++n) {
      for (std::int64_t i = rows.begin; i < rows.end; ++i) {
        for (std::int64_t j = cols.begin; j < cols.end; ++j) visit_at(n, i, j, k);
      }
    }
    return;
  }
  const auto [n, row, col, c] = position_in_x(g, element);
  const std::int64_t first_k = c / g.group_c * g.group_k;
  for (std::int64_t p = 0; p < g.kh; ++p) {
    const std::int64_t i = window_at(row + g.padding.top, p * g.dilation_h, g.stride_h, g.oh);
    if (i < 0) continue;
    for (std::int64_t q = 0; q < g.kw; ++q) {
      const std::int64_t j = window_at(col + g.padding.left, q * g.dilation_w, g.stride_w, g.ow);
      if (j < 0) continue;
      for (std::int64_t k = first_k; k < first_k + g.group_k; ++k) visit_at(n, i, j, k);
    }
  }
}

}  // namespace conv2d
