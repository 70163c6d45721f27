#pragma once

#include "engines/prepared.hpp"

namespace conv2d::algorithm {

/// Who runs a pass, and who is told.
struct Execution {
  const ProgressHook& progress;
  const Team& team;
};

/// The scratch memory of all parts: each has its own, `own_step` floats after the one before.
struct PartsMemory {
  float* common = nullptr;
  float* own = nullptr;
  std::int64_t own_step = 0;

  [[nodiscard]] engine::Memory of(int part) const noexcept { return {common, own + part * own_step}; }
};

/// As Prepared::run, for all parts: on the team's threads, or one after the other when it has too few.
bool run_parts(const engine::Prepared& prepared, const engine::Operands& operands, const PartsMemory& memory,
               const Execution& execution) noexcept;

}  // namespace conv2d::algorithm
