#pragma once

#include <cstdint>

#include "algorithms/entry.hpp"

/// Entries as runs of several shares, each with a piece of the workspace, on the threads of the caller's team.
namespace conv2d::algorithm {

/// Who runs a pass, and who is told.
struct Execution {
  int shares = 1;
  const ProgressHook& progress;
  const Team& team;
};

/// Shares that pay: each has `macs_per_share` multiply-adds at least. `most` is at least 1.
int share_count(const Entry& entry, const Geometry& g, int most, std::int64_t macs_per_share);

/// Floats of scratch of all shares; -1 when they overflow.
std::int64_t shares_workspace(const Entry& entry, const Geometry& g, int shares);

/// As Entry::run, for all shares; `workspace` holds shares_workspace() floats.
bool run_shares(const Entry& entry, const Geometry& g, const Operands& operands, float* workspace,
                const Execution& execution) noexcept;

}  // namespace conv2d::algorithm
