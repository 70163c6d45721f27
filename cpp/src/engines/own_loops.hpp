#pragma once

#include "engines/prepared.hpp"

namespace conv2d::engine {

/// An algorithm that has loops of its own, and no engine's plan: they run undivided.
struct OwnLoops {
  CheckedInt scratch = 0;  ///< floats
  double cost = 0;         ///< see Prepared::cost
  bool (*run)(const Geometry&, const Operands&, float* scratch, const ProgressHook&) noexcept = nullptr;
};

PreparedPointer prepare_loops(const Geometry& g, const OwnLoops& loops);

}  // namespace conv2d::engine
