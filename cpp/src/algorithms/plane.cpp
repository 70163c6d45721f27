#include "algorithms/plane.hpp"

#include "algorithms/loops.hpp"
#include "base/text.hpp"

namespace conv2d::algorithm {

std::string why_not_plane(const Geometry& g, gemm::WindowProduct (*product)(const Geometry& g, const Operands& o)) {
  if (g.c != 1 || g.k != 1) return text("it is for one channel and one filter, and there are ", g.c, " and ", g.k);
  if (g.stride_w != 1) return text("its registers hold neighbouring columns, which needs stride_w 1");
  if (gemm::PlaneShape(product(g, {})).sensible(product(g, {}))) return {};
  return text("its copy of the padded plane would be much larger than the plane");
}

bool run_plane(const gemm::WindowProduct& product, float* workspace, const ProgressHook& progress) noexcept {
  const gemm::PlaneRun plane(product, workspace);
  return in_portions(plane.steps(), plane.macs_per_step(), progress, [&](Range steps) {
    for (std::int64_t t = steps.begin; t < steps.end; ++t) plane.step(t);
  });
}

}  // namespace conv2d::algorithm
