#include "layer_kernels/layer_kernels_impl.hpp"

namespace conv2d::layer_kernels {

extern constexpr LayerKernels kWasmLayerKernels = make_layer_kernels<simd::Wasm>("wasm");

}  // namespace conv2d::layer_kernels
