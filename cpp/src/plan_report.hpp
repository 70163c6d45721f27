#pragma once

#include "conv2d/conv2d.hpp"

namespace conv2d {

/// Prints one line about a new plan on the error stream if the environment variable CONV2D_VERBOSE was 1 at the first
/// call: sizes, algorithm, instruction set, threads, estimated time, and why no other algorithm was chosen. Does
/// nothing in WebAssembly, which has no environment.
#if defined(__wasm__)
inline void report_plan(const Plan& /*plan*/, const PlanOptions& /*options*/) noexcept {}
#else
void report_plan(const Plan& plan, const PlanOptions& options);
#endif

}  // namespace conv2d
