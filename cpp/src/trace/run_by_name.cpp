#include "trace/run_by_name.hpp"

#include "base/scratch.hpp"
#include "trace/checks.hpp"

namespace conv2d::trace {

Status run_by_name(const Geometry& g, Pass pass, std::string_view algorithm, const Tensors& tensors) {
  const Result<Plan> planned = plan(g, pass, {.algorithm = algorithm});
  if (!planned.ok()) return planned.status();
  Scratch<float> workspace;
  if (!workspace.allocate(planned->workspace_floats())) return out_of_memory("workspace");
  return run(*planned, tensors, {.workspace = workspace.span()});
}

}  // namespace conv2d::trace
