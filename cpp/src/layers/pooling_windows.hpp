#pragma once

#include <cstdint>

#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"
#include "conv2d_teach/layers.hpp"
#include "layer_kernels/layer_kernels.hpp"

/// What both kinds of pooling share: the check of their windows, and how these form runs for the kernels.
namespace conv2d::layers {

/// Checks dilation, padding and size of the windows and makes them depthwise. Errors: as for conv2d::resolve.
Result<Geometry> resolve_pooling(const ConvDesc& windows, const LayerOptions& options) noexcept;

/// Whether a row of outputs is one run. The cells of a pixel's channels are neighbors, and so are the windows of
/// neighboring pixels if the stride is 1; otherwise each pixel of several channels is a run.
constexpr bool has_whole_rows(const Geometry& g, std::int64_t channels) noexcept {
  return g.stride_w == 1 || channels == 1;
}

/// Channels that are neighbors in memory.
constexpr std::int64_t neighbor_channels(const Geometry& g) noexcept { return g.layout == Layout::nhwc ? g.c : 1; }

/// Outputs of the longest run.
constexpr std::int64_t longest_run(const Geometry& g) noexcept {
  const std::int64_t channels = neighbor_channels(g);
  return has_whole_rows(g, channels) ? g.ow * channels : channels;
}

/// Called with a run and `y`, the flat index of its first output.
using VisitRun = void (*)(void* context, const layer_kernels::WindowRun& run, std::int64_t y) noexcept;

/// Calls `visit` for all outputs as runs, in the order of y. Not a template: three copies would be 1 kB of a module.
void visit_runs(const Geometry& g, VisitRun visit, void* context) noexcept;

/// Calls visit(WindowRun, y) as visit_runs.
template <class Visit>
void for_each_run(const Geometry& g, Visit visit) noexcept {
  visit_runs(
      g,
      [](void* context, const layer_kernels::WindowRun& run, std::int64_t y) noexcept {
        (*static_cast<Visit*>(context))(run, y);
      },
      &visit);
}

}  // namespace conv2d::layers
