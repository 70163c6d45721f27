#include "session/kept_weights.hpp"

#include <utility>

namespace conv2d::session {

std::span<const float> KeptWeights::for_run(const Plan& plan, std::span<const float> w) {
  Packed& packed = packed_[static_cast<std::size_t>(plan.pass())];
  if (packed.ready) return packed.values.span();
  const bool again = std::exchange(packed.used, true);
  if (plan.packed_floats() == 0 || !again || !packed.values.reserve(plan.packed_floats(), "packed").ok() ||
      !pack_weights(plan, w, packed.values.span()).ok()) {
    return {};
  }
  packed.ready = true;
  return packed.values.span();
}

void KeptWeights::forget() noexcept {
  for (Packed& packed : packed_) packed = {};
}

void KeptWeights::forget(Pass pass) noexcept { packed_[static_cast<std::size_t>(pass)] = {}; }

}  // namespace conv2d::session
