#include "mistakes/mistake.hpp"

#include <cmath>
#include <utility>

#include "base/strided_view.hpp"
#include "dcheck/dcheck.hpp"
#include "desc/geometry.hpp"

namespace conv2d::mistakes {
namespace {

constexpr std::int64_t kOutside = -1;

template <class Visit>
void for_each_term(const Geometry& g, Pass pass, Visit&& visit) {
  // The bias is added once per element of y, so db has one term per element, not one per tap.
  const bool once = pass == Pass::backward_bias;
  const std::int64_t kh = once ? 1 : g.kh, kw = once ? 1 : g.kw, channels = once ? 1 : g.group_c;
  for (std::int64_t n = 0; n < g.n; ++n)
    for (std::int64_t i = 0; i < g.oh; ++i)
      for (std::int64_t j = 0; j < g.ow; ++j)
        for (std::int64_t p = 0; p < kh; ++p)
          for (std::int64_t q = 0; q < kw; ++q)
            for (std::int64_t c = 0; c < channels; ++c)
              for (std::int64_t k = 0; k < g.k; ++k)
                visit(Term{.n = n, .i = i, .j = j, .p = p, .q = q, .c = c, .k = k});
}

/// An element in double.
double element(std::span<const float> values, std::int64_t index) { return values[static_cast<std::size_t>(index)]; }

struct Product {
  std::int64_t cell;
  double value;
};

/// The inputs by their logical axes.
struct Views {
  StridedView<const float> x, w, dy;
};

Product product(const Geometry& g, Pass pass, const Inputs& in, const Views& of, const Term& term, const Indices& at,
                bool reads_dy) {
  const std::int64_t x = in_x(g, at) ? of.x.offset(term.n, at.row, at.col, at.channel) : kOutside;
  const std::int64_t w = of.w.offset(at.p, at.q, at.w_c, at.w_k), y = of.dy.offset(term.n, at.i, at.j, at.y_k);
  const double from_x = tensors_of(pass).x && x != kOutside ? element(in.x, x) : 0;
  const double from_dy = tensors_of(pass).dy && reads_dy ? element(in.dy, y) : 1;
  switch (pass) {
    case Pass::forward:
      return {.cell = y, .value = from_x * element(in.w, w)};
    case Pass::backward_data:
      return {.cell = x, .value = from_dy * element(in.w, w)};
    case Pass::backward_weights:
      return {.cell = w, .value = from_x * from_dy};
    case Pass::backward_bias:
      return {.cell = term.k, .value = from_dy};
  }
  return {.cell = kOutside, .value = 0};
}

}  // namespace

Indices indices(const Geometry& g, const Term& term) noexcept {
  return {.row = term.i * g.stride_h + term.p * g.dilation_h - g.padding.top,
          .col = term.j * g.stride_w + term.q * g.dilation_w - g.padding.left,
          .channel = term.k / g.group_k * g.group_c + term.c,
          .p = term.p,
          .q = term.q,
          .w_c = term.c,
          .w_k = term.k,
          .i = term.i,
          .j = term.j,
          .y_k = term.k};
}

bool in_x(const Geometry& g, const Indices& at) noexcept {
  return at.row >= 0 && at.row < g.h && at.col >= 0 && at.col < g.w;
}

std::vector<Cell> compute(const Geometry& g, Pass pass, const Inputs& inputs, const Mistake* mistake, int variant) {
  CONV2D_DCHECK(!tensors_of(pass).x || std::cmp_equal(inputs.x.size(), g.x_size));
  CONV2D_DCHECK(!tensors_of(pass).w || std::cmp_equal(inputs.w.size(), g.w_size));
  CONV2D_DCHECK(!tensors_of(pass).dy || std::cmp_equal(inputs.dy.size(), g.y_size));
  constexpr Mistake kNone{};
  const Mistake& m = mistake == nullptr ? kNone : *mistake;
  CONV2D_DCHECK(m.variants == nullptr || (variant >= 0 && variant < m.variants(g, pass)));
  std::vector<Cell> cells(static_cast<std::size_t>(g.result_size(pass)));
  std::vector<std::int64_t> last_step(cells.size(), kOutside), filters(cells.size(), kOutside);
  const Views views{x_view(inputs.x.data(), g), w_view(inputs.w.data(), g), y_view(inputs.dy.data(), g)};
  for_each_term(g, pass, [&](const Term& term) {
    if (m.omits != nullptr && m.omits(g, pass, term, variant)) return;
    Indices at = indices(g, term);
    if (m.changes != nullptr) m.changes(g, term, variant, at);
    const auto [index, value] = product(g, pass, inputs, views, term, at, m.reads_dy);
    if (index == kOutside) return;
    const std::int64_t window = (term.n * g.oh + term.i) * g.ow + term.j;
    const std::int64_t step = pass == Pass::forward ? term.p * g.kw + term.q : window;
    Cell& cell = cells[static_cast<std::size_t>(index)];
    filters[static_cast<std::size_t>(index)] = term.k;
    std::int64_t& last = last_step[static_cast<std::size_t>(index)];
    if (last != step) {
      last = step;
      if (m.adding == Adding::last_step) cell.sum = 0;
      ++cell.steps;
    }
    cell.sum += value;
    cell.magnitude += std::abs(value);
  });
  for (std::int64_t index = 0; index < std::ssize(cells); ++index) {
    Cell& cell = cells[static_cast<std::size_t>(index)];
    if (m.divisor != nullptr && cell.steps > 0) cell.sum /= m.divisor(g, pass, cell.steps, variant);
    if (pass != Pass::forward || inputs.b.empty() || !m.adds_bias) continue;
    const std::int64_t of_terms = filters[static_cast<std::size_t>(index)];
    const std::int64_t of_cell = g.layout == Layout::nhwc ? index % g.k : index / (g.oh * g.ow) % g.k;
    const double bias = element(inputs.b, of_terms == kOutside ? of_cell : of_terms);
    cell.sum += bias;
    cell.magnitude += std::abs(bias);
  }
  return cells;
}

}  // namespace conv2d::mistakes
