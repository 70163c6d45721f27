#pragma once

#include <span>

#include "conv2d/conv2d.hpp"
#include "session/buffer.hpp"

namespace conv2d::session {

/// Cache of packed weights of a layer, for passes that run again with the same w.
class PackedWeights {
 public:
  /// The value of Tensors::packed for a run of `plan`. Empty on the first run of a pass, which packs w panel by panel
  /// at no extra cost. Also empty if the algorithm does not pack w, or if there is not enough memory.
  std::span<const float> for_run(const Plan& plan, std::span<const float> w);

  /// Call after w has, or may have, changed.
  void invalidate() noexcept;
  /// Call after the plan of a pass has changed.
  void invalidate(Pass pass) noexcept;

 private:
  struct Packed {
    Buffer<float> values;
    bool used = false;  ///< the pass has run with this w
    bool ready = false;
  };

  EnumArray<Pass, Packed, 4> packed_;
};

}  // namespace conv2d::session
