#pragma once

#include <vector>

#include "evidence/layer.hpp"

/// Layers that follow one another.
namespace conv2d_check {

/// The joins between layers: y of one is x of another, perhaps through ReLU; dx of that one is dy of the first.
std::vector<Join> joins_of(const std::vector<LayerArrays>& layers);

/// Indices of the layers in the order of the forward pass: by the joins, else as in the file.
std::vector<std::size_t> forward_order(const std::vector<LayerArrays>& layers, const std::vector<Join>& joins);

}  // namespace conv2d_check
