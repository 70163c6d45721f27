#include "kernels/operations_impl.hpp"

namespace conv2d::test {

extern constexpr Operations kAvx2Operations = make_operations<simd::Avx2>();

}  // namespace conv2d::test
