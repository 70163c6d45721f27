#pragma once

#include <algorithm>
#include <cstdint>

#include "engines/portions.hpp"

namespace conv2d::engine {

/// Work that is done group by group and, within a group, by blocks of output positions.
struct GroupBlocks {
  std::int64_t groups = 1;
  std::int64_t positions = 0;
  std::int64_t block = 1;              ///< positions at a time, >= 1
  std::int64_t macs_per_position = 0;  ///< of one group
};

/// A part of the output positions of one group.
struct GroupBlock {
  std::int64_t group = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Groups of so few multiply-adds per position share the lines of x, y and dx between them, which are fetched once when
/// the groups follow each other at every block of positions; and what start() makes is small.
inline constexpr std::int64_t kNarrowGroup = 256;

/// Calls start(group) before the first block of each group, or before every block of narrow groups, and
/// work(GroupBlock) for all blocks, those of one group in order; asks the hook once per portion of work. False when it
/// wants to stop.
template <class Start, class Work>
bool for_each_block(const GroupBlocks& all, const ProgressHook& hook, Start start, Work work) noexcept {
  const std::int64_t blocks = ceil_div(all.positions, all.block);
  const bool narrow = all.groups > 1 && all.macs_per_position <= kNarrowGroup;
  return in_portions(all.groups * blocks, all.block * all.macs_per_position, hook, [&](Range portion) {
    for (std::int64_t t = portion.begin; t < portion.end; ++t) {
      const std::int64_t group = narrow ? t % all.groups : t / blocks;
      const std::int64_t first = (narrow ? t / all.groups : t % blocks) * all.block;
      if (narrow || first == 0) start(group);
      work(GroupBlock{group, first, std::min(all.block, all.positions - first)});
    }
  });
}

}  // namespace conv2d::engine
