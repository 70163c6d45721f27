#pragma once

#include <array>
#include <span>

#include "conv2d/conv2d.hpp"
#include "session/buffer.hpp"

namespace conv2d::session {

/// The weights as the passes read them: packed once, where a pass runs again with the same w.
class KeptWeights {
 public:
  /// What a run of `plan` is given as Tensors::packed. Empty on a pass's first run, where it packs panel by panel as it
  /// goes, which costs no more; and wherever w is not packed at all, or there is no memory for it.
  std::span<const float> for_run(const Plan& plan, std::span<const float> w);

  /// To be called when w has changed, or may have.
  void forget() noexcept;
  /// To be called when the pass has another plan.
  void forget(Pass pass) noexcept;

 private:
  struct Packed {
    Buffer<float> values;
    bool used = false;  ///< w has had a run
    bool ready = false;
  };

  std::array<Packed, 4> packed_;  ///< by pass
};

}  // namespace conv2d::session
