#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/checked.hpp"
#include "base/errors.hpp"
#include "base/scratch.hpp"
#include "check/check.hpp"
#include "conv2d/conv2d.hpp"

/// What stages and partial results have in common.
namespace conv2d::trace {

/// Error unless 0 <= steps <= total.
inline Status check_steps(std::string_view field, std::int64_t steps, std::int64_t total) {
  if (steps >= 0 && steps <= total) return {};
  return {ErrorCode::invalid_argument, field, text(field, " is ", steps, ", but must be from 0 to ", total)};
}

/// Error: no memory to compute `field`.
[[gnu::noinline]] inline Status out_of_memory(std::string_view field) {
  return {ErrorCode::out_of_memory, field, text(field, " cannot be computed: not enough memory")};
}

/// Number of elements. Precondition: it fits in 63 bits, as for all shapes of stage_shape and process_shape.
constexpr std::int64_t elements(const std::array<std::int64_t, 4>& shape) noexcept {
  CONV2D_DCHECK((CheckedInt(shape[0]) * shape[1] * shape[2] * shape[3]).fits());
  return shape[0] * shape[1] * shape[2] * shape[3];
}

/// Plans and runs an algorithm with its own workspace. Errors: those of plan() and run(); out_of_memory.
[[gnu::noinline]] inline Status run_by_name(const Geometry& g, Pass pass, std::string_view algorithm,
                                            const Tensors& tensors) {
  const Result<Plan> planned = plan(g, pass, {.algorithm = algorithm});
  if (!planned.ok()) return planned.status();
  Scratch<float> workspace;
  if (!workspace.allocate(planned->workspace_floats())) return out_of_memory("workspace");
  return run(*planned, tensors, {.workspace = workspace.span()});
}

}  // namespace conv2d::trace
