#pragma once

#include "algorithms/outer_blocks.hpp"
#include "base/share.hpp"

/// How backward_weights by outer products is divided among threads.
namespace conv2d::algorithm {

/// What a share makes of dw: all rows of some columns (whole groups, or whole tiles of the filters of the one group),
/// or the rows of some panels of channels.
struct OuterShare {
  Range groups, filters;  ///< filters of each group
  Range panels;
  bool some_columns = false;

  /// Whether other shares write to the same rows. A cache line at the border of two shares would go back and forth
  /// between them at every block, so that such a share sums in memory of its own: with 64 filters that was a third of
  /// the time.
  [[nodiscard]] bool shares_rows() const noexcept { return kThreads && some_columns; }

  [[nodiscard]] std::int64_t first_column(const Geometry& g) const noexcept {
    return groups.begin * g.group_k + filters.begin;
  }
  [[nodiscard]] std::int64_t columns() const noexcept { return groups.size() * filters.size(); }
};

/// Into how many shares the pass can be divided, at most `most`.
int outer_share_count(const Geometry& g, int most);

OuterShare outer_share(const Geometry& g, const OuterBlocks& blocks, Share share) noexcept;

}  // namespace conv2d::algorithm
