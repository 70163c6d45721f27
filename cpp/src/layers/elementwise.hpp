#pragma once

#include "layers/layer_tables.hpp"

/// Layers that compute each cell of y from the same cell of x, with a kink at 0.
namespace conv2d::layers {

/// A window of one cell.
Result<Geometry> resolve_elementwise(const ConvDesc& x, const LayerOptions& options) noexcept;

/// The first cell of x that changes its sign within the step.
Bend bend_at_zero(const LayerInfo& info, const Step& step) noexcept;

}  // namespace conv2d::layers
