#include "kernels/operations_impl.hpp"

namespace conv2d::test {

extern constexpr Operations kPortableOperations = make_operations<simd::Portable>();

}  // namespace conv2d::test
