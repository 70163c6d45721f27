#include "layers/entry.hpp"

/// A source of its own: with it come the algorithms of convolutions.
namespace conv2d::layers {

const Runner& runner_of(LayerKind kind) noexcept {
  switch (kind) {
    case LayerKind::relu:
      return kReluRunner;
    case LayerKind::max_pool:
      return kMaxPoolRunner;
    case LayerKind::average_pool:
      return kAveragePoolRunner;
    case LayerKind::conv:
      break;
  }
  return kConvRunner;
}

}  // namespace conv2d::layers
