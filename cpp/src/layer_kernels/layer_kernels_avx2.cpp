#include "layer_kernels/layer_kernels_impl.hpp"

namespace conv2d::layer_kernels {

extern constexpr LayerKernels kAvx2LayerKernels = make_layer_kernels<simd::Avx2>("avx2");

}  // namespace conv2d::layer_kernels
