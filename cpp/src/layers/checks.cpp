#include "layers/entry.hpp"

/// A source of its own: with it come the references.
namespace conv2d::layers {

const Checks& checks_of(const LayerInfo& info) noexcept {
  static constexpr auto kChecks =
      Kinds::tables<Checks>([](auto kind) constexpr->const Checks& { return decltype(kind)::kChecks; });
  return *kChecks[index_of(info.kind)];
}

}  // namespace conv2d::layers
