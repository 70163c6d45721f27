#include "mistakes/mistake.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/strided_view.hpp"
#include "dcheck/dcheck.hpp"
#include "desc/geometry.hpp"
#include "desc/windows.hpp"

namespace conv2d::mistakes {
namespace {

constexpr std::int64_t kOutside = -1;

/// The indices of terms, from `first` to `last`, both included.
struct Box {
  Term first{}, last{};
};

/// All terms of a pass. The bias is added once per element of y, so db has one term per element, not one per tap.
Box all_terms(const Geometry& g, Pass pass, bool all_groups) {
  const bool once = pass == Pass::backward_bias;
  return {.first = {},
          .last = {.n = g.n - 1,
                   .i = g.oh - 1,
                   .j = g.ow - 1,
                   .p = once ? 0 : g.kh - 1,
                   .q = once ? 0 : g.kw - 1,
                   .c = once ? 0 : g.group_c - 1,
                   .k = g.k - 1,
                   .groups_on = all_groups ? g.groups - 1 : 0}};
}

template <class Visit>
void for_each_term(const Box& box, Visit&& visit) {
  const auto& [first, last] = box;
  for (std::int64_t n = first.n; n <= last.n; ++n)
    for (std::int64_t i = first.i; i <= last.i; ++i)
      for (std::int64_t j = first.j; j <= last.j; ++j)
        for (std::int64_t p = first.p; p <= last.p; ++p)
          for (std::int64_t q = first.q; q <= last.q; ++q)
            for (std::int64_t c = first.c; c <= last.c; ++c)
              for (std::int64_t k = first.k; k <= last.k; ++k)
                for (std::int64_t on = first.groups_on; on <= last.groups_on; ++on)
                  visit(Term{.n = n, .i = i, .j = j, .p = p, .q = q, .c = c, .k = k, .groups_on = on});
}

/// An element in double.
double element(std::span<const float> values, std::int64_t index) { return values[static_cast<std::size_t>(index)]; }

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

/// A cell while its terms are added.
struct Sum {
  Cell cell{};
  std::int64_t last_step = kOutside;
  std::int64_t bias = kOutside;  ///< index of the bias that the terms belong to
};

/// A pass as a program with mistakes computes it.
class Program {
 public:
  Program(const Geometry& g, Pass pass, const Inputs& in, std::span<const Applied> mistakes)
      : g_(g),
        pass_(pass),
        in_(in),
        mistakes_(mistakes),
        reads_(tensors_of(pass)),
        x_(x_view(in.x.data(), g)),
        w_(w_view(in.w.data(), g)),
        y_(y_view(in.dy.data(), g)) {
    CONV2D_DCHECK(!reads_.x || std::cmp_equal(in.x.size(), g.x_size));
    CONV2D_DCHECK(!reads_.w || std::cmp_equal(in.w.size(), g.w_size));
    CONV2D_DCHECK(!reads_.dy || std::cmp_equal(in.dy.size(), g.y_size));
    for (const auto& [mistake, variant] : mistakes) {
      CONV2D_DCHECK(mistake->variants == nullptr || (variant >= 0 && variant < mistake->variants(g, pass)));
      CONV2D_DCHECK(has_inputs(g, in, *mistake));
      overwrites_ = overwrites_ || mistake->adding == Adding::last_step;
      keeps_first_ = keeps_first_ || mistake->adding == Adding::first_step;
      adds_bias_ = adds_bias_ && mistake->adds_bias;
      reads_dy_ = reads_dy_ && mistake->reads_dy;
      reads_all_ = reads_all_ || mistake->reads_all;
      leaves_zeros_ = leaves_zeros_ || mistake->leaves_zeros;
      reads_all_groups_ = reads_all_groups_ || mistake->reads_all_groups;
    }
    if (reads_all_) right_y_ = compute(g, Pass::forward, in, {});
  }

  [[nodiscard]] bool reads_all_groups() const noexcept { return reads_all_groups_; }

  [[nodiscard]] Indices at(const Term& term) const {
    Indices at = indices(g_, term);
    at.channel = (at.channel + term.groups_on * g_.group_c) % g_.c;
    for (const auto& [mistake, variant] : mistakes_) {
      if (mistake->changes != nullptr) mistake->changes(g_, term, variant, at);
    }
    return at;
  }

  /// The flat index of the cell that the term is added to, or kOutside.
  [[nodiscard]] std::int64_t cell_of(const Term& term, const Indices& at) const {
    switch (pass_) {
      case Pass::forward:
        return y_.offset(term.n, at.i, at.j, at.y_k);
      case Pass::backward_data:
        return in_x(g_, at) ? x_.offset(term.n, at.row, at.col, at.channel) : kOutside;
      case Pass::backward_weights:
        return w_.offset(at.p, at.q, at.w_c, at.w_k);
      case Pass::backward_bias:
        return at.b;
    }
    return kOutside;
  }

  [[nodiscard]] bool omits(const Term& term) const {
    return std::ranges::any_of(mistakes_, [&](const Applied& one) {
      return one.mistake->omits != nullptr && one.mistake->omits(g_, pass_, term, one.variant);
    });
  }

  void add_term(const Term& term, const Indices& at, Sum& sum) const {
    const std::int64_t window = (term.n * g_.oh + term.i) * g_.ow + term.j;
    const std::int64_t step = pass_ == Pass::forward ? term.p * g_.kw + term.q : window;
    sum.bias = at.b;
    if (keeps_first_ && sum.last_step != kOutside && sum.last_step != step) return;
    if (sum.last_step != step) {
      sum.last_step = step;
      if (overwrites_) sum.cell = {.steps = sum.cell.steps};
      ++sum.cell.steps;
    }
    Factors of = factors(term, at);
    for (const auto& [mistake, variant] : mistakes_) {
      if (mistake->changes_factors != nullptr) mistake->changes_factors(of, variant);
    }
    add(sum.cell, product(pass_, of));
  }

  /// The cell with its divisor and bias.
  [[nodiscard]] Cell finished(const Sum& sum, std::int64_t index) const {
    Cell cell = sum.cell;
    for (const auto& [mistake, variant] : mistakes_) {
      if (mistake->divisor != nullptr && cell.steps > 0) divide(cell, mistake->divisor(g_, pass_, cell.steps, variant));
    }
    const bool has_bias = adds_bias_ && (cell.steps > 0 || !leaves_zeros_);
    if (pass_ == Pass::forward && !in_.b.empty() && has_bias) {
      const std::int64_t of_cell = g_.layout == Layout::nhwc ? index % g_.k : index / (g_.oh * g_.ow) % g_.k;
      add(cell, element(in_.b, sum.bias == kOutside ? of_cell : sum.bias));
    }
    for (const auto& [mistake, variant] : mistakes_) {
      if (mistake->changes_sum != nullptr) cell.sum = mistake->changes_sum(cell.sum);
    }
    return cell;
  }

 private:
  [[nodiscard]] Factors factors(const Term& term, const Indices& at) const {
    const bool is_inside = in_x(g_, at);
    Factors of{.on_padding = !is_inside};
    if (reads_.x || reads_all_) of.x = is_inside ? element(in_.x, x_.offset(term.n, at.row, at.col, at.channel)) : 0;
    if (reads_.w) of.w = element(in_.w, w_.offset(at.p, at.q, at.w_c, at.w_k));
    const std::int64_t y = y_.offset(term.n, at.i, at.j, at.y_k);
    if (reads_.dy && reads_dy_) of.dy = element(in_.dy, y);
    if (reads_all_) of.y = right_y_[static_cast<std::size_t>(y)].sum;
    return of;
  }

  const Geometry& g_;
  Pass pass_;
  const Inputs& in_;
  std::span<const Applied> mistakes_;
  PassTensors reads_;
  StridedView<const float> x_, w_, y_;
  bool overwrites_ = false, keeps_first_ = false, reads_all_groups_ = false, adds_bias_ = true, reads_dy_ = true,
       reads_all_ = false, leaves_zeros_ = false;
  std::vector<Cell> right_y_;
};

/// The terms of one cell of y, dw or db: `index` counts cells in the order of the loops.
Box terms_of_cell(const Geometry& g, Pass pass, std::int64_t index, bool all_groups) {
  Box box = all_terms(g, pass, all_groups);
  const auto fix = [&](std::int64_t Term::*axis, std::int64_t size) {
    box.first.*axis = box.last.*axis = index % size;
    index /= size;
  };
  fix(&Term::k, g.k);
  if (pass == Pass::forward) {
    fix(&Term::j, g.ow);
    fix(&Term::i, g.oh);
    fix(&Term::n, g.n);
  } else if (pass == Pass::backward_weights) {
    fix(&Term::c, g.group_c);
    fix(&Term::q, g.kw);
    fix(&Term::p, g.kh);
  }
  return box;
}

/// The cell of y, dw or db with this flat index, as terms_of_cell() counts.
std::int64_t loop_index(const Geometry& g, Pass pass, std::int64_t cell) {
  if (pass == Pass::forward) {
    const auto [n, i, j, k] = position_of(g.layout, g.oh, g.ow, g.k, cell);
    return ((n * g.oh + i) * g.ow + j) * g.k + k;
  }
  if (pass == Pass::backward_bias || g.weights_layout == WeightsLayout::hwio) return cell;
  const std::int64_t taps = g.kh * g.kw, k = cell / (taps * g.group_c), in_filter = cell % (taps * g.group_c);
  const bool is_oihw = g.weights_layout == WeightsLayout::oihw;
  const std::int64_t tap = is_oihw ? in_filter % taps : in_filter / g.group_c,
                     c = is_oihw ? in_filter / taps : in_filter % g.group_c;
  return (tap * g.group_c + c) * g.k + k;
}

/// The row of x that a term changes follows from window and tap of that axis, the channel from those of the channels:
/// tables of all combinations.
class SeparateAxes {
 public:
  SeparateAxes(const Geometry& g, const Program& program) {
    for (std::int64_t i = 0; i < g.oh; ++i)
      for (std::int64_t p = 0; p < g.kh; ++p) rows_.push_back({i, p, program.at({.i = i, .p = p}).row});
    for (std::int64_t j = 0; j < g.ow; ++j)
      for (std::int64_t q = 0; q < g.kw; ++q) columns_.push_back({j, q, program.at({.j = j, .q = q}).col});
    for (std::int64_t c = 0; c < g.group_c; ++c)
      for (std::int64_t k = 0; k < g.k; ++k)
        for (std::int64_t on = 0; on < (program.reads_all_groups() ? g.groups : 1); ++on)
          channels_.push_back({c, k, program.at({.c = c, .k = k, .groups_on = on}).channel, on});
    // A sample of terms shows whether that is so.
    std::uint32_t state = 1;
    const auto draw = [&](std::int64_t size) {
      state = state * 1664525U + 1013904223U;
      return static_cast<std::int64_t>(state >> 8U) % size;
    };
    for (int i = 0; i < kProbes && is_separate_; ++i) {
      const Term term{.n = 0,
                      .i = draw(g.oh),
                      .j = draw(g.ow),
                      .p = draw(g.kh),
                      .q = draw(g.kw),
                      .c = draw(g.group_c),
                      .k = draw(g.k)};
      const Indices at = program.at(term);
      is_separate_ = at.row == rows_[static_cast<std::size_t>(term.i * g.kh + term.p)].target &&
                     at.col == columns_[static_cast<std::size_t>(term.j * g.kw + term.q)].target &&
                     at.channel == channels_[static_cast<std::size_t>(term.c * g.k + term.k) *
                                             (channels_.size() / static_cast<std::size_t>(g.group_c * g.k))]
                                       .target;
    }
  }

  [[nodiscard]] bool is_separate() const noexcept { return is_separate_; }

  /// Visits the terms of a cell in the order of the loops.
  template <class Visit>
  void for_each_term(const Position& cell, Visit visit) const {
    const auto of = [](const std::vector<Step>& all, std::int64_t target) {
      std::vector<Step> some;
      for (const Step& step : all) {
        if (step.target == target) some.push_back(step);
      }
      return some;
    };
    const auto rows = of(rows_, cell.row), columns = of(columns_, cell.col), channels = of(channels_, cell.c);
    for (const Step& row : rows)
      for (const Step& column : columns)
        for (const Step& channel : channels)
          visit(Term{.n = cell.n,
                     .i = row.outer,
                     .j = column.outer,
                     .p = row.inner,
                     .q = column.inner,
                     .c = channel.outer,
                     .k = channel.inner,
                     .groups_on = channel.groups_on});
  }

 private:
  static constexpr int kProbes = 64;
  struct Step {
    std::int64_t outer, inner, target, groups_on = 0;
  };
  std::vector<Step> rows_, columns_, channels_;
  bool is_separate_ = true;
};

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
  const Applied one{.mistake = mistake, .variant = variant};
  return compute(g, pass, inputs, mistake == nullptr ? std::span<const Applied>{} : std::span(&one, 1));
}

std::vector<Cell> compute(const Geometry& g, Pass pass, const Inputs& inputs, std::span<const Applied> mistakes) {
  const Program program(g, pass, inputs, mistakes);
  std::vector<Sum> sums(static_cast<std::size_t>(g.result_size(pass)));
  for_each_term(all_terms(g, pass, program.reads_all_groups()), [&](const Term& term) {
    if (program.omits(term)) return;
    const Indices at = program.at(term);
    const std::int64_t cell = program.cell_of(term, at);
    if (cell != kOutside) program.add_term(term, at, sums[static_cast<std::size_t>(cell)]);
  });
  std::vector<Cell> cells;
  cells.reserve(sums.size());
  for (const Sum& sum : sums) cells.push_back(program.finished(sum, std::ssize(cells)));
  return cells;
}

std::vector<IndexedCell> compute_some(const Geometry& g, Pass pass, const Inputs& inputs,
                                      std::span<const Applied> mistakes, std::int64_t count,
                                      std::span<const std::int64_t> first) {
  const Program program(g, pass, inputs, mistakes);
  const std::int64_t size = g.result_size(pass), chosen = std::min(size, count);
  const bool is_dx = pass == Pass::backward_data;
  std::vector<std::int64_t> chosen_cells;
  for (const std::int64_t cell : first) chosen_cells.push_back(is_dx ? cell : loop_index(g, pass, cell));
  for (std::int64_t i = 0; i < chosen; ++i)
    chosen_cells.push_back(chosen == size ? i : (size - 1) * i / std::max<std::int64_t>(chosen - 1, 1));
  std::vector<IndexedCell> cells;
  if (is_dx) {
    const SeparateAxes axes(g, program);
    if (!axes.is_separate()) return {};
    for (const std::int64_t index : chosen_cells) {
      Sum sum;
      axes.for_each_term(position_in_x(g, index), [&](const Term& term) {
        if (!program.omits(term)) program.add_term(term, program.at(term), sum);
      });
      cells.push_back({.index = index, .cell = program.finished(sum, index)});
    }
    return cells;
  }
  for (const std::int64_t chosen_cell : chosen_cells) {
    const Box box = terms_of_cell(g, pass, chosen_cell, program.reads_all_groups());
    const std::int64_t index = program.cell_of(box.first, program.at(box.first));
    Sum sum;
    bool is_one_cell = true;
    for_each_term(box, [&](const Term& term) {
      const Indices at = program.at(term);
      is_one_cell = is_one_cell && program.cell_of(term, at) == index;
      if (!program.omits(term)) program.add_term(term, at, sum);
    });
    if (!is_one_cell) return {};
    cells.push_back({.index = index, .cell = program.finished(sum, index)});
  }
  return cells;
}

}  // namespace conv2d::mistakes
