#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/strided_view.hpp"
#include "verdict/where_relation.hpp"
#include "verdict/where_terms.hpp"

namespace conv2d_check {
namespace {

constexpr std::size_t kSums = 24;            // cells with sums of their own
constexpr std::int64_t kAllIntervals = 256;  // longer axes: not every interval

/// One or several axes of a sum, counted as one.
struct SumAxis {
  std::vector<std::size_t> parts;
  ResultAxis axis;
};

ResultAxis named(std::string one, std::string many, std::string suffix = {}) {
  ResultAxis axis;
  axis.one = std::move(one);
  axis.many = std::move(many);
  axis.suffix = std::move(suffix);
  return axis;
}

std::vector<SumAxis> sum_axes(const Geometry& g, Pass pass) {
  std::vector<SumAxis> axes;
  if (pass == Pass::forward || pass == Pass::backward_data) {
    const bool is_y = pass == Pass::forward;
    const std::string one = is_y ? "input channel" : "filter", many = one + "s";
    axes = {{{0, 1}, named("tap", "taps", "counted row by row")},
            {{0}, named("tap row", "tap rows")},
            {{1}, named("tap column", "tap columns")},
            {{2}, named(one, many, g.groups > 1 ? "of the group" : "")},
            {{0, 1, 2}, named("term", "terms", "counted tap by tap")},
            {{2, 0, 1}, named("term", "terms", "counted " + one + " by " + one)}};
  } else {
    axes = {{{0}, named("image", "images")},
            {{1}, named("row of dy", "rows of dy")},
            {{2}, named("column of dy", "columns of dy")},
            {{1, 2}, named("window", "windows", "counted row by row in each image")},
            {{0, 1}, named("row of dy", "rows of dy", "counted over all images")},
            {{0, 1, 2}, named("window", "windows", "counted row by row over all images")}};
  }
  const auto sizes = sum_sizes(g, pass);
  for (SumAxis& sum : axes)
    for (const std::size_t part : sum.parts) sum.axis.size *= sizes[part];
  // An axis joined with others of one index is the same once more.
  std::erase_if(axes, [&](const SumAxis& sum) {
    const auto real = std::count_if(sum.parts.begin(), sum.parts.end(), [&](std::size_t p) { return sizes[p] > 1; });
    return real < static_cast<std::ptrdiff_t>(sum.parts.size()) && (sum.parts.size() > 1 || real == 0);
  });
  return axes;
}

/// Terms of a sum: indices along an axis from `begin` to `end`, or those with a remainder.
struct Part {
  std::size_t axis;
  std::int64_t begin, end, period;  ///< period > 1: indices with remainder `begin` by it
  double times;                     ///< how often the terms are added to the right value
  int words;
};

std::vector<Part> parts_of(const std::vector<SumAxis>& axes) {
  std::vector<Part> parts;
  const auto add = [&](std::size_t a, std::int64_t begin, std::int64_t end, std::int64_t period, int words) {
    for (const double times : {-1.0, 1.0, -2.0})
      parts.push_back({a, begin, end, period, times, words + (times == -1 ? 0 : 2)});
  };
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const std::int64_t size = axes[a].axis.size;
    const int base = 3 * static_cast<int>(axes[a].parts.size() - 1);
    for (std::int64_t i = 0; i < size; ++i) {
      add(a, i, i + 1, 1, base == 3 && axes[a].axis.one == "tap" ? 1 : base + 1);
      if (i > 0) add(a, i, size, 1, base + 2);
      if (i > 0) add(a, 0, i, 1, base + 2);
    }
    if (size <= kAllIntervals) {
      for (std::int64_t i = 1; i < size; ++i)
        for (std::int64_t j = i + 2; j < size; ++j) add(a, i, j, 1, base + 4);
    } else {
      for (std::int64_t block = 4; block <= 64; block *= 2)
        for (std::int64_t i = block; i + block < size; i += block) add(a, i, i + block, 1, base + 4);
    }
    for (std::int64_t period = 2; period <= std::min<std::int64_t>(16, size / 2); ++period)
      for (std::int64_t r = 0; r < period; ++r) add(a, r, 0, period, base + 4);
  }
  return parts;
}

/// The sums of a cell along each axis: cumulated, and by remainder.
class CellSums {
 public:
  CellSums(const Compared& c, const std::vector<SumAxis>& axes, std::int64_t cell) : sums_(axes.size()) {
    const Problem& problem = c.problem;
    const Geometry& g = problem.geometry;
    const auto x = conv2d::x_view(problem.in.x.data(), g);
    const auto w = conv2d::w_view(problem.in.w.data(), g);
    const auto dy = conv2d::y_view(problem.in.dy.data(), g);
    for (std::size_t a = 0; a < axes.size(); ++a) sums_[a].resize(static_cast<std::size_t>(axes[a].axis.size));
    const auto sizes = sum_sizes(g, c.pass);
    const ResultAxes result = axes_of(problem, c.pass);
    for_each_term(g, c.pass, index_of(result, cell), [&](const auto& r, const TermElements& t) {
      double term = 1;
      if (c.pass != Pass::backward_bias && !is_in_x(g, t)) return;
      if (c.pass != Pass::forward) term *= dy(t.n, t.i, t.j, t.filter);
      if (c.pass == Pass::forward || c.pass == Pass::backward_weights) term *= x(t.n, t.row, t.col, t.channel);
      if (c.pass == Pass::forward || c.pass == Pass::backward_data) term *= w(t.p, t.q, t.w_c, t.filter);
      for (std::size_t a = 0; a < axes.size(); ++a) {
        std::int64_t index = 0;
        for (const std::size_t part : axes[a].parts) index = index * sizes[part] + r[part];
        sums_[a][static_cast<std::size_t>(index)] += term;
      }
    });
    cumulated_.resize(sums_.size());
    for (std::size_t a = 0; a < sums_.size(); ++a) {
      cumulated_[a].push_back(0);
      for (const double sum : sums_[a]) cumulated_[a].push_back(cumulated_[a].back() + sum);
    }
  }

  [[nodiscard]] double of(const Part& part) const {
    const std::vector<double>& sums = sums_[part.axis];
    const auto begin = static_cast<std::size_t>(part.begin);
    if (part.period == 1)
      return cumulated_[part.axis][static_cast<std::size_t>(part.end)] - cumulated_[part.axis][begin];
    double sum = 0;
    for (std::size_t i = begin; i < sums.size(); i += static_cast<std::size_t>(part.period)) sum += sums[i];
    return sum;
  }

 private:
  std::vector<std::vector<double>> sums_, cumulated_;
};

std::string in_words(const Compared& c, const SumAxis& axis, const Part& part) {
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(axis.axis.size));
  for (std::int64_t i = 0; i < axis.axis.size; ++i)
    if (part.period == 1 ? i >= part.begin && i < part.end : i % part.period == part.begin)
      counts[static_cast<std::size_t>(i)] = 1;
  std::string words =
      conv2d_check::in_words(sets_of(axis.axis, counts, true).front().pattern, axis.axis.one, axis.axis.many);
  const bool is_tap = axis.axis.one == "tap" && part.period == 1 && part.end - part.begin == 1;
  if (is_tap) {
    const std::int64_t columns = c.problem.geometry.kw;
    words = "tap (" + std::to_string(part.begin / columns) + ", " + std::to_string(part.begin % columns) + ")";
  } else if (!axis.axis.suffix.empty()) {
    words += (axis.axis.suffix == "of the group" ? " " : ", ") + axis.axis.suffix;
  }
  if (part.times == -1) return "the right values without " + words;
  return "the right values with " + words + (part.times > 0 ? " added twice" : " subtracted");
}

/// The shortest part that explains the errors of these cells.
std::optional<Part> part_of(const Compared& c, const std::vector<SumAxis>& axes,
                            const std::vector<std::int64_t>& cells) {
  constexpr double kBits = 24;  // there are up to 100,000 parts
  std::vector<Part> parts = parts_of(axes);
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.words < b.words; });
  double bits = 0;
  for (std::size_t i = 0; i < cells.size() && !parts.empty(); ++i) {
    const double error = c.error(cells[i]), allowed = c.allowed(cells[i]) + 1e-12 * std::abs(c.exact(cells[i]));
    if (!std::isfinite(error)) return std::nullopt;
    const CellSums sums(c, axes, cells[i]);
    std::erase_if(parts, [&](const Part& part) { return std::abs(error - part.times * sums.of(part)) > allowed; });
    bits += bits_of_error(error, allowed);
  }
  if (parts.empty() || bits < kBits) return std::nullopt;
  return parts.front();
}

std::vector<std::int64_t> some_of(const std::vector<std::int64_t>& cells, std::size_t most) {
  std::vector<std::int64_t> some;
  const std::size_t count = std::min(cells.size(), most);
  some.reserve(count);
  for (std::size_t i = 0; i < count; ++i) some.push_back(cells[i * cells.size() / count]);
  return some;
}

/// Of dw: each tap has a part of its own, as the tails of the columns that it reads.
std::string relation_by_tap(const Compared& c, const std::vector<SumAxis>& axes) {
  constexpr std::size_t kCells = 8, kMostTaps = 49;
  if (c.pass != Pass::backward_weights) return {};
  const ResultAxes result = axes_of(c.problem, c.pass);
  std::map<std::array<std::int64_t, 2>, std::vector<std::int64_t>> taps;
  for (const std::int64_t cell : c.cells) {
    const CellIndex at = index_of(result, cell);
    taps[{at[0], at[1]}].push_back(cell);
  }
  if (taps.size() < 2 || taps.size() > kMostTaps) return {};
  std::string words;
  for (const auto& [tap, cells] : taps) {
    const auto part = part_of(c, axes, some_of(cells, kCells));
    if (!part) return {};
    if (words.empty())
      words = in_words(c, axes[part->axis], *part) + " for tap (" + std::to_string(tap[0]) + ", " +
              std::to_string(tap[1]) + ")";
  }
  return words + "; other terms for other taps";
}

}  // namespace

std::string relation_by_sum(const Compared& c) {
  if (c.problem.layer != Layer::conv) return {};
  const std::vector<SumAxis> axes = sum_axes(c.problem.geometry, c.pass);
  const auto part = part_of(c, axes, some_of(c.sample, kSums));
  return part ? in_words(c, axes[part->axis], *part) : relation_by_tap(c, axes);
}

}  // namespace conv2d_check
