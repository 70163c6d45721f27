#pragma once

#include <vector>

#include "conv2d_teach/chain.hpp"
#include "layers/entry.hpp"

namespace conv2d {

struct ChainContent {
  std::vector<layers::Prepared> layers;
  ChainMemory memory;
};

/// The rooms' way into a chain.
struct ChainAccess {
  static Chain make(std::shared_ptr<const ChainContent> content) noexcept { return Chain(std::move(content)); }
  static const layers::Prepared& layer(const Chain& chain, std::size_t i) noexcept;
};

namespace layers {

inline const Entry& entry_of(const LayerInfo& info) noexcept { return *entry_of(info.desc.kind); }

/// The tensors of layer i, as its functions want them.
template <class T>
Run<T> run_of(const ChainTensors<T>& t, std::size_t i) noexcept {
  const LayerTensors<T>& own = t.layers[i];
  return {.x = i == 0 ? t.x : std::span<const T>(t.layers[i - 1].y),
          .w = own.w,
          .b = own.b,
          .y = own.y,
          .winners = own.winners,
          .dy = own.dy,
          .dx = i == 0 ? t.dx : t.layers[i - 1].dy,
          .dw = own.dw,
          .db = own.db};
}

}  // namespace layers
}  // namespace conv2d
