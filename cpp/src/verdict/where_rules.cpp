#include <algorithm>
#include <cmath>
#include <limits>

#include "verdict/where.hpp"
#include "verdict/where_axes.hpp"

namespace conv2d_check {
namespace {

/// log2 of n over k.
double bits_of(std::int64_t n, std::int64_t k) {
  const auto log_factorial = [](std::int64_t i) { return std::lgamma(static_cast<double>(i) + 1); };
  return (log_factorial(n) - log_factorial(k) - log_factorial(n - k)) / std::log(2.0);
}

/// Whether the cells that differ are a multiple of the right values, 0 included, judged by the first ones.
bool are_multiples(std::span<const std::int64_t> cells, std::span<const double> yours, std::span<const double> right,
                   std::span<const double> tolerance) {
  const auto at = [&](std::size_t i) { return static_cast<std::size_t>(cells[i]); };
  const double factor = yours[at(0)] / right[at(0)];
  for (std::size_t i = 0; i < std::min<std::size_t>(cells.size(), 64); ++i)
    if (!(std::abs(yours[at(i)] - factor * right[at(i)]) <= (1 + std::abs(factor)) * tolerance[at(i)])) return false;
  return cells.size() > 1;
}

/// A rule that holds all cells that differ.
struct Rule {
  std::string where;
  int words = std::numeric_limits<int>::max();
};

/// The cells that differ, and those in which no factor shows.
struct Cells {
  std::vector<std::int64_t> differing{};
  std::vector<std::int64_t> hidden{};  ///< do not differ, and are 0
  std::int64_t total = 0;
  double bits = 0;             ///< log2 of how many sets of as many cells there are
  bool are_multiples = false;  ///< yours are 0, or all the same multiple of the right values
};

/// How much a rule is set back for its cells that do not differ: of `size` cells, `hidden` do not differ because they
/// are 0. Negative: it does not hold. `words`: how complicated it is.
int set_back(const Cells& cells, std::int64_t size, std::int64_t hidden, int words) {
  const auto differing = static_cast<std::int64_t>(cells.differing.size());
  const std::int64_t extra = size - differing, wrong = extra - hidden;
  // Few cells fit some rule by accident. Seen: 2 to 3 scattered cells of 12 to 60 with 5 to 7 words.
  if (cells.bits < 2.4 * words - 2.3) return -1;
  if (size >= cells.total || wrong * 20 > std::max(cells.total - differing, differing)) return -1;
  // Three quarters of the gradient of a max pooling are 0.
  if (cells.are_multiples ? hidden > 9 * differing || (hidden > differing && differing < 16) : hidden * 3 > differing)
    return -1;
  if (extra == 0) return 0;
  if (wrong == 0) return cells.are_multiples ? 1 : 5;
  if (wrong * 20 <= differing) return 3;
  return wrong * 3 <= differing && differing >= 6 ? 6 : -1;
}

std::string with_fact(const std::string& words, const std::string& fact) {
  if (fact.empty()) return words;
  return words.ends_with(')') ? words.substr(0, words.size() - 1) + "; " + fact + ")" : words + " (" + fact + ")";
}

/// "image 1, rows from 24 on and columns from 28 on".
std::string join(const std::vector<std::string>& parts) {
  std::string words;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) words += i + 1 == parts.size() && i > 1 ? " and " : ", ";
    words += parts[i];
  }
  if (parts.size() == 2 && !parts[0].starts_with("image")) return parts[0] + " and " + parts[1];
  return words;
}

class Search {
 public:
  Search(const ResultAxes& axes, const Cells& cells, Pass pass) : axes_(axes), cells_(cells) {
    const std::vector<Grid> grids = grids_of(axes, pass);
    count(grids.front());
    search(grids.front(), 0);
    pairs(grids.front());
    constexpr int kJoined = 3;  // a joined axis is harder to read than one of the page
    for (std::size_t i = 1; i < grids.size() && best_.words > kJoined; ++i) {
      count(grids[i]);
      search(grids[i], kJoined);
    }
  }

  [[nodiscard]] const Rule& best() const noexcept { return best_; }

 private:
  void count(const Grid& grid) {
    counts_.clear();
    for (const JoinedAxis& joined : grid) counts_.emplace_back(static_cast<std::size_t>(joined.axis.size));
    for (const std::int64_t cell : cells_.differing) {
      const CellIndex at = index_of(axes_, cell);
      for (std::size_t a = 0; a < grid.size(); ++a) ++counts_[a][static_cast<std::size_t>(grid[a].index(axes_, at))];
    }
  }

  /// All products of sets, one of each axis.
  void search(const Grid& grid, int base) {
    sets_.clear();
    for (std::size_t a = 0; a < grid.size(); ++a) {
      std::int64_t indices = 0;
      for (const std::uint32_t one : counts_[a]) indices += one > 0 ? 1 : 0;
      sets_.push_back(
          sets_of(grid[a].axis, counts_[a], static_cast<std::int64_t>(cells_.differing.size()) >= 4 * indices));
    }
    std::vector<std::size_t> chosen(grid.size());
    for (bool more = true; more;) {
      consider(grid, chosen, base);
      more = false;
      for (std::size_t a = 0; a < grid.size() && !more; ++a) {
        more = ++chosen[a] < sets_[a].size();
        if (!more) chosen[a] = 0;
      }
    }
  }

  void consider(const Grid& grid, const std::vector<std::size_t>& chosen, int base) {
    std::int64_t size = 1;
    int words = base;
    std::vector<std::string> parts;
    for (std::size_t a = 0; a < grid.size(); ++a) {
      const ResultAxis& axis = grid[a].axis;
      const AxisSet& set = sets_[a][chosen[a]];
      size *= set.count;
      words += set.words;
      if (set.pattern.empty()) continue;
      std::string part = in_words(set.pattern, axis.one, axis.many);
      if (!axis.suffix.empty()) part += (axis.suffix == "in memory" ? " " : ", ") + axis.suffix;
      parts.push_back(with_fact(part, set.fact));
    }
    if (parts.empty()) return;
    words += static_cast<int>(parts.size()) - 1;
    if (words >= best_.words) return;
    std::int64_t hidden = 0;
    const std::int64_t extra = size - static_cast<std::int64_t>(cells_.differing.size());
    if (extra > 0 && !cells_.hidden.empty()) {
      hidden = std::count_if(cells_.hidden.begin(), cells_.hidden.end(), [&](std::int64_t cell) {
        const CellIndex at = index_of(axes_, cell);
        for (std::size_t a = 0; a < grid.size(); ++a)
          if (sets_[a][chosen[a]].mask[static_cast<std::size_t>(grid[a].index(axes_, at))] == 0) return false;
        return true;
      });
    }
    const int back = set_back(cells_, size, hidden, words);
    if (back < 0 || words + back >= best_.words) return;
    best_ = {.where = cells_.differing.size() == 1 ? one_cell() : join(parts), .words = words + back};
  }

  [[nodiscard]] std::string one_cell() const {
    const CellIndex at = index_of(axes_, cells_.differing.front());
    std::vector<std::string> parts;
    for (std::size_t a = 0; a < 4; ++a)
      if (axes_[a].size > 1) parts.push_back(axes_[a].one + " " + std::to_string(at[a]));
    std::string words = parts.size() > 1 ? "one cell: " : "";
    for (std::size_t i = 0; i < parts.size(); ++i) words += (i > 0 ? ", " : "") + parts[i];
    return words;
  }

  /// Rules about two axes together, for each pair of axes; the other axes are as in `search`.
  void pairs(const Grid& grid) {
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b) {
        if (axes_[a].size < 2 || axes_[b].size < 2) continue;
        const Others others = others_of(a, b);
        edges(grid, a, b, others);
        if (b != a + 1 || !axes_[b].one.ends_with("column")) continue;
        if (axes_[a].size == axes_[b].size) diagonal(a, b, others);
        checkers(a, b, others);
      }
  }

  /// The sets of two axes that a rule about the other two does not mention.
  struct Others {
    int words = 0;
    std::int64_t count = 1;
    std::vector<std::string> parts{};
    std::vector<std::pair<std::size_t, std::vector<char>>> masks{};
  };
  [[nodiscard]] Others others_of(std::size_t a, std::size_t b) const {
    Others others;
    for (std::size_t axis = 0; axis < 4; ++axis) {
      if (axis == a || axis == b) continue;
      AxisSet set = sets_of(axes_[axis], counts_[axis], true).front();
      others.words += set.words + (set.pattern.empty() ? 0 : 1);
      others.count *= set.count;
      if (set.pattern.empty()) continue;
      others.parts.push_back(in_words(set.pattern, axes_[axis].one, axes_[axis].many));
      others.masks.emplace_back(axis, std::move(set.mask));
    }
    return others;
  }

  /// Takes a rule if all cells that differ are in it. `size`: its cells.
  template <class Holds>
  void take(const Others& others, std::int64_t size, int words, const std::string& phrase, Holds holds) {
    words += others.words;
    if (words >= best_.words || size < static_cast<std::int64_t>(cells_.differing.size())) return;
    const auto is_in = [&](std::int64_t cell) {
      const CellIndex at = index_of(axes_, cell);
      for (const auto& [axis, mask] : others.masks)
        if (mask[static_cast<std::size_t>(at[axis])] == 0) return false;
      return holds(at);
    };
    if (!std::all_of(cells_.differing.begin(), cells_.differing.end(), is_in)) return;
    const int back = set_back(cells_, size, std::count_if(cells_.hidden.begin(), cells_.hidden.end(), is_in), words);
    if (back < 0 || words + back >= best_.words) return;
    std::vector<std::string> parts = others.parts;
    parts.push_back(phrase);
    best_ = {.where = join(parts), .words = words + back};
  }

  /// Some indices of one axis or some of another, for example the border of each image.
  void edges(const Grid& grid, std::size_t a, std::size_t b, const Others& others) {
    const auto full = [&](std::size_t axis, std::size_t crossing) {
      std::vector<std::uint32_t> counts = counts_[axis];
      for (std::uint32_t& count : counts)
        if (static_cast<std::int64_t>(count) * 4 < others.count * axes_[crossing].size * 3) count = 0;
      return sets_of(grid[axis].axis, counts, true);
    };
    const auto first = full(a, b), second = full(b, a);
    if (first.empty() || second.empty() || first.front().pattern.empty() || second.front().pattern.empty()) return;
    const AxisSet &one = first.front(), &two = second.front();
    const std::int64_t size =
        others.count * (one.count * axes_[b].size + axes_[a].size * two.count - one.count * two.count);
    std::string either = in_words(one.pattern, axes_[a].one, axes_[a].many) + " or " +
                         in_words(two.pattern, axes_[b].one, axes_[b].many);
    if (one.pattern == two.pattern)
      either = in_words(one.pattern, axes_[a].one + " or " + axes_[b].one, axes_[a].many + " or " + axes_[b].many);
    if (one.fact == two.fact) either = with_fact(either, one.fact);
    take(others, size, one.words + two.words + 2, either, [&](const CellIndex& at) {
      return one.mask[static_cast<std::size_t>(at[a])] != 0 || two.mask[static_cast<std::size_t>(at[b])] != 0;
    });
  }

  /// Cells off the diagonal: rows and columns were exchanged.
  void diagonal(std::size_t a, std::size_t b, const Others& others) {
    const std::int64_t size = axes_[a].size;
    take(others, others.count * size * (size - 1), 3,
         "cells off the diagonal (" + axes_[a].one + " other than " + axes_[b].one + ")",
         [&](const CellIndex& at) { return at[a] != at[b]; });
  }

  /// Every second cell, as the squares of one color: phases of rows and columns were exchanged.
  void checkers(std::size_t a, std::size_t b, const Others& others) {
    const CellIndex first = index_of(axes_, cells_.differing.front());
    const std::int64_t parity = (first[a] + first[b]) % 2;
    const std::int64_t size = (axes_[a].size * axes_[b].size + 1 - parity) / 2;
    take(others, others.count * size, 4,
         "cells with " + std::string(parity == 0 ? "an even" : "an odd") + " sum of " + axes_[a].one + " and " +
             axes_[b].one,
         [&](const CellIndex& at) { return (at[a] + at[b]) % 2 == parity; });
  }

  const ResultAxes& axes_;
  const Cells& cells_;
  std::vector<std::vector<std::uint32_t>> counts_;
  std::vector<std::vector<AxisSet>> sets_;
  Rule best_;
};

}  // namespace

std::optional<Where> describe(const Problem& problem, Pass pass, std::span<const double> yours,
                              std::span<const double> right, std::span<const double> tolerance,
                              std::span<const char> differs) {
  Cells cells{.total = static_cast<std::int64_t>(differs.size())};
  for (std::size_t i = 0; i < differs.size(); ++i) {
    if (differs[i] != 0) {
      cells.differing.push_back(static_cast<std::int64_t>(i));
    } else if (std::abs(right[i]) <= tolerance[i]) {
      cells.hidden.push_back(static_cast<std::int64_t>(i));
    }
  }
  if (cells.differing.empty() || static_cast<std::int64_t>(cells.differing.size()) == cells.total) return std::nullopt;
  cells.bits = bits_of(cells.total, static_cast<std::int64_t>(cells.differing.size()));
  cells.are_multiples = are_multiples(cells.differing, yours, right, tolerance);
  const ResultAxes axes = axes_of(problem, pass);
  const Rule best = Search(axes, cells, pass).best();
  if (best.where.empty()) return std::nullopt;
  return Where{.where = best.where, .relation = relation_of(problem, pass, yours, right, tolerance, differs)};
}

}  // namespace conv2d_check
