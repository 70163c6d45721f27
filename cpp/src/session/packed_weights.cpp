#include "session/packed_weights.hpp"

#include <utility>

namespace conv2d::session {

std::span<const float> PackedWeights::for_run(const Plan& plan, std::span<const float> w) {
  Packed& packed = packed_[plan.pass()];
  if (packed.ready) return packed.values.span();
  const bool has_run = std::exchange(packed.used, true);
  if (plan.packed_floats() == 0 || !has_run || !packed.values.reserve(plan.packed_floats(), "packed").ok() ||
      !pack_weights(plan, w, packed.values.span()).ok()) {
    return {};
  }
  packed.ready = true;
  return packed.values.span();
}

void PackedWeights::invalidate() noexcept {
  for (Packed& packed : packed_) packed = {};
}

void PackedWeights::invalidate(Pass pass) noexcept { packed_[pass] = {}; }

}  // namespace conv2d::session
