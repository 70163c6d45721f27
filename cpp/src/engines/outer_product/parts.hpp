#pragma once

#include "base/part.hpp"
#include "engines/outer_product/blocks.hpp"

/// How backward_weights by outer products is divided among threads.
namespace conv2d::engine {

/// The part of dw that a thread computes: some columns of some rows.
struct OuterPart {
  Range groups, filters;  ///< filters of each group
  Range panels;           ///< of x, of each group

  [[nodiscard]] std::int64_t first_column(const Geometry& g) const noexcept {
    return groups.begin * g.group_k + filters.begin;
  }
  [[nodiscard]] std::int64_t columns() const noexcept { return groups.size() * filters.size(); }
};

/// Each part has all rows of some columns (whole groups, or whole tiles of the filters of the only group), or the rows
/// of some panels of x.
struct OuterDivision {
  int parts = 1;
  /// Such a part sums in its own memory. Otherwise a cache line on the border of two parts would move between their
  /// cores at every block: with 64 filters that took a third of the time.
  bool by_columns = false;

  /// The cheaper division into at most `most` parts.
  [[nodiscard]] static OuterDivision of(const Geometry& g, const OuterBlocks& blocks, int most) noexcept;
  [[nodiscard]] OuterPart part(const Geometry& g, const OuterBlocks& blocks, Part which) const noexcept;
  /// Estimated cycles of the slowest part when the undivided pass takes `whole`.
  [[nodiscard]] double cost(const Geometry& g, const OuterBlocks& blocks, double whole) const noexcept;
};

}  // namespace conv2d::engine
