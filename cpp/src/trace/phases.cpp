#include "desc/phases.hpp"

#include "check/check.hpp"
#include "conv2d_teach/trace.hpp"

namespace conv2d {

std::int64_t phase_count(const Geometry& g) noexcept { return row_phases(g) * column_phases(g); }

Phase phase_at(const Geometry& g, std::int64_t index) noexcept {
  CONV2D_DCHECK(index >= 0 && index < phase_count(g));
  const std::int64_t columns = column_phases(g);
  return {row_phase(g, index / columns), column_phase(g, index % columns)};
}

}  // namespace conv2d
