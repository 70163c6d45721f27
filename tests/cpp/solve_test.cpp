#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "support/rng.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

using Values = std::vector<std::int64_t>;

constexpr AxisField kFields[] = {AxisField::in,       AxisField::kernel, AxisField::stride,
                                 AxisField::dilation, AxisField::pad,    AxisField::out};

std::int64_t& member(Axis& a, AxisField field) {
  switch (field) {
    case AxisField::in:
      return a.in;
    case AxisField::kernel:
      return a.kernel;
    case AxisField::stride:
      return a.stride;
    case AxisField::dilation:
      return a.dilation;
    case AxisField::pad:
      return a.pad;
    case AxisField::out:
      break;
  }
  return a.out;
}

/// Whether the six members are consistent, by sliding the window.
bool holds(const Axis& a) {
  if (a.in < 0 || a.pad < 0 || a.kernel < 1 || a.stride < 1 || a.dilation < 1 || a.out < 1) return false;
  const std::int64_t reach = (a.kernel - 1) * a.dilation;
  std::int64_t windows = 0;
  for (std::int64_t start = 0; start + reach < a.in + a.pad; start += a.stride) ++windows;
  return windows == a.out;
}

Values by_trying(Axis a, AxisField field, std::int64_t lowest, std::int64_t highest) {
  Values values;
  for (std::int64_t v = lowest; v <= highest; ++v) {
    member(a, field) = v;
    if (holds(a)) values.push_back(v);
  }
  return values;
}

}  // namespace

TEST_CASE("stride 2: inputs of 5 and 6 give the same output") {
  const Axis axis{.kernel = 3, .stride = 2, .out = 2};
  CHECK(solve(axis, AxisField::in, 0, 100) == Values{5, 6});
  CHECK(solve(axis, AxisField::in, 6, 100) == Values{6});
  CHECK(solve(axis, AxisField::in, 0, 5) == Values{5});
  CHECK(solve(axis, AxisField::in, 7, 100).empty());
}

TEST_CASE("solve finds for every member the same values as trying all") {
  Rng rng(20240607);
  for (int run = 0; run < 4000; ++run) {
    const Axis axis{.in = rng.between(0, 14),
                    .kernel = rng.between(1, 5),
                    .stride = rng.between(1, 5),
                    .dilation = rng.between(1, 4),
                    .pad = rng.between(0, 6),
                    .out = rng.between(1, 6)};
    for (const AxisField field : kFields) {
      const std::int64_t lowest = rng.between(-3, 3), highest = rng.between(0, 25);
      CAPTURE(run, axis.in, axis.kernel, axis.stride, axis.dilation, axis.pad, axis.out, static_cast<int>(field),
              lowest, highest);
      REQUIRE(solve(axis, field, lowest, highest) == by_trying(axis, field, lowest, highest));
    }
  }
}

TEST_CASE("solve has no answer when another member is out of range") {
  for (const AxisField broken : kFields) {
    for (const AxisField field : kFields) {
      if (field == broken) continue;
      Axis axis{.in = 5, .kernel = 3, .out = 3};
      member(axis, broken) = -1;
      CHECK(solve(axis, field, 0, 10).empty());
    }
  }
}

TEST_CASE("solve handles numbers that overflow") {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  Rng rng(7);
  constexpr std::int64_t kHostile[] = {kLeast, -1, 0, 1, 2, kLargest / 2, kLargest - 1, kLargest};
  const auto any = [&] { return kHostile[rng.between(0, 7)]; };
  for (int run = 0; run < 20000; ++run) {
    const Axis axis{.in = any(), .kernel = any(), .stride = any(), .dilation = any(), .pad = any(), .out = any()};
    for (const AxisField field : kFields) REQUIRE(std::ssize(solve(axis, field, any(), any())) <= kMaxSolutions);
  }
}

TEST_CASE("unlimited solutions are listed from the smallest") {
  const Values strides = solve({.in = 5, .kernel = 3, .out = 1}, AxisField::stride, 1, std::int64_t{1} << 40);
  REQUIRE(std::ssize(strides) == kMaxSolutions);
  CHECK(strides.front() == 3);
  CHECK(strides.back() == kMaxSolutions + 2);
}
