#include <algorithm>

#include "base/strided_view.hpp"
#include "verdict/where_relation.hpp"
#include "verdict/where_terms.hpp"

namespace conv2d_check {

std::string relation_by_operand(const Compared& c) {
  const Problem& problem = c.problem;
  const Geometry& g = problem.geometry;
  if (c.pass != Pass::forward && c.pass != Pass::backward_weights) return {};
  if (problem.layer != Layer::conv || c.sample.size() < 3 || problem.in.x.empty()) return {};
  const auto x = conv2d::x_view(problem.in.x.data(), g);
  const auto w = conv2d::w_view(problem.in.w.data(), g);
  const auto dy = conv2d::y_view(problem.in.dy.data(), g);
  const ResultAxes axes = axes_of(problem, c.pass);
  // The sum of a cell with element(t) in place of the element of x.
  const auto sum = [&](std::int64_t cell, auto element) {
    double total = 0;
    for_each_term(g, c.pass, index_of(axes, cell), [&](const auto&, const TermElements& t) {
      const double factor = c.pass == Pass::forward ? w(t.p, t.q, t.w_c, t.filter) : dy(t.n, t.i, t.j, t.filter);
      total += factor * element(t);
    });
    return total;
  };
  // Whether that sum is the error of all sampled cells.
  const auto holds = [&](auto element) {
    return std::all_of(c.sample.begin(), c.sample.end(), [&](std::int64_t cell) {
      return std::abs(c.error(cell) - sum(cell, element)) <= 2 * c.allowed(cell) + 1e-12 * std::abs(c.exact(cell));
    });
  };
  const auto in_padding = [&](auto element) {
    return [&g, element](const TermElements& t) { return is_in_x(g, t) ? 0.0 : element(t); };
  };
  const auto clamped = [](std::int64_t i, std::int64_t size) { return std::clamp<std::int64_t>(i, 0, size - 1); };
  const auto mirrored = [&](std::int64_t i, std::int64_t size) {
    return clamped(i < 0 ? -i : i >= size ? 2 * (size - 1) - i : i, size);
  };
  const auto around = [](std::int64_t i, std::int64_t size) { return ((i % size) + size) % size; };
  const double unit = sum(c.sample.front(), in_padding([](const TermElements&) { return 1.0; }));
  const double value = c.error(c.sample.front()) / unit;
  if (unit != 0 && std::isfinite(value) && holds(in_padding([&](const TermElements&) { return value; })))
    return "the right values if the padding were " + shown(value);
  const auto padded_with = [&](auto index) {
    return in_padding([&x, &g, index](const TermElements& t) {
      return static_cast<double>(x(t.n, index(t.row, g.h), index(t.col, g.w), t.channel));
    });
  };
  if (holds(padded_with(clamped))) return "the right values if the padding repeated the nearest cell of x";
  if (holds(padded_with(mirrored))) return "the right values if the padding mirrored x";
  if (holds(padded_with(around))) return "the right values if the padding continued at the other side of x";
  const auto in_memory = in_padding([&](const TermElements& t) {
    const std::int64_t at = x.offset(t.n, t.row, t.col, t.channel);
    return at >= 0 && at < g.x_size ? static_cast<double>(x.data[at]) : 0.0;
  });
  if (holds(in_memory)) return "the right values if reads in the padding continued in memory";
  if (g.groups > 1) {
    const auto other_group = [&](const TermElements& t) {
      if (!is_in_x(g, t)) return 0.0;
      return static_cast<double>(x(t.n, t.row, t.col, t.channel % g.group_c)) - x(t.n, t.row, t.col, t.channel);
    };
    if (holds(other_group)) return "the right values for the input channels of group 0";
  }
  return {};
}

}  // namespace conv2d_check
