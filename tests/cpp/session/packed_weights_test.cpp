#include "session/packed_weights.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "session/buffer.hpp"
#include "support/matchers.hpp"
#include "support/rng.hpp"

using namespace conv2d;
using namespace conv2d::session;
using namespace conv2d::test;

namespace {

constexpr ConvDesc kDesc{.h = 6, .w = 5, .c = 5, .k = 7, .kh = 3, .kw = 2};

std::vector<float> some_weights() {
  Rng rng(3);
  std::vector<float> w(static_cast<std::size_t>(resolve(kDesc)->w_size));
  for (float& value : w) value = rng.real();
  return w;
}

std::vector<float> packed_by_the_library(const Plan& plan, const std::vector<float>& w) {
  std::vector<float> packed(static_cast<std::size_t>(plan.packed_floats()));
  REQUIRE(pack_weights(plan, w, packed).ok());
  return packed;
}

}  // namespace

TEST_CASE("weights are packed at the second run, for each pass separately", "[session]") {
  const std::vector<float> w = some_weights();
  const Plan forward = plan(kDesc, Pass::forward, {.algorithm = "implicit_gemm"}).value();
  const Plan backward = plan(kDesc, Pass::backward_data, {.algorithm = "implicit_gemm"}).value();
  PackedWeights packed;
  CHECK(packed.for_run(forward, w).empty());
  CHECK_THAT(packed.for_run(forward, w), HasBitsOf(packed_by_the_library(forward, w)));
  CHECK(packed.for_run(backward, w).empty());
  CHECK_THAT(packed.for_run(backward, w), HasBitsOf(packed_by_the_library(backward, w)));
  CHECK(packed.for_run(forward, w).data() == packed.for_run(forward, w).data());

  packed.invalidate(Pass::forward);
  CHECK(!packed.for_run(backward, w).empty());
  CHECK(packed.for_run(forward, w).empty());
  CHECK(!packed.for_run(forward, w).empty());
  packed.invalidate();
  CHECK(packed.for_run(forward, w).empty());
  CHECK(packed.for_run(backward, w).empty());
}

TEST_CASE("weights that cannot be packed are read unpacked every time", "[session]") {
  const std::vector<float> w = some_weights();
  const Plan direct = plan(kDesc, Pass::forward, {.algorithm = "direct"}).value();
  const Plan packs = plan(kDesc, Pass::forward, {.algorithm = "implicit_gemm"}).value();
  PackedWeights packed;
  for (int run = 0; run < 3; ++run) CHECK(packed.for_run(direct, w).empty());
  const std::span<const float> too_few = std::span(w).first(w.size() - 1);
  for (int run = 0; run < 3; ++run) CHECK(packed.for_run(packs, too_few).empty());
  // Weights of the correct length are then packed as usual.
  CHECK_THAT(packed.for_run(packs, w), HasBitsOf(packed_by_the_library(packs, w)));
}

TEST_CASE("a buffer has exactly the requested length, aligned, or is empty", "[session]") {
  Buffer<float> buffer;
  CHECK(buffer.span().empty());
  for (const std::int64_t length : {1, 17, 4096, 3}) {
    REQUIRE(buffer.reserve(length, "it").ok());
    REQUIRE(buffer.span().size() == static_cast<std::size_t>(length));
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.span().data()) % 64 == 0);
    for (float& value : buffer.span()) value = 1;  // the sanitizer checks the access
  }
  const float* const block = buffer.span().data();
  REQUIRE(buffer.reserve(3, "it").ok());
  CHECK(buffer.span().data() == block);
  const Status negative = buffer.reserve(-2, "it");
  CHECK(negative.code == ErrorCode::invalid_argument);
  CHECK(negative.message == "it cannot have -2 elements");
  CHECK(buffer.span().empty());
  REQUIRE(buffer.reserve(3, "it").ok());
  const Status large = buffer.reserve(std::int64_t{1} << 62, "it");
  CHECK(large.code == ErrorCode::out_of_memory);
  CHECK(large.field == "it");
  CHECK(large.message == "it needs 9223372036854775807 bytes, more memory than is available");
  CHECK(buffer.span().empty());
  REQUIRE(buffer.reserve(0, "it").ok());
  buffer.release();
  CHECK(buffer.span().empty());
}

TEST_CASE("a buffer reserved with a minimum length keeps a larger block", "[session]") {
  Buffer<float> buffer;
  REQUIRE(buffer.reserve_at_least(4096, "it").ok());
  float* const block = buffer.span().data();
  buffer.span()[17] = 3;
  for (const std::int64_t length : {17, 0, 4096, 1}) {
    REQUIRE(buffer.reserve_at_least(length, "it").ok());
    CHECK(buffer.span().data() == block);
    CHECK(buffer.span().size() == 4096);
  }
  CHECK(buffer.span()[17] == 3);
  REQUIRE(buffer.reserve_at_least(4097, "it").ok());
  CHECK(buffer.span().size() == 4097);
  CHECK(buffer.reserve_at_least(-1, "it").code == ErrorCode::invalid_argument);
}
