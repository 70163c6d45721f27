#pragma once

#include "algorithms/entry.hpp"

/// The algorithms that are loops of their own, without an engine, each defined in the file of its name: Entry::prepare.
namespace conv2d::algorithm {

ExecutablePointer prepare_forward_strided_view(const Geometry& g, const PrepareOptions& options);
ExecutablePointer prepare_forward_direct(const Geometry& g, const PrepareOptions& options);
ExecutablePointer prepare_backward_data_phase_split(const Geometry& g, const PrepareOptions& options);
ExecutablePointer prepare_backward_data_full_conv(const Geometry& g, const PrepareOptions& options);
ExecutablePointer prepare_backward_data_gather(const Geometry& g, const PrepareOptions& options);
ExecutablePointer prepare_backward_data_scatter(const Geometry& g, const PrepareOptions& options);
ExecutablePointer prepare_backward_weights_direct(const Geometry& g, const PrepareOptions& options);
ExecutablePointer prepare_backward_weights_dilated_dy(const Geometry& g, const PrepareOptions& options);
ExecutablePointer prepare_backward_weights_grouped(const Geometry& g, const PrepareOptions& options);

ExecutablePointer prepare_backward_bias_sum(const Geometry& g, const PrepareOptions& options);
/// Entry::error_bound of its chains of additions.
double backward_bias_sum_error_bound(const Geometry& g);

/// conv2d/reference.hpp as an algorithm of each pass.
template <Pass kPass>
ExecutablePointer prepare_reference(const Geometry& g, const PrepareOptions& options);

}  // namespace conv2d::algorithm
