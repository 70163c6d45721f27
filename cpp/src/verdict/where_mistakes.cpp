#include <algorithm>
#include <limits>
#include <optional>

#include "base/strided_view.hpp"
#include "verdict/where_relation.hpp"
#include "verdict/where_terms.hpp"

namespace conv2d_check {
namespace {

using conv2d::mistakes::Adding;
using conv2d::mistakes::Indices;
using conv2d::mistakes::Mistake;
using conv2d::mistakes::Term;

constexpr std::size_t kCells = 12;
constexpr std::int64_t kMostTerms = 200000;  // of a cell: a hundred variants take a tenth of a second

/// Single cells of the result that a mistake gives. Only for terms that it leaves in their cell; in others a sum would
/// have to look for its terms.
class WrongCells {
 public:
  explicit WrongCells(const Compared& c)
      : c_(c),
        g_(c.problem.geometry),
        axes_(axes_of(c.problem, c.pass)),
        x_(conv2d::x_view(c.problem.in.x.data(), g_)),
        w_(conv2d::w_view(c.problem.in.w.data(), g_)),
        dy_(conv2d::y_view(c.problem.in.dy.data(), g_)) {}

  [[nodiscard]] std::optional<double> value(const Mistake& mistake, int variant, std::int64_t cell) const {
    const CellIndex at = index_of(axes_, cell);
    double sum = 0, of_step = 0;
    std::int64_t step = -1, last = -1, steps = 0;
    bool is_known = true;
    for_each_term(g_, c_.pass, at, [&](const auto&, const TermElements& t) {
      const Term term{.n = t.n, .i = t.i, .j = t.j, .p = t.p, .q = t.q, .c = t.w_c, .k = t.filter};
      if (mistake.omits != nullptr && mistake.omits(g_, c_.pass, term, variant)) return;
      const Indices right = conv2d::mistakes::indices(g_, term);
      Indices used = right;
      if (mistake.changes != nullptr) mistake.changes(g_, term, variant, used);
      is_known = is_known && keeps_cell(right, used);
      if (!is_known) return;
      const bool is_y = c_.pass == Pass::forward;
      const std::int64_t now = is_y ? t.p * g_.kw + t.q : (t.n * g_.oh + t.i) * g_.ow + t.j;
      if (c_.pass == Pass::backward_data && !conv2d::mistakes::in_x(g_, used)) return;
      steps += now != step ? 1 : 0;
      step = now;
      const double product = product_of(term.n, used, mistake.reads_dy);
      sum += product;
      const bool is_kept = mistake.adding == Adding::first_step ? last < 0 || now < last : now > last;
      if (is_kept) last = now, of_step = 0;
      if (now == last) of_step += product;
    });
    if (!is_known || steps == 0) return std::nullopt;
    double value = mistake.adding == Adding::sum ? sum : of_step;
    if (mistake.divisor != nullptr) value /= mistake.divisor(g_, c_.pass, steps, variant);
    const std::span<const float> b = c_.problem.in.b;
    if (c_.pass == Pass::forward && !b.empty() && mistake.adds_bias) value += b[static_cast<std::size_t>(at[3])];
    return value;
  }

 private:
  [[nodiscard]] bool keeps_cell(const Indices& right, const Indices& used) const noexcept {
    if (c_.pass == Pass::forward) return used.i == right.i && used.j == right.j && used.y_k == right.y_k;
    if (c_.pass == Pass::backward_data)
      return used.row == right.row && used.col == right.col && used.channel == right.channel;
    return used.p == right.p && used.q == right.q && used.w_c == right.w_c && used.w_k == right.w_k;
  }

  [[nodiscard]] double product_of(std::int64_t n, const Indices& at, bool reads_dy) const noexcept {
    double product = 1;
    if (c_.pass != Pass::backward_data) {
      if (!conv2d::mistakes::in_x(g_, at)) return 0;
      product *= x_(n, at.row, at.col, at.channel);
    }
    if (c_.pass != Pass::backward_weights) product *= w_(at.p, at.q, at.w_c, at.w_k);
    if (c_.pass != Pass::forward && reads_dy) product *= dy_(n, at.i, at.j, at.y_k);
    return product;
  }

  const Compared& c_;
  const Geometry& g_;
  ResultAxes axes_;
  conv2d::StridedView<const float> x_, w_, dy_;
};

}  // namespace

std::string relation_by_mistake(const Compared& c) {
  constexpr double kBits = 16;  // there are about 100 variants
  const Geometry& g = c.problem.geometry;
  if (c.problem.layer != Layer::conv || c.pass == Pass::backward_bias) return {};
  if (terms_of(c.problem, c.pass) > kMostTerms) return {};
  const WrongCells cells(c);
  const std::size_t count = std::min(c.sample.size(), kCells);
  for (const Mistake& mistake : conv2d::mistakes::list()) {
    if (mistake.reads_all_groups) continue;  // the terms here are those of one group
    const int variants = mistake.variants == nullptr ? 1 : mistake.variants(g, c.pass);
    for (int variant = 0; variant < variants; ++variant) {
      double bits = 0;
      bool holds = true;
      for (std::size_t i = 0; i < count && holds; ++i) {
        const std::int64_t cell = c.sample[i * c.sample.size() / count];
        const double allowed = 2 * c.allowed(cell);
        const auto value = cells.value(mistake, variant, cell);
        holds = value && std::abs(c.your(cell) - *value) <= allowed;
        bits += bits_of_error(c.error(cell), allowed);
      }
      if (holds && bits >= kBits) return "the values of the mistake \"" + std::string(mistake.title) + "\"";
    }
  }
  return {};
}

}  // namespace conv2d_check
