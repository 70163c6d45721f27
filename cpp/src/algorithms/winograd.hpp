#pragma once

#include <cstdint>
#include <string>

#include "algorithms/entry.hpp"

/// Common code of the Winograd algorithms: F(m x m, 3 x 3) after Lavin and Gray (2015), see engines/winograd/README.md.
namespace conv2d::algorithm {

/// Empty for 3 x 3 taps with stride, dilation and groups 1.
std::string winograd_unsupported_reason(const Geometry& g);

/// See AlgorithmInfo::error_bound, in its `mixes_cells` form, for sums over `channels` products of transforms.
double winograd_error_bound(std::int64_t channels, std::int64_t outputs) noexcept;

}  // namespace conv2d::algorithm
