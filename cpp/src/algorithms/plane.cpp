#include "algorithms/plane.hpp"

#include "base/text.hpp"
#include "engines/plane/plane.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::algorithm {

std::string plane_unsupported_reason(const Geometry& g,
                                     engine::WindowProduct (*product)(const Geometry&,
                                                                      const engine::KernelSet&) noexcept) {
  if (g.c != 1 || g.k != 1) return text("it supports one channel and one filter, and there are ", g.c, " and ", g.k);
  if (g.stride_w != 1) return text("its registers hold neighboring columns, which needs stride_w 1");
  // Tested with the widest registers of the architecture, so that the result is the same on all its machines.
  const engine::KernelSet& widest = *micro_kernels::compiled_sets().front().kernels;
  if (engine::plane_copy_is_small(product(g, widest))) return {};
  return text("its copy of the padded plane would be much larger than the plane");
}

}  // namespace conv2d::algorithm
