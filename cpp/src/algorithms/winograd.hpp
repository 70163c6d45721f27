#pragma once

#include <cstdint>
#include <string>

#include "algorithms/entry.hpp"
#include "gemm/window_product.hpp"

/// What the Winograd algorithms have in common: F(m x m, 3 x 3) after Lavin and Gray (2015), see
/// micro_kernels/winograd.hpp.
namespace conv2d::algorithm {

/// Empty for 3 x 3 taps with stride, dilation and groups 1.
std::string why_not_winograd(const Geometry& g);

/// See AlgorithmInfo::error_bound, in its `mixes_cells` form, for sums over `channels` products of transforms.
double winograd_error_bound(std::int64_t channels, std::int64_t outputs) noexcept;

bool run_winograd(const gemm::WindowProduct& product, std::int64_t outputs, float* workspace,
                  const ProgressHook& progress) noexcept;

}  // namespace conv2d::algorithm
