#pragma once

#include "kernels/operations.hpp"
#include "layer_kernels/layer_kernels.hpp"
#include "micro_kernels/kernel_set.hpp"

/// The templates of the library on registers of 16 lanes that xsimd emulates with ordinary floats, for processors
/// without AVX-512. They test the code, but not the xsimd backend. The portable set, SSE2, AVX2 and
/// NEON cover 4 and 8 lanes.
/// XSIMD_WITH_EMULATED is defined for this set only.
namespace conv2d::test {

extern const micro_kernels::KernelSet kEmulated512Kernels;
extern const layer_kernels::LayerKernels kEmulated512LayerKernels;
extern const Operations kEmulated512Operations;

}  // namespace conv2d::test
