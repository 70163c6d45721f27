#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/loops.hpp"

namespace conv2d::algorithm {

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

/// Calls start(group) before the first block of each group, and work(GroupBlock) for all blocks in order; asks the hook
/// once per portion of work. False when it wants to stop.
template <class Start, class Work>
bool for_each_block(const GroupBlocks& all, const ProgressHook& hook, Start start, Work work) noexcept {
  const std::int64_t blocks = (all.positions + all.block - 1) / all.block;
  return in_portions(all.groups * blocks, all.block * all.macs_per_position, hook, [&](Range portion) {
    for (std::int64_t t = portion.begin; t < portion.end; ++t) {
      const std::int64_t first = t % blocks * all.block;
      if (first == 0) start(t / blocks);
      work(GroupBlock{t / blocks, first, std::min(all.block, all.positions - first)});
    }
  });
}

}  // namespace conv2d::algorithm
