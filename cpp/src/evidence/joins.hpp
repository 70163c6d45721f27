#pragma once

#include <vector>

#include "evidence/layer.hpp"

/// Layers that follow one another.
namespace conv2d_check {

/// The joins between layers: y of one is x of another, perhaps through ReLU; dx of that one is dy of the first. Where
/// several layers read one y, dy is the sum of their dx.
std::vector<Join> joins_of(const std::vector<LayerArrays>& layers);

/// The joins where dy is not dx, although the values of x and y say that the layers follow one another: one of the
/// two gradients is wrong. Where x and y differ in some cells, something else may be between the layers.
std::vector<Join> broken_joins(const std::vector<Join>& joins);

/// Indices of the layers in the order of the forward pass: by the joins, else as in the file.
std::vector<std::size_t> forward_order(const std::vector<LayerArrays>& layers, const std::vector<Join>& joins);

}  // namespace conv2d_check
