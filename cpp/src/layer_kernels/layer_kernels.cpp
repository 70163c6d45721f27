#include "layer_kernels/layer_kernels.hpp"

#include "compiler/compiler.hpp"

namespace conv2d::layer_kernels {

#if defined(CONV2D_X86_64)
extern const LayerKernels kSse2LayerKernels, kAvx2LayerKernels, kAvx512LayerKernels;
#elif defined(CONV2D_AARCH64)
extern const LayerKernels kNeonLayerKernels;
#elif defined(__wasm__)
extern const LayerKernels kWasmLayerKernels;
#else
extern const LayerKernels kPortableLayerKernels;
#endif

std::span<const LayerKernels* const> compiled() noexcept {
  static constexpr const LayerKernels* kTables[] = {
#if defined(CONV2D_X86_64)
    &kAvx512LayerKernels,
    &kAvx2LayerKernels,
    &kSse2LayerKernels,
#elif defined(CONV2D_AARCH64)
    &kNeonLayerKernels,
#elif defined(__wasm__)
    &kWasmLayerKernels,
#else
    &kPortableLayerKernels,
#endif
  };
  return kTables;
}

const LayerKernels& of(std::string_view instruction_set) noexcept {
  for (const std::span<const LayerKernels* const> tables : {compiled(), test_kernels()}) {
    for (const LayerKernels* table : tables) {
      if (table->instruction_set == instruction_set) return *table;
    }
  }
  return *compiled().back();
}

}  // namespace conv2d::layer_kernels
