#include "layer_kernels/layer_kernels_impl.hpp"

namespace conv2d::layer_kernels {

extern constexpr LayerKernels kSse2LayerKernels = make_layer_kernels<simd::Sse2>("sse2");

}  // namespace conv2d::layer_kernels
