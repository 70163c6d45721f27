#pragma once

#include <emscripten/val.h>

#include <vector>

#include "conv2d_teach/layers.hpp"

namespace conv2d::bindings {

/// A named type, so that --emit-tsd writes it instead of `any`. Registered in bind_chains.cpp.
EMSCRIPTEN_DECLARE_VAL_TYPE(LayerDescs);

/// Options that the kind has not are ignored.
std::vector<LayerDesc> descs_of(const LayerDescs& layers);

}  // namespace conv2d::bindings
