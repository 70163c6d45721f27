#include "layer_kernels/layer_kernels_impl.hpp"

namespace conv2d::layer_kernels {

extern constexpr LayerKernels kAvx512LayerKernels = make_layer_kernels<simd::Avx512>("avx512");

}  // namespace conv2d::layer_kernels
