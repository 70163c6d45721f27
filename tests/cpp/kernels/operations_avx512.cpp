#include "kernels/operations_impl.hpp"

namespace conv2d::test {

extern constexpr Operations kAvx512Operations = make_operations<simd::Avx512>();

}  // namespace conv2d::test
