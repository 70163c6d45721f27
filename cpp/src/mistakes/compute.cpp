#include "mistakes/mistake.hpp"

#include <cmath>
#include <utility>

#include "base/strided_view.hpp"
#include "check/check.hpp"
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

/// The inputs by their logical axes.
struct Views {
  StridedView<const float> x, w, dy;
};

/// The cell that a term is added to, and its factors.
struct Place {
  std::int64_t cell;
  Factors of;
};

Place place(const Geometry& g, Pass pass, const Inputs& in, const Views& of, const Term& term, const Indices& at,
            const Mistake& m, const std::vector<Cell>& y_cells) {
  const std::int64_t x = in_x(g, at) ? of.x.offset(term.n, at.row, at.col, at.channel) : kOutside;
  const std::int64_t w = of.w.offset(at.p, at.q, at.w_c, at.w_k), y = of.dy.offset(term.n, at.i, at.j, at.y_k);
  const PassTensors reads = tensors_of(pass);
  Place found{.cell = kOutside, .of = {.on_padding = x == kOutside}};
  if (reads.x || m.reads_all) found.of.x = x == kOutside ? 0 : element(in.x, x);
  if (reads.w) found.of.w = element(in.w, w);
  if (reads.dy && m.reads_dy) found.of.dy = element(in.dy, y);
  if (m.reads_all) found.of.y = y_cells[static_cast<std::size_t>(y)].sum;
  if (pass == Pass::forward) found.cell = y;
  if (pass == Pass::backward_data) found.cell = x;
  if (pass == Pass::backward_weights) found.cell = w;
  if (pass == Pass::backward_bias) found.cell = at.b;
  return found;
}

double product(Pass pass, const Factors& of) {
  switch (pass) {
    case Pass::forward:
      return of.x * of.w;
    case Pass::backward_data:
      return of.dy * of.w;
    case Pass::backward_weights:
      return of.x * of.dy;
    case Pass::backward_bias:
      return of.dy;
  }
  return 0;
}

void add(Cell& cell, double term) {
  cell.sum += term;
  cell.magnitude += std::abs(term);
  cell.squares += term * term;
}

void divide(Cell& cell, double divisor) {
  cell.sum /= divisor;
  cell.magnitude /= std::abs(divisor);
  cell.squares /= divisor * divisor;
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
          .y_k = term.k,
          .b = term.k};
}

bool in_x(const Geometry& g, const Indices& at) noexcept {
  return at.row >= 0 && at.row < g.h && at.col >= 0 && at.col < g.w;
}

bool has_inputs(const Geometry& g, const Inputs& inputs, const Mistake& mistake) noexcept {
  return !mistake.reads_all || (std::cmp_equal(inputs.x.size(), g.x_size) && std::cmp_equal(inputs.w.size(), g.w_size));
}

std::vector<Cell> compute(const Geometry& g, Pass pass, const Inputs& inputs, const Mistake* mistake, int variant) {
  CONV2D_DCHECK(!tensors_of(pass).x || std::cmp_equal(inputs.x.size(), g.x_size));
  CONV2D_DCHECK(!tensors_of(pass).w || std::cmp_equal(inputs.w.size(), g.w_size));
  CONV2D_DCHECK(!tensors_of(pass).dy || std::cmp_equal(inputs.dy.size(), g.y_size));
  constexpr Mistake kNone{};
  const Mistake& m = mistake == nullptr ? kNone : *mistake;
  CONV2D_DCHECK(m.variants == nullptr || (variant >= 0 && variant < m.variants(g, pass)));
  CONV2D_DCHECK(has_inputs(g, inputs, m));
  std::vector<Cell> cells(static_cast<std::size_t>(g.result_size(pass))), y;
  if (m.reads_all) y = compute(g, Pass::forward, inputs, nullptr, 0);
  std::vector<std::int64_t> last_step(cells.size(), kOutside), biases(cells.size(), kOutside);
  const Views views{x_view(inputs.x.data(), g), w_view(inputs.w.data(), g), y_view(inputs.dy.data(), g)};
  for_each_term(g, pass, [&](const Term& term) {
    if (m.omits != nullptr && m.omits(g, pass, term, variant)) return;
    Indices at = indices(g, term);
    if (m.changes != nullptr) m.changes(g, term, variant, at);
    auto [index, of] = place(g, pass, inputs, views, term, at, m, y);
    if (index == kOutside) return;
    if (m.changes_factors != nullptr) m.changes_factors(of, variant);
    const std::int64_t window = (term.n * g.oh + term.i) * g.ow + term.j;
    const std::int64_t step = pass == Pass::forward ? term.p * g.kw + term.q : window;
    Cell& cell = cells[static_cast<std::size_t>(index)];
    biases[static_cast<std::size_t>(index)] = at.b;
    std::int64_t& last = last_step[static_cast<std::size_t>(index)];
    if (last != step) {
      last = step;
      if (m.adding == Adding::last_step) cell = {.steps = cell.steps};
      ++cell.steps;
    }
    add(cell, product(pass, of));
  });
  for (std::int64_t index = 0; index < std::ssize(cells); ++index) {
    Cell& cell = cells[static_cast<std::size_t>(index)];
    if (m.divisor != nullptr && cell.steps > 0) divide(cell, m.divisor(g, pass, cell.steps, variant));
    const bool has_bias = m.adds_bias && (cell.steps > 0 || !m.leaves_zeros);
    if (pass == Pass::forward && !inputs.b.empty() && has_bias) {
      const std::int64_t of_terms = biases[static_cast<std::size_t>(index)];
      const std::int64_t of_cell = g.layout == Layout::nhwc ? index % g.k : index / (g.oh * g.ow) % g.k;
      add(cell, element(inputs.b, of_terms == kOutside ? of_cell : of_terms));
    }
    if (m.changes_sum != nullptr) cell.sum = m.changes_sum(cell.sum);
  }
  return cells;
}

}  // namespace conv2d::mistakes
