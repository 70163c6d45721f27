#pragma once

#include <cstdint>

#include "algorithms/entry.hpp"
#include "algorithms/run_shares.hpp"

/// Lets an entry that knows NHWC only serve NCHW tensors: they are converted through the workspace around its run.
/// For every other pair of entry and layout these are the entry's own functions.
namespace conv2d::algorithm {

/// As share_count.
int shares_in_layout(const Entry& entry, const Geometry& g, int most, std::int64_t macs_per_share);

/// Floats of scratch of all shares and of the converted tensors; -1 when their bytes do not fit the address space.
std::int64_t total_workspace(const Entry& entry, const Geometry& g, int shares);

/// The entry's cost and that of the conversions.
double total_cost(const Entry& entry, const Geometry& g);

/// Floats of packed weights; 0 when the entry has no use for them, or they are too many to address.
std::int64_t total_packed(const Entry& entry, const Geometry& g);

/// As run_shares; `workspace` holds total_workspace() floats.
bool run_in_layout(const Entry& entry, const Geometry& g, const Operands& operands, float* workspace,
                   const Execution& execution) noexcept;

}  // namespace conv2d::algorithm
