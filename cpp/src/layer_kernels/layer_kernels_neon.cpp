#include "layer_kernels/layer_kernels_impl.hpp"

namespace conv2d::layer_kernels {

extern constexpr LayerKernels kNeonLayerKernels = make_layer_kernels<simd::Neon>("neon");

}  // namespace conv2d::layer_kernels
