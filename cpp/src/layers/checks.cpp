#include "layers/entry.hpp"

/// A source of its own: with it come the references.
namespace conv2d::layers {

const Checks& checks_of(const LayerInfo& info) noexcept {
  switch (info.desc.kind) {
    case LayerKind::relu:
      return kReluChecks;
    case LayerKind::max_pool:
      return kMaxPoolChecks;
    case LayerKind::average_pool:
      return kAveragePoolChecks;
    case LayerKind::conv:
      break;
  }
  return kConvChecks;
}

}  // namespace conv2d::layers
