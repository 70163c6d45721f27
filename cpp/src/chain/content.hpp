#pragma once

#include <array>
#include <optional>
#include <vector>

#include "conv2d_teach/chain.hpp"
#include "layers/layer_tables.hpp"
#include "losses/loss_tables.hpp"

/// What a Chain consists of.
namespace conv2d {

/// The only friend of Chain.
struct ChainContent {
  std::vector<LayerInfo> layers;
  std::vector<std::array<std::optional<Plan>, 4>> plans;  ///< by layer and Pass; of layers with weights only
  const layer_kernels::LayerKernels* kernels = nullptr;
  const losses::Entry* loss = nullptr;
  PlanOptions options;  ///< of all plans, but for the algorithm and the accuracy
  std::optional<Accuracy> accuracy;
  ChainMemory memory{};

  static Chain make(ChainContent content) { return Chain(std::make_shared<const ChainContent>(std::move(content))); }
  static const ChainContent& of(const Chain& chain) noexcept { return *chain.content_; }
};

}  // namespace conv2d
