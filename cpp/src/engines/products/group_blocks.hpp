#pragma once

#include <algorithm>
#include <cstdint>

#include "engines/chunks.hpp"

namespace conv2d::engine {

/// Work that runs group by group and, within a group, by blocks of output positions.
struct GroupBlocks {
  std::int64_t groups = 1;
  std::int64_t positions = 0;
  std::int64_t block = 1;              ///< positions at a time, >= 1
  std::int64_t macs_per_position = 0;  ///< of one group
};

/// A range of the output positions of one group.
struct GroupBlock {
  std::int64_t group = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Most multiply-adds per position of a narrow group. Narrow groups share cache lines of x, y and dx. The lines are
/// loaded once when all groups of a block of positions follow each other, and start() has little to do.
inline constexpr std::int64_t kNarrowGroup = 256;

/// Calls work(GroupBlock) for all blocks, those of one group in order, and start(group) before the first block of each
/// group, or before every block of narrow groups. Calls the hook once per chunk. False when the hook cancels the run.
template <class Start, class Work>
bool for_each_block(const GroupBlocks& all, const ProgressHook& hook, Start start, Work work) noexcept {
  const std::int64_t blocks = ceil_div(all.positions, all.block);
  const bool narrow = all.groups > 1 && all.macs_per_position <= kNarrowGroup;
  return in_chunks(all.groups * blocks, all.block * all.macs_per_position, hook, [&](Range chunk) {
    for (std::int64_t t = chunk.begin; t < chunk.end; ++t) {
      const std::int64_t group = narrow ? t % all.groups : t / blocks;
      const std::int64_t first = (narrow ? t / all.groups : t % blocks) * all.block;
      if (narrow || first == 0) start(group);
      work(GroupBlock{group, first, std::min(all.block, all.positions - first)});
    }
  });
}

}  // namespace conv2d::engine
