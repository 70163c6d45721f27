#include <algorithm>
#include <functional>

#include "verdict/where_axes.hpp"
#include "verdict/where_relation.hpp"

namespace conv2d_check {
namespace {

/// Another cell for each cell of a result.
struct Mapping {
  std::function<bool(CellIndex&)> map;  ///< false: there is none, as left of column 0
  std::string words;                    ///< "the cell one column to the left"
  double bits = 4;                      ///< log2 of the number of mappings of its kind
};

std::string count_of(std::int64_t number) { return number == 1 ? "one" : number == 2 ? "two" : std::to_string(number); }

/// "one column to the left".
std::string direction(const ResultAxis& axis, std::int64_t distance) {
  const bool is_before = distance < 0;
  const std::int64_t number = std::abs(distance);
  const std::string words = count_of(number) + " " + (number == 1 ? axis.one : axis.many);
  if (axis.one == "row") return words + (is_before ? " above" : " below");
  if (axis.one == "column") return words + (is_before ? " to the left" : " to the right");
  return words + (is_before ? " before" : " after");
}

void add_shifts(const ResultAxes& axes, std::size_t a, std::int64_t least, std::int64_t most, double bits,
                std::vector<Mapping>& to) {
  const std::int64_t size = axes[a].size;
  for (std::int64_t d = least; d <= std::min(most, size - 1); ++d)
    for (const std::int64_t distance : {-d, d}) {
      to.push_back({.map =
                        [a, size, distance](CellIndex& at) {
                          at[a] += distance;
                          return at[a] >= 0 && at[a] < size;
                        },
                    .words = "the cell " + direction(axes[a], distance),
                    .bits = bits});
      to.push_back({.map =
                        [a, size, distance](CellIndex& at) {
                          at[a] = (at[a] + distance + size) % size;
                          return true;
                        },
                    .words = "the cell " + direction(axes[a], distance) + ", around the edge",
                    .bits = bits + 1});
    }
}

void add_blocks(const ResultAxes& axes, std::size_t a, std::vector<Mapping>& to) {
  const std::int64_t size = axes[a].size;
  const std::string &one = axes[a].one, &many = axes[a].many;
  to.push_back({.map =
                    [a, size](CellIndex& at) {
                      at[a] = size - 1 - at[a];
                      return true;
                    },
                .words = "the cell with its " + one + " counted from the end"});
  for (const std::int64_t block : {2, 4, 8, 16}) {
    if (block > size) break;
    const std::string each = " in each block of " + std::to_string(block) + " " + many;
    to.push_back({.map =
                      [a, block, size](CellIndex& at) {
                        at[a] = at[a] / block * block + block - 1 - at[a] % block;
                        return at[a] < size;
                      },
                  .words = "the cell in reverse order" + each,
                  .bits = 5});
    to.push_back({.map =
                      [a, block](CellIndex& at) {
                        at[a] = at[a] / block * block;
                        return true;
                      },
                  .words = "the first cell" + each,
                  .bits = 5});
    to.push_back({.map =
                      [a, block](CellIndex& at) {
                        at[a] %= block;
                        return true;
                      },
                  .words = "the cell with " + one + " modulo " + std::to_string(block),
                  .bits = 5});
  }
}

void add_fixed(const ResultAxes& axes, std::size_t a, std::vector<Mapping>& to) {
  const std::int64_t most = std::min<std::int64_t>(axes[a].size, 512);
  for (std::int64_t i = 0; i < most; ++i)
    to.push_back({.map =
                      [a, i](CellIndex& at) {
                        at[a] = i;
                        return true;
                      },
                  .words = axes[a].one + " " + std::to_string(i),
                  .bits = 4 + std::log2(static_cast<double>(most))});
}

std::vector<Mapping> mappings(const ResultAxes& axes) {
  std::vector<Mapping> all;
  std::vector<std::size_t> used;
  for (const std::size_t a : {std::size_t{2}, std::size_t{1}, std::size_t{3}, std::size_t{0}})
    if (axes[a].size > 1) used.push_back(a);
  for (const std::size_t a : used) add_shifts(axes, a, 1, 2, 4, all);
  for (const std::size_t a : used) add_blocks(axes, a, all);
  const std::int64_t rows = axes[1].size, columns = axes[2].size;
  if (axes[1].one == "row" && rows > 1 && columns > 1) {
    all.push_back({.map =
                       [rows, columns](CellIndex& at) {
                         at[1] = rows - 1 - at[1];
                         at[2] = columns - 1 - at[2];
                         return true;
                       },
                   .words = "the cell rotated by 180°"});
    all.push_back({.map =
                       [rows, columns](CellIndex& at) {
                         std::swap(at[1], at[2]);
                         return at[1] < rows && at[2] < columns;
                       },
                   .words = "the cell with row and column exchanged"});
  }
  if (axes[0].one == "tap row" && axes[0].size > 1 && axes[1].size > 1) {
    const std::int64_t kh = axes[0].size, kw = axes[1].size;
    all.push_back({.map =
                       [kh, kw](CellIndex& at) {
                         at[0] = kh - 1 - at[0];
                         at[1] = kw - 1 - at[1];
                         return true;
                       },
                   .words = "the tap rotated by 180°"});
    all.push_back({.map =
                       [kh, kw](CellIndex& at) {
                         std::swap(at[0], at[1]);
                         return at[0] < kh && at[1] < kw;
                       },
                   .words = "the tap with row and column exchanged"});
  }
  for (const std::size_t a : used) add_fixed(axes, a, all);
  for (const std::size_t a : used) add_shifts(axes, a, 3, 512, 5 + std::log2(static_cast<double>(axes[a].size)), all);
  return all;
}

std::int64_t cell_at(const ResultAxes& axes, const CellIndex& at) {
  std::int64_t cell = 0;
  for (std::size_t a = 0; a < 4; ++a) cell += at[a] * axes[a].stride;
  return cell;
}

/// log2 of the chance that other cells have the values of `target` in the sample, from how often they do.
double evidence(const Compared& c, const std::function<double(std::int64_t)>& target) {
  const std::size_t size = c.right.size(), step = std::max<std::size_t>(1, size / 1024);
  double bits = 0;
  double before = std::nan("");
  for (const std::int64_t cell : c.sample) {
    const double value = target(cell);
    if (std::abs(value - before) <= c.allowed(cell)) continue;
    before = value;
    std::size_t equal = 0, count = 0;
    for (std::size_t i = 0; i < size; i += step, ++count)
      equal += std::abs(c.right[i] - value) <= c.allowed(cell) ? 1U : 0U;
    bits += std::log2(static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(equal, 1)));
  }
  return bits;
}

/// Whether `target` is the right value of the mapped cell everywhere, and 0 where there is none.
bool holds(const Compared& c, const ResultAxes& axes, const Mapping& mapping,
           const std::function<double(std::int64_t)>& target) {
  std::size_t outside = 0;
  const bool all = c.all([&](std::int64_t cell) {
    CellIndex at = index_of(axes, cell);
    const bool is_inside = mapping.map(at);
    outside += is_inside ? 0U : 1U;
    const std::int64_t other = is_inside ? cell_at(axes, at) : cell;
    const double expected = is_inside ? c.exact(other) : 0;
    return std::abs(target(cell) - expected) <= c.allowed(cell) + c.allowed(other);
  });
  return all && outside * 2 < c.cells.size();
}

std::string elements_apart(const Compared& c) {
  const auto size = static_cast<std::int64_t>(c.right.size());
  for (std::int64_t d = 1; d <= std::min<std::int64_t>(64, size - 1); ++d)
    for (const std::int64_t distance : {-d, d}) {
      const bool all = c.all([&](std::int64_t cell) {
        const std::int64_t other = cell + distance;
        const bool is_inside = other >= 0 && other < size;
        const double expected = is_inside ? c.exact(other) : 0;
        return std::abs(c.your(cell) - expected) <= c.allowed(cell) + (is_inside ? c.allowed(other) : 0);
      });
      if (all)
        return "the right value " + count_of(d) + (d == 1 ? " element " : " elements ") +
               (distance < 0 ? "before" : "after") + " it in memory";
    }
  return {};
}

}  // namespace

std::string relation_by_cell(const Compared& c) {
  constexpr double kMargin = 5;  // bits: one accident in 32 at most where nothing else is known
  const ResultAxes axes = axes_of(c.problem, c.pass);
  const std::vector<Mapping> all = mappings(axes);
  const auto your = [&](std::int64_t cell) { return c.your(cell); };
  const double bits = evidence(c, your);
  for (const Mapping& mapping : all)
    if (mapping.bits + kMargin <= bits && holds(c, axes, mapping, your)) return "the right value of " + mapping.words;
  if (bits >= 7 + kMargin) {
    if (std::string found = elements_apart(c); !found.empty()) return found;
  }
  const auto error = [&](std::int64_t cell) { return c.error(cell); };
  const double error_bits = evidence(c, error);
  for (const Mapping& mapping : all)
    if (mapping.bits + kMargin + 1 <= error_bits && holds(c, axes, mapping, error))
      return "the right value plus that of " + mapping.words;
  return {};
}

}  // namespace conv2d_check
