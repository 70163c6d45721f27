#pragma once

#include "kernels/operations.hpp"
#include "micro_kernels/kernel_set.hpp"

/// The library's own templates on registers that xsimd makes of ordinary floats: they run the code of 4, 8 and 16 lanes
/// on any processor, and so prove it, though not xsimd's backend for an instruction set. Tiles are those of the set
/// with as many lanes. XSIMD_WITH_EMULATED is defined for these files only.
namespace conv2d::test {

extern const micro_kernels::KernelSet kEmulated128Kernels, kEmulated256Kernels, kEmulated512Kernels;
extern const Operations kEmulated128Operations, kEmulated256Operations, kEmulated512Operations;

}  // namespace conv2d::test
