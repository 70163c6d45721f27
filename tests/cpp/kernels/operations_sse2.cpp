#include "kernels/operations_impl.hpp"

namespace conv2d::test {

extern constexpr Operations kSse2Operations = make_operations<simd::Sse2>();

}  // namespace conv2d::test
