#pragma once

#include "cost/constants.hpp"

namespace conv2d::cost {

// One table per family of processors; a KernelSet names that of those it is for. Sets that nobody has measured by
// themselves (AVX-512, SSE2, NEON, the emulated ones) take kZen3.
extern const Constants kZen3, kWasmSimd, kWasmRelaxed;

}  // namespace conv2d::cost
