#include "algorithms/phases.hpp"

#include "conv2d/trace.hpp"

namespace conv2d {

std::int64_t phase_count(const Geometry& g) noexcept { return algorithm::row_phases(g) * algorithm::column_phases(g); }

Phase phase_at(const Geometry& g, std::int64_t index) noexcept {
  const std::int64_t columns = algorithm::column_phases(g);
  return {algorithm::row_phase(g, index / columns), algorithm::column_phase(g, index % columns)};
}

}  // namespace conv2d
