#pragma once

#include <span>
#include <string>
#include <vector>

#include "evidence/layer.hpp"

/// Divides the arrays of a file among its layers.
namespace conv2d_check {

/// A division, and the arrays that it leaves over.
struct Grouping {
  std::vector<LayerArrays> layers;
  std::vector<const Tensor*> rest;
};

/// By names: layers in the order of the file. Arrays without a layer's name belong to the only layer with weights.
Grouping group_by_names(std::span<const Tensor> tensors);

/// The ways in which `rest` can be the tensors that `layer` does not have, by their shapes, the likeliest first; at
/// least one. `any_role`: also gradients; else only x, w, b, y and dy.
std::vector<Grouping> assignments_of(const LayerArrays& layer, const std::vector<const Tensor*>& rest, bool any_role);

/// Whether a layer has a result, and something from which it follows.
bool can_be_judged(const LayerArrays& layer) noexcept;

}  // namespace conv2d_check
