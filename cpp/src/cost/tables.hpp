#pragma once

#include "cost/constants.hpp"

namespace conv2d::cost {

// One table per family of processors; a KernelSet names its table. Sets without measurements of their own (AVX-512,
// SSE2, NEON, the emulated sets) use kZen3.
extern const Constants kZen3, kWasmSimd, kWasmRelaxed;

}  // namespace conv2d::cost
