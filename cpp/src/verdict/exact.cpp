#include "verdict/exact.hpp"

#include <algorithm>
#include <cmath>

#include "base/strided_view.hpp"
#include "desc/geometry.hpp"
#include "desc/windows.hpp"
#include "mistakes/layers.hpp"

namespace conv2d_check {
namespace {

using conv2d::Range;
using conv2d::StridedView;

/// Sums and sums of squares.
struct Sums {
  explicit Sums(std::int64_t size) : sum(static_cast<std::size_t>(size)), square(sum.size()) {}
  std::vector<double> sum, square;
};

/// A copy in the order [a][b][c][d] of the view's axes.
std::vector<double> ordered(const StridedView<const float>& view, std::int64_t a, std::int64_t b, std::int64_t c,
                            std::int64_t d) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(a * b * c * d));
  for (std::int64_t i = 0; i < a; ++i)
    for (std::int64_t j = 0; j < b; ++j)
      for (std::int64_t k = 0; k < c; ++k)
        for (std::int64_t l = 0; l < d; ++l) values.push_back(view(i, j, k, l));
  return values;
}

/// From the order [a][b][c][d] back to the memory order of `view`.
void put_back(const Sums& sums, const StridedView<const float>& view, std::int64_t a, std::int64_t b, std::int64_t c,
              std::int64_t d, Expected& to) {
  std::size_t from = 0;
  for (std::int64_t i = 0; i < a; ++i)
    for (std::int64_t j = 0; j < b; ++j)
      for (std::int64_t k = 0; k < c; ++k)
        for (std::int64_t l = 0; l < d; ++l, ++from) {
          const auto cell = static_cast<std::size_t>(view.offset(i, j, k, l));
          to.values[cell] = sums.sum[from];
          to.norms[cell] = std::sqrt(sums.square[from]);
        }
}

/// to += factor * values, and the squares.
void add_products(double factor, const double* values, std::int64_t count, double* sum, double* square) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double term = factor * values[i];
    sum[i] += term;
    square[i] += term * term;
  }
}

struct Views {
  explicit Views(const Problem& p)
      : x(conv2d::x_view(p.in.x.data(), p.geometry)),
        w(conv2d::w_view(p.in.w.data(), p.geometry)),
        dy(conv2d::y_view(p.in.dy.data(), p.geometry)) {}
  StridedView<const float> x, w, dy;
};

/// Calls visit(n, window, p, q, cell): all taps inside x; `window` and `cell` are rows of k and of c channels in NHWC.
template <class Visit>
void for_each_tap(const Geometry& g, Visit visit) {
  for (std::int64_t n = 0; n < g.n; ++n)
    for (std::int64_t i = 0; i < g.oh; ++i)
      for (std::int64_t j = 0; j < g.ow; ++j) {
        const Range rows = conv2d::row_taps(g, i), columns = conv2d::column_taps(g, j);
        for (std::int64_t p = rows.begin; p < rows.end; ++p)
          for (std::int64_t q = columns.begin; q < columns.end; ++q)
            visit((n * g.oh + i) * g.ow + j, p * g.kw + q,
                  (n * g.h + conv2d::x_row(g, i, p)) * g.w + conv2d::x_column(g, j, q));
      }
}

Sums forward(const Problem& p, const Views& view) {
  const Geometry& g = p.geometry;
  const auto x = ordered(view.x, g.n, g.h, g.w, g.c), w = ordered(view.w, g.kh, g.kw, g.group_c, g.k);
  Sums y(g.y_size);
  for (std::int64_t i = 0; !p.in.b.empty() && i < g.y_size; ++i) {
    const double bias = p.in.b[static_cast<std::size_t>(i % g.k)];
    y.sum[static_cast<std::size_t>(i)] = bias;
    y.square[static_cast<std::size_t>(i)] = bias * bias;
  }
  for_each_tap(g, [&](std::int64_t window, std::int64_t tap, std::int64_t cell) {
    for (std::int64_t group = 0; group < g.groups; ++group)
      for (std::int64_t c = 0; c < g.group_c; ++c) {
        const std::int64_t to = window * g.k + group * g.group_k;
        add_products(x[static_cast<std::size_t>(cell * g.c + group * g.group_c + c)],
                     w.data() + (tap * g.group_c + c) * g.k + group * g.group_k, g.group_k, y.sum.data() + to,
                     y.square.data() + to);
      }
  });
  return y;
}

Sums backward_data(const Problem& p, const Views& view) {
  const Geometry& g = p.geometry;
  const StridedView<const float> by_filter{view.w.data, view.w.stride_0, view.w.stride_1, view.w.stride_3,
                                           view.w.stride_2};
  const auto w = ordered(by_filter, g.kh, g.kw, g.k, g.group_c), dy = ordered(view.dy, g.n, g.oh, g.ow, g.k);
  Sums dx(g.x_size);
  for (std::int64_t i = 0; p.bias_in_dx && i < g.x_size; ++i) {
    const double bias = p.in.b[static_cast<std::size_t>(i % g.c)];
    dx.sum[static_cast<std::size_t>(i)] = bias;
    dx.square[static_cast<std::size_t>(i)] = bias * bias;
  }
  for_each_tap(g, [&](std::int64_t window, std::int64_t tap, std::int64_t cell) {
    for (std::int64_t k = 0; k < g.k; ++k) {
      const std::int64_t to = cell * g.c + k / g.group_k * g.group_c;
      add_products(dy[static_cast<std::size_t>(window * g.k + k)], w.data() + (tap * g.k + k) * g.group_c, g.group_c,
                   dx.sum.data() + to, dx.square.data() + to);
    }
  });
  return dx;
}

Sums backward_weights(const Problem& p, const Views& view) {
  const Geometry& g = p.geometry;
  const auto x = ordered(view.x, g.n, g.h, g.w, g.c), dy = ordered(view.dy, g.n, g.oh, g.ow, g.k);
  Sums dw(g.w_size);
  for_each_tap(g, [&](std::int64_t window, std::int64_t tap, std::int64_t cell) {
    for (std::int64_t group = 0; group < g.groups; ++group)
      for (std::int64_t c = 0; c < g.group_c; ++c) {
        const std::int64_t to = (tap * g.group_c + c) * g.k + group * g.group_k;
        add_products(x[static_cast<std::size_t>(cell * g.c + group * g.group_c + c)],
                     dy.data() + window * g.k + group * g.group_k, g.group_k, dw.sum.data() + to,
                     dw.square.data() + to);
      }
  });
  return dw;
}

Sums backward_bias(const Problem& p, const Views& view) {
  const Geometry& g = p.geometry;
  const auto dy = ordered(view.dy, g.n, g.oh, g.ow, g.k);
  Sums db(g.k);
  for (std::int64_t window = 0; window < g.n * g.oh * g.ow; ++window)
    add_products(1, dy.data() + window * g.k, g.k, db.sum.data(), db.square.data());
  return db;
}

struct CellSum {
  double sum = 0, square = 0;
  void add(double term) noexcept {
    sum += term;
    square += term * term;
  }
};

CellSum conv_cell(const Problem& p, const Views& view, Pass pass, std::int64_t cell) {
  const Geometry& g = p.geometry;
  CellSum total;
  if (pass == Pass::backward_bias) {
    for (std::int64_t n = 0; n < g.n; ++n)
      for (std::int64_t i = 0; i < g.oh; ++i)
        for (std::int64_t j = 0; j < g.ow; ++j) total.add(view.dy(n, i, j, cell));
    return total;
  }
  if (pass == Pass::forward) {
    const auto [n, i, j, k] = conv2d::position_of(g.layout, g.oh, g.ow, g.k, cell);
    const Range rows = conv2d::row_taps(g, i), columns = conv2d::column_taps(g, j);
    if (!p.in.b.empty()) total.add(p.in.b[static_cast<std::size_t>(k)]);
    for (std::int64_t a = rows.begin; a < rows.end; ++a)
      for (std::int64_t b = columns.begin; b < columns.end; ++b)
        for (std::int64_t c = 0; c < g.group_c; ++c)
          total.add(static_cast<double>(
                        view.x(n, conv2d::x_row(g, i, a), conv2d::x_column(g, j, b), k / g.group_k * g.group_c + c)) *
                    view.w(a, b, c, k));
    return total;
  }
  if (pass == Pass::backward_data) {
    const auto [n, row, col, channel] = conv2d::position_in_x(g, cell);
    const std::int64_t group = channel / g.group_c;
    if (p.bias_in_dx) total.add(p.in.b[static_cast<std::size_t>(channel)]);
    for (std::int64_t a = 0; a < g.kh; ++a) {
      const std::int64_t i = conv2d::window_at(row + g.padding.top, a * g.dilation_h, g.stride_h, g.oh);
      for (std::int64_t b = 0; i >= 0 && b < g.kw; ++b) {
        const std::int64_t j = conv2d::window_at(col + g.padding.left, b * g.dilation_w, g.stride_w, g.ow);
        for (std::int64_t k = group * g.group_k; j >= 0 && k < (group + 1) * g.group_k; ++k)
          total.add(static_cast<double>(view.dy(n, i, j, k)) * view.w(a, b, channel % g.group_c, k));
      }
    }
    return total;
  }
  // The indices of an element of w, from its flat index.
  std::int64_t a = 0, b = 0, c = 0, k = 0;
  if (g.weights_layout == conv2d::WeightsLayout::hwio) {
    k = cell % g.k, c = cell / g.k % g.group_c, b = cell / (g.k * g.group_c) % g.kw,
    a = cell / (g.k * g.group_c * g.kw);
  } else if (g.weights_layout == conv2d::WeightsLayout::oihw) {
    b = cell % g.kw, a = cell / g.kw % g.kh, c = cell / (g.kw * g.kh) % g.group_c, k = cell / (g.kw * g.kh * g.group_c);
  } else {
    c = cell % g.group_c, b = cell / g.group_c % g.kw, a = cell / (g.group_c * g.kw) % g.kh;
    k = cell / (g.group_c * g.kw * g.kh);
  }
  for (std::int64_t n = 0; n < g.n; ++n)
    for (std::int64_t i = 0; i < g.oh; ++i) {
      const std::int64_t row = conv2d::x_row(g, i, a);
      for (std::int64_t j = 0; row >= 0 && row < g.h && j < g.ow; ++j) {
        const std::int64_t col = conv2d::x_column(g, j, b);
        if (col < 0 || col >= g.w) continue;
        total.add(static_cast<double>(view.x(n, row, col, k / g.group_k * g.group_c + c)) * view.dy(n, i, j, k));
      }
    }
  return total;
}

/// A cell of ReLU or pooling. The norm is that of what is added: cells of x, or the parts of dy.
CellSum layer_cell(const Problem& p, Pass pass, std::int64_t cell) {
  const Geometry& g = p.geometry;
  CellSum total;
  if (p.layer == Layer::average_pool) {
    const auto count = [&](std::int64_t y) {
      double cells = 0;
      if (p.count_include_pad) return static_cast<double>(g.kh * g.kw);
      conv2d::for_each_window_cell(g, y, [&](std::int64_t) { ++cells; });
      return cells;
    };
    if (pass == Pass::forward) {
      const double cells = count(cell);
      conv2d::for_each_window_cell(g, cell,
                                   [&](std::int64_t x) { total.add(p.in.x[static_cast<std::size_t>(x)] / cells); });
    } else {
      conv2d::for_each_window_of_cell(
          g, cell, [&](std::int64_t y) { total.add(p.in.dy[static_cast<std::size_t>(y)] / count(y)); });
    }
    return total;
  }
  const conv2d::mistakes::LayerProblem same{
      .kind = p.layer == Layer::relu ? "relu" : "max_pool", .geometry = g, .x = p.in.x, .dy = p.in.dy};
  total.add(conv2d::mistakes::right_value(same, pass, cell));
  return total;
}

}  // namespace

std::int64_t terms_of(const Problem& problem, Pass pass) noexcept {
  const Geometry& g = problem.geometry;
  if (problem.layer != Layer::conv) return g.kh * g.kw;
  switch (pass) {
    case Pass::forward:
      return g.kh * g.kw * g.group_c + (problem.in.b.empty() ? 0 : 1);
    case Pass::backward_data:
      return g.kh * g.kw * g.group_k + (problem.bias_in_dx ? 1 : 0);
    case Pass::backward_weights:
    case Pass::backward_bias:
      return g.n * g.oh * g.ow;
  }
  return 1;
}

Expected exact(const Problem& problem, Pass pass) {
  const Geometry& g = problem.geometry;
  Expected expected{.terms = terms_of(problem, pass)};
  const auto size = static_cast<std::size_t>(g.result_size(pass));
  expected.values.resize(size);
  expected.norms.resize(size);
  if (problem.layer != Layer::conv) {
    for (std::size_t i = 0; i < size; ++i) {
      const CellSum cell = layer_cell(problem, pass, static_cast<std::int64_t>(i));
      expected.values[i] = cell.sum;
      expected.norms[i] = std::sqrt(cell.square);
    }
    return expected;
  }
  const Views view(problem);
  switch (pass) {
    case Pass::forward:
      put_back(forward(problem, view), view.dy, g.n, g.oh, g.ow, g.k, expected);
      break;
    case Pass::backward_data:
      put_back(backward_data(problem, view), view.x, g.n, g.h, g.w, g.c, expected);
      break;
    case Pass::backward_weights:
      put_back(backward_weights(problem, view), view.w, g.kh, g.kw, g.group_c, g.k, expected);
      break;
    case Pass::backward_bias:
      put_back(backward_bias(problem, view), {nullptr, 0, 0, 0, 1}, 1, 1, 1, g.k, expected);
      break;
  }
  return expected;
}

Expected exact_at(const Problem& problem, Pass pass, std::span<const std::int64_t> cells) {
  Expected expected{.terms = terms_of(problem, pass)};
  const Views view(problem);
  for (const std::int64_t cell : cells) {
    const CellSum total =
        problem.layer == Layer::conv ? conv_cell(problem, view, pass, cell) : layer_cell(problem, pass, cell);
    expected.values.push_back(total.sum);
    expected.norms.push_back(std::sqrt(total.square));
  }
  return expected;
}

std::vector<double> spread_of(const Problem& problem, Pass pass, std::span<const float> first,
                              std::span<const float> second, std::span<const float> bias) {
  std::vector<double> spread(static_cast<std::size_t>(problem.geometry.result_size(pass)));
  const auto add = [&](std::span<const float> Inputs::*operand, std::span<const float> changes) {
    if (changes.empty()) return;
    Problem changed = problem;
    changed.in.*operand = changes;
    changed.in.b = {};
    changed.bias_in_dx = false;
    const Expected expected = exact(changed, pass);
    for (std::size_t i = 0; i < spread.size(); ++i) spread[i] = std::hypot(spread[i], expected.norms[i]);
  };
  add(pass == Pass::forward ? &Inputs::x : &Inputs::dy, first);
  if (pass != Pass::backward_bias) add(pass == Pass::backward_weights ? &Inputs::x : &Inputs::w, second);
  if (pass == Pass::forward && !bias.empty()) {
    for (std::size_t i = 0; i < spread.size(); ++i)
      spread[i] = std::hypot(spread[i], static_cast<double>(bias.front()));
  }
  return spread;
}

RoundedProblem::RoundedProblem(const Problem& problem, Pass pass, const InputRounding& rounding) : problem_(problem) {
  Inputs& in = problem_.in;
  const bool has_weights = problem.layer == Layer::conv;
  if (pass == Pass::forward) {
    round(in.x, rounding.first, first_, true);
    if (!has_weights) return;
    round(in.w, rounding.second, second_, true);
    if (rounding.rounds_bias) round(in.b, rounding.second, bias_, false);
    return;
  }
  round(in.dy, rounding.first, first_, true);
  if (pass == Pass::backward_weights) round(in.x, rounding.second, second_, true);
  if (pass == Pass::backward_data && has_weights) round(in.w, rounding.second, second_, true);
  if (problem.bias_in_dx && rounding.rounds_bias) round(in.b, rounding.second, bias_, false);
}

void RoundedProblem::round(std::span<const float>& values, const Format& format, std::vector<float>& storage,
                           bool is_factor) {
  if (format.kind == FormatKind::exact || values.empty()) return;
  double before = 0, after = 0;
  bool changed = false;
  storage.reserve(values.size());
  for (const float value : values) {
    storage.push_back(static_cast<float>(round_to(value, format)));
    changed = changed || storage.back() != value;
    before += static_cast<double>(value) * value;
    after += static_cast<double>(storage.back()) * storage.back();
  }
  values = storage;
  changes_ = changes_ || changed;
  if (is_factor && before > 0) growth_ *= std::max(1.0, std::sqrt(after / before));
}

}  // namespace conv2d_check
