#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "algorithms/prepared_pass.hpp"
#include "engines/engines.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::test;
using algorithm::PackedTag;

namespace {

using Floats = std::array<float, PackedTag::kFloats>;

PackedTag tag(std::uint64_t order, std::string_view version) {
  return PackedTag(resolve({.h = 9, .w = 8, .c = 4, .k = 6, .kh = 3, .kw = 3}).value(), Pass::forward, "implicit_gemm",
                   "avx2", order, version);
}

}  // namespace

TEST_CASE("the tag of packed weights has the version of the library and the order of the weights", "[engines]") {
  Floats floats{};
  tag(2, "0.1.0").write(floats.data());
  CHECK_THAT(tag(2, "0.1.0").check(floats.data()), Succeeds());
  for (const PackedTag& other : {tag(2, "0.1.1"), tag(2, "0.2.0"), tag(2, ""), tag(4, "0.1.0")}) {
    CHECK_THAT(other.check(floats.data()),
               Fails(ErrorCode::invalid_argument, "packed",
                     {"w for forward by implicit_gemm on avx2", "another version of the library"}));
  }
  // Any other bytes are refused, too.
  floats.fill(1);
  CHECK_THAT(tag(2, "0.1.0").check(floats.data()), Fails(ErrorCode::invalid_argument, "packed", {"did not write"}));
}

TEST_CASE("engines with other panels have another order of packed weights", "[engines]") {
  const micro_kernels::KernelSet& kernels = *micro_kernels::select({});
  const auto order_of = [&](std::int64_t c, std::int64_t k) {
    const Geometry g = resolve({.h = 9, .w = 9, .c = c, .k = k}).value();
    return engine::prepare_windows(g, Pass::forward, {.kernels = &kernels})->packed_order();
  };
  const std::int64_t lanes = kernels.lanes;
  // Panels of two registers, of four (a short reduction), and dot tiles.
  const std::uint64_t two = order_of(128, 4 * lanes), four = order_of(16, 4 * lanes), dots = order_of(lanes, 1);
  CHECK(two != four);
  CHECK(two != dots);
  CHECK(four != dots);
  CHECK(order_of(128, 4 * lanes) == two);
  CHECK(order_of(256, 8 * lanes) == two);
}
