#pragma once

#include "kernels/operations.hpp"
#include "micro_kernels/kernel_set.hpp"

/// The templates of the library on registers that xsimd emulates with ordinary floats. They run the code for 4, 8 and
/// 16 lanes on any processor and test it, but not the xsimd backend of an instruction set. The tiles are those of the
/// set with as many lanes. XSIMD_WITH_EMULATED is defined for these files only.
namespace conv2d::test {

extern const micro_kernels::KernelSet kEmulated128Kernels, kEmulated256Kernels, kEmulated512Kernels;
extern const Operations kEmulated128Operations, kEmulated256Operations, kEmulated512Operations;

}  // namespace conv2d::test
