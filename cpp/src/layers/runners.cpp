#include "layers/entry.hpp"

/// A source of its own: with it come the algorithms of convolutions.
namespace conv2d::layers {

const Runner& runner_of(const LayerInfo& info) noexcept {
  static constexpr auto kRunners =
      Kinds::tables<Runner>([](auto kind) constexpr->const Runner& { return decltype(kind)::kRunner; });
  return *kRunners[index_of(info.kind)];
}

}  // namespace conv2d::layers
