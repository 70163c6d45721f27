#pragma once

#include "cost/constants.hpp"
#include "engines/executable.hpp"

namespace conv2d::engine {

/// An algorithm that is a loop nest without an engine. It runs undivided, on one thread.
struct LoopKernel {
  CheckedInt scratch = 0;  ///< floats
  double cost = 0;         ///< see Executable::cost
  bool (*run)(const Geometry&, const Operands&, float* scratch, const ProgressHook&) noexcept = nullptr;
};

/// The cost coefficients of such loops on the processors of `options`.
const cost::Loops& loop_costs(const PrepareOptions& options) noexcept;

ExecutablePointer prepare_loop_kernel(const Geometry& g, const LoopKernel& kernel);

}  // namespace conv2d::engine
