#include "kernels/operations_impl.hpp"

namespace conv2d::test {

extern constexpr Operations kNeonOperations = make_operations<simd::Neon>();

}  // namespace conv2d::test
