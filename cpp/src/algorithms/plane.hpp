#pragma once

#include "algorithms/entry.hpp"
#include "gemm/plane_run.hpp"

/// What the plane algorithms of forward and backward_data share.
namespace conv2d::algorithm {

/// Why a pass of this geometry, whose product is `product`, is not one of a plane and a filter; empty when it is.
/// `product` is asked for only when the sizes fit.
std::string why_not_plane(const Geometry& g, gemm::WindowProduct (*product)(const Geometry& g, const Operands& o));

bool run_plane(const gemm::WindowProduct& product, float* workspace, const ProgressHook& progress) noexcept;

}  // namespace conv2d::algorithm
