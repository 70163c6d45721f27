#pragma once

#include <string>

#include "algorithms/entry.hpp"

/// The passes that engines run: what each supports, and how it is prepared (members of Entry).
namespace conv2d::algorithm {

/// Planning visits every phase of the stride, so their number is limited.
std::string implicit_gemm_backward_data_unsupported_reason(const Geometry& g);
ExecutablePointer prepare_implicit_gemm_forward(const Geometry& g, const PrepareOptions& options);
ExecutablePointer prepare_implicit_gemm_backward_data(const Geometry& g, const PrepareOptions& options);

/// F(m x m, 3 x 3) after Lavin and Gray (2015), see engines/winograd/README.md, with m = `kOutputs` 2 or 4.
std::string winograd_unsupported_reason(const Geometry& g);
/// In its `mixes_cells` form (AlgorithmInfo), for sums over `channels` products of transforms.
double winograd_error_bound(std::int64_t channels, int outputs) noexcept;
template <int kOutputs>
ExecutablePointer prepare_winograd_forward(const Geometry& g, const PrepareOptions& options);
template <int kOutputs>
ExecutablePointer prepare_winograd_backward_data(const Geometry& g, const PrepareOptions& options);

std::string plane_forward_unsupported_reason(const Geometry& g);
std::string plane_backward_data_unsupported_reason(const Geometry& g);
ExecutablePointer prepare_plane_forward(const Geometry& g, const PrepareOptions& options);
ExecutablePointer prepare_plane_backward_data(const Geometry& g, const PrepareOptions& options);

}  // namespace conv2d::algorithm
