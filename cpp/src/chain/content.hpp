#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "conv2d_teach/chain.hpp"
#include "layers/entry.hpp"

/// What a Chain consists of.
namespace conv2d {

/// ChainOptions without the algorithms, with memory of its own.
struct KeptOptions {
  int threads = 1;
  std::string instruction_set;
  std::optional<Accuracy> accuracy;
  bool packed_weights = false;
};

/// The only friend of Chain.
struct ChainContent {
  std::vector<LayerInfo> layers;
  std::vector<std::array<std::optional<Plan>, 4>> plans;  ///< by layer and Pass; of convolutions only
  const layer_kernels::LayerKernels* kernels = nullptr;
  ChainMemory memory;
  KeptOptions options;

  static Chain make(ChainContent content) { return Chain(std::make_shared<const ChainContent>(std::move(content))); }
  static const ChainContent& of(const Chain& chain) noexcept { return *chain.content_; }
};

}  // namespace conv2d
