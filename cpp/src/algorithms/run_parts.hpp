#pragma once

#include "engines/executable.hpp"

namespace conv2d::algorithm {

/// The threads of a run, and its progress hook.
struct Execution {
  const ProgressHook& progress;
  const Team& team;
};

/// The scratch memory of all parts. The own memory of a part begins `own_step` floats after that of the one before.
struct PartsMemory {
  float* common = nullptr;
  float* own = nullptr;
  std::int64_t own_step = 0;

  [[nodiscard]] engine::Memory of(int part) const noexcept { return {common, own + part * own_step}; }
};

/// As Executable::run, for all parts: on the threads of the team, or one after the other when it has too few.
bool run_parts(const engine::Executable& executable, const engine::Operands& operands, const PartsMemory& memory,
               const Execution& execution) noexcept;

}  // namespace conv2d::algorithm
