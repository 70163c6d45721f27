#pragma once

#include "base/part.hpp"
#include "engines/outer_product/blocks.hpp"

/// How backward_weights by outer products is divided among threads.
namespace conv2d::engine {

/// What a part makes of dw: some columns of some rows.
struct OuterPart {
  Range groups, filters;  ///< filters of each group
  Range panels;           ///< of x, of each group

  [[nodiscard]] std::int64_t first_column(const Geometry& g) const noexcept {
    return groups.begin * g.group_k + filters.begin;
  }
  [[nodiscard]] std::int64_t columns() const noexcept { return groups.size() * filters.size(); }
};

/// Each part has all rows of some columns (whole groups, or whole tiles of the filters of the one group), or else the
/// rows of some panels of x.
struct OuterDivision {
  int parts = 1;
  /// A line of the cache at the border of two parts' columns would go back and forth between them at every block, so
  /// that such a part sums in memory of its own: with 64 filters that was a third of the time.
  bool by_columns = false;

  /// Into `most` parts at most, in the way that costs less.
  [[nodiscard]] static OuterDivision of(const Geometry& g, const OuterBlocks& blocks, int most) noexcept;
  [[nodiscard]] OuterPart part(const Geometry& g, const OuterBlocks& blocks, Part which) const noexcept;
  /// Estimated cycles of the slowest part when the undivided pass takes `whole`.
  [[nodiscard]] double cost(const Geometry& g, const OuterBlocks& blocks, double whole) const noexcept;
};

}  // namespace conv2d::engine
