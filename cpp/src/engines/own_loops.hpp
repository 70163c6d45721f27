#pragma once

#include "cost/constants.hpp"
#include "engines/prepared.hpp"

namespace conv2d::engine {

/// An algorithm that has loops of its own, and no engine's plan: they run undivided.
struct OwnLoops {
  CheckedInt scratch = 0;  ///< floats
  double cost = 0;         ///< see Prepared::cost
  bool (*run)(const Geometry&, const Operands&, float* scratch, const ProgressHook&) noexcept = nullptr;
};

/// What such loops cost on the processors that they are prepared for.
const cost::Loops& loop_costs(const Request& request) noexcept;

PreparedPointer prepare_loops(const Geometry& g, const OwnLoops& loops);

}  // namespace conv2d::engine
