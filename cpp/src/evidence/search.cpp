#include "evidence/search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/strided_view.hpp"
#include "desc/windows.hpp"
#include "evidence/agreement.hpp"
#include "evidence/window_sums.hpp"

namespace conv2d_check {
namespace {

/// Products that the search for one result may compute, and candidates that it may hold.
constexpr std::int64_t kMostProducts = 400'000'000;
constexpr std::size_t kFewestWays = 48, kMostWays = 700;
/// Enough to try every geometry on the cells that tell candidates apart, and to tell the last few apart.
constexpr std::size_t kCells = 20, kMoreCells = 300;

struct Pair {
  std::uint32_t row, column;
  float error = 0;  ///< sum of squares
};

/// The pairs of ways that agree with y on these cells. With a free bias, cells are compared with the first one, and all
/// are of its filter.
void drop_disagreeing(std::vector<Pair>& pairs, const Space::Part& part, const Tensors& tensors, bool free_bias,
                      std::size_t most) {
  const Reading& r = part.reading;
  const std::vector<float>& y = tensors[Role::y]->values;
  const std::int64_t filters = free_bias ? 1 : r.k;
  // Filters vary last here, so that corners of the image come first.
  std::vector<std::int64_t> cells = telling_cells({r.n, r.oh, r.ow, filters}, most);
  const auto position = [&](std::int64_t cell) {
    return conv2d::Position{cell / (filters * r.ow * r.oh), cell / (filters * r.ow) % r.oh, cell / filters % r.ow,
                            cell % filters};
  };
  const auto value = [&](const conv2d::Position& at) {
    const auto view = conv2d::activation_view(y.data(), r.layout, r.oh, r.ow, r.k);
    return static_cast<double>(view(at.n, at.row, at.col, at.c));
  };
  // The first window starts where the padding says, whatever the stride: many pairs share it. Differences of cells are
  // better taken from the middle.
  if (!free_bias) {
    // Not of std::ranges: clang 14 cannot read its result in libstdc++.
    std::stable_partition(cells.begin(), cells.end(), [&](std::int64_t cell) {
      const conv2d::Position at = position(cell);
      return at.row == 0 && at.col == 0;
    });
  }
  // A cell in the padding alone tells little: the largest come first.
  std::ranges::stable_sort(cells, std::ranges::greater{},
                           [&](std::int64_t cell) { return std::abs(value(position(cell))) > 0; });
  const conv2d::Position base_at = position(cells.front());
  std::size_t compared = 0;
  Windows base(part, tensors, base_at, pairs.size());
  for (std::size_t i = free_bias ? 1 : 0; i < cells.size() && !pairs.empty(); ++i) {
    const conv2d::Position at = position(cells[i]);
    // NaN and infinities tell that a cell is wrong, not where its window was.
    if (!std::isfinite(value(at))) continue;
    ++compared;
    Windows windows(part, tensors, at, pairs.size());
    const double given = value(at) - (free_bias ? value(base_at) : 0);
    std::erase_if(pairs, [&](Pair& pair) {
      const WindowSum window = windows(pair.row, pair.column);
      CellError error;
      if (free_bias) {
        const WindowSum first = base(pair.row, pair.column);
        error = error_of(given, window.sum - first.sum, window.norm + first.norm);
      } else {
        error = error_of(given, window.sum, window.norm);
      }
      pair.error += static_cast<float>(error.relative * error.relative);
      return !error.agrees;
    });
  }
  if (compared == 0) pairs.clear();
  for (Pair& pair : pairs) pair.error /= static_cast<float>(compared);
}

std::vector<Candidate> candidates_of(const std::vector<Pair>& pairs, const Space::Part& part) {
  std::vector<Candidate> found;
  const Reading& r = part.reading;
  for (const Pair& pair : pairs) {
    Candidate one{.reading = r, .row = part.rows[pair.row], .column = part.columns[pair.column]};
    one.cost = r.cost + cost_of(one.row, one.column, r.kh == r.kw);
    one.residual = std::sqrt(static_cast<double>(pair.error));
    found.push_back(one);
  }
  return found;
}

/// Ways along an axis of which all pairs are tried.
std::size_t most_ways(const Space::Part& part) noexcept {
  const std::int64_t terms = std::max<std::int64_t>(1, terms_of_cell(part.reading, Role::y));
  const double ways = std::sqrt(static_cast<double>(kMostProducts / terms));
  return std::clamp(static_cast<std::size_t>(ways), kFewestWays, kMostWays);
}

void sort_by_cost(std::vector<Candidate>& candidates) {
  std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
    return a.is_given() != b.is_given() ? a.is_given() : a.cost < b.cost;
  });
}

}  // namespace

ConvDesc Candidate::desc() const noexcept {
  const Reading& r = reading;
  // The stride of a single output says nothing: that of the other axis is likelier, where it leaves one output.
  const auto stride = [](const AxisWay& own, const AxisWay& other) {
    return own.out == 1 && own.given == 0 ? std::max(own.stride, other.stride) : own.stride;
  };
  return {.layout = r.layout,
          .n = r.n,
          .h = r.h,
          .w = r.w,
          .c = r.c,
          .k = r.k,
          .kh = r.kh,
          .kw = r.kw,
          .stride_h = r.is_1d ? 1 : stride(row, column),
          .stride_w = r.is_1d ? column.stride : stride(column, row),
          .dilation_h = row.dilation,
          .dilation_w = column.dilation,
          .groups = r.groups,
          .padding = {.top = row.before, .bottom = row.after, .left = column.before, .right = column.after},
          .weights_layout = r.weights};
}

Space space_of(const std::vector<Reading>& readings, const std::vector<Given>& all_given) {
  Space space;
  for (const Reading& r : readings) {
    std::vector<Given> given;
    std::ranges::copy_if(all_given, std::back_inserter(given), [&](const Given& one) {
      return (one.x_order.empty() || one.x_order == r.x_order) && (one.w_order.empty() || one.w_order == r.w_order);
    });
    Space::Part part{.reading = r, .rows = {}, .columns = {}};
    if (r.is_1d) {
      part.rows = {AxisWay{.is_same = true}};
      // A single row is as any arguments say.
      part.rows.front().given = ~0U;
    } else {
      part.rows = ways_of({.in = r.h, .kernel = r.kh, .out = r.oh}, r.layout, given, false);
    }
    part.columns = ways_of({.in = r.w, .kernel = r.kw, .out = r.ow}, r.layout, given, true);
    if (part.rows.empty() || part.columns.empty()) continue;
    space.size += std::ssize(part.rows) * std::ssize(part.columns);
    space.parts.push_back(std::move(part));
  }
  return space;
}

std::vector<Candidate> Space::likeliest(std::size_t most) const {
  struct Entry {
    const Part* part;
    Pair pair;
    double cost;
  };
  // Those of the arguments cost less than all others.
  constexpr double kGiven = -1e6;
  std::vector<Entry> all;
  for (const Part& part : parts) {
    const bool is_square = part.reading.kh == part.reading.kw;
    // Ways are sorted: pairs of two unlikely ones are not needed.
    for (std::uint32_t i = 0; i < part.rows.size(); ++i) {
      for (std::uint32_t j = 0; j < part.columns.size(); ++j) {
        if ((i + 1) * (j + 1) > 4 * most && i != j) break;
        const double given = (part.rows[i].given & part.columns[j].given) != 0 ? kGiven : 0;
        all.push_back({&part, {i, j}, given + part.reading.cost + cost_of(part.rows[i], part.columns[j], is_square)});
      }
    }
  }
  const std::size_t count = std::min(most, all.size());
  std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(count), {}, &Entry::cost);
  std::vector<Candidate> found;
  for (const Entry& entry : std::span(all).first(count)) {
    const auto one = candidates_of({entry.pair}, *entry.part);
    found.push_back(one.front());
  }
  for (Candidate& one : found) {
    if (one.reading.oh >= 0) continue;
    one.reading.oh = one.row.out;
    one.reading.ow = one.column.out;
  }
  return found;
}

std::int64_t tried_by_y(const Space& space) noexcept {
  std::int64_t count = 0;
  for (const Space::Part& part : space.parts) {
    const std::size_t ways = most_ways(part);
    count += static_cast<std::int64_t>(std::min(ways, part.rows.size()) * std::min(ways, part.columns.size()));
  }
  return count;
}

std::vector<Candidate> giving_y(const Space& space, const Tensors& tensors, bool free_bias) {
  std::vector<Candidate> found;
  for (const Space::Part& part : space.parts) {
    const std::size_t ways = most_ways(part);
    std::vector<Pair> pairs;
    const auto rows = std::min(ways, part.rows.size()), columns = std::min(ways, part.columns.size());
    for (std::uint32_t i = 0; i < rows; ++i) {
      for (std::uint32_t j = 0; j < columns; ++j) pairs.push_back({i, j});
    }
    drop_disagreeing(pairs, part, tensors, free_bias, kCells);
    if (pairs.size() > 1) drop_disagreeing(pairs, part, tensors, free_bias, kMoreCells);
    const auto some = candidates_of(pairs, part);
    found.insert(found.end(), some.begin(), some.end());
  }
  keep_closest(found);
  sort_by_cost(found);
  return found;
}

}  // namespace conv2d_check
