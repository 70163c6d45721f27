#include "kernels/operations_impl.hpp"

namespace conv2d::test {

extern constexpr Operations kWasmOperations = make_operations<simd::Wasm>();

}  // namespace conv2d::test
