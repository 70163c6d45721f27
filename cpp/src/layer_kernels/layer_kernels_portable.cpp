#include "layer_kernels/layer_kernels_impl.hpp"

namespace conv2d::layer_kernels {

extern constexpr LayerKernels kPortableLayerKernels = make_layer_kernels<simd::Portable>("portable");

}  // namespace conv2d::layer_kernels
