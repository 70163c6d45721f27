#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "support/divided.hpp"
#include "support/environment.hpp"
#include "support/guarded_buffer.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr Clamp kRelu{.lowest = 0};

/// y of a plan, and any wrong write.
Failure run_clamped(const Plan& plan, const TensorValues& t, const Clamp& clamp, std::vector<float>& y,
                    std::span<const float> packed = {}, const Team& team = {}) {
  GuardedBuffer out(out_size(plan.geometry(), Pass::forward));
  GuardedBuffer workspace(static_cast<std::size_t>(plan.workspace_floats()));
  const Status status = run(plan, {.x = t.x, .w = t.w, .packed = packed, .b = t.b, .out = out.span(), .clamp = clamp},
                            {.workspace = workspace.span(), .team = team});
  y.assign(out.span().begin(), out.span().end());
  if (!status.ok()) return "does not run: " + status.message;
  if (!out.intact() || !workspace.intact()) return "wrote outside its memory";
  return std::nullopt;
}

std::vector<float> clamped(std::vector<float> y, const Clamp& clamp) {
  for (float& value : y) {
    if (value <= clamp.lowest) value = clamp.lowest;
    if (value >= clamp.highest) value = clamp.highest;
  }
  return y;
}

Clamp random_clamp(Rng& rng) {
  constexpr Clamp kClamps[] = {kRelu, {0, 6}, {-0.25F, 0.5F}, {-0.0F, 0.0F}, {-kInfinity, -1}, {}};
  return kClamps[rng.between(0, std::ssize(kClamps) - 1)];
}

/// Compares the clamped runs of a plan, on one thread and on several, with packed weights and without, with the y of
/// the same plan, clamped afterwards.
Failure difference_of_plan(const Plan& plan, const TensorValues& t, const Clamp& clamp) {
  std::vector<float> y, got;
  if (const Failure failure = run_clamped(plan, t, {}, y)) return failure;
  const std::vector<float> expected = clamped(y, clamp);
  std::vector<float> packed(static_cast<std::size_t>(plan.packed_floats()));
  if (!packed.empty() && !pack_weights(plan, t.w, packed).ok()) return "does not pack";
  for (const Team& team : {Team{}, reversed_team()}) {
    for (const std::span<const float> weights : {std::span<const float>{}, std::span<const float>(packed)}) {
      if (const Failure failure = run_clamped(plan, t, clamp, got, weights, team)) return failure;
      if (const Failure failure = difference_of_bits(got, expected)) return failure;
    }
  }
  return std::nullopt;
}

Failures failures_of_clamp(const ConvDesc& d, const TensorValues& t, const Clamp& clamp) {
  Failures failures;
  for (const AlgorithmInfo& info : algorithms(resolve(d).value(), Pass::forward)) {
    if (!info.supported) continue;
    for (const int threads : {1, 3}) {
      const Plan planned =
          plan(d, Pass::forward, {.algorithm = info.name, .threads = threads, .macs_per_thread = 0}).value();
      failures.add(difference_of_plan(planned, t, clamp), to_string(d), info.name, threads);
    }
  }
  return failures;
}

/// Some elements become special values, others zeros of both signs.
void add_special_values(std::vector<float>& values, Rng& rng) {
  constexpr float kSpecial[] = {kNaN, kInfinity, -kInfinity, 0.0F, -0.0F};
  for (float& value : values) {
    if (rng.one_in(30)) value = kSpecial[rng.between(0, std::ssize(kSpecial) - 1)];
  }
}

}  // namespace

TEST_CASE("property: y that is clamped as it is stored has the bits of y that is clamped afterwards",
          "[kernels][clamp]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  const std::int64_t small = set.share_of((property_runs() + 3) / 4), large = set.share_of(large_runs());
  for (std::int64_t i = 0; i < small + large; ++i) {
    const std::uint64_t seed = property_seed() + static_cast<std::uint64_t>(i);
    INFO("problem " << i << " with seed " << seed);
    Rng rng(seed);
    RandomProblem p = i < small ? random_real_problem(rng) : random_large_problem(rng, Data::reals);
    if (rng.one_in(2)) {
      add_special_values(p.tensors.x, rng);
      add_special_values(p.tensors.b, rng);
    }
    REQUIRE_THAT(failures_of_clamp(p.desc, p.tensors, random_clamp(rng)), NoFailure());
  }
}

TEST_CASE("y of depthwise kernels of several tiles of taps is clamped once, at the end", "[kernels][clamp]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  Rng rng(7);
  for (const auto& [channels, side] : {std::pair{16, 1}, {16, 3}, {16, 5}, {256, 3}, {48, 7}, {5, 3}, {5, 4}}) {
    const ConvDesc d{.h = 9,
                     .w = 10,
                     .c = channels,
                     .k = channels,
                     .kh = side,
                     .kw = side,
                     .groups = channels,
                     .padding_mode = PaddingMode::same};
    const TensorValues t = real_tensors(d, *sizes_of(d), rng);
    CHECK_THAT(failures_of_clamp(d, t, kRelu), NoFailure());
  }
}

TEST_CASE("a clamp at 0 is a ReLU: NaN stays, and both zeros become +0", "[clamp]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  const ConvDesc d{.h = 1, .w = 7, .c = 1, .k = 1, .kh = 1, .kw = 1};
  const TensorValues t{
      .x = {kNaN, -0.0F, 0.0F, -1, 2, kInfinity, -kInfinity}, .w = {1}, .b = {-0.0F}, .dy = std::vector<float>(7)};
  for (const AlgorithmInfo& info : algorithms(resolve(d).value(), Pass::forward)) {
    if (!info.supported) continue;
    INFO(info.name);
    const Plan planned = plan(d, Pass::forward, {.algorithm = info.name}).value();
    std::vector<float> y;
    REQUIRE_THAT(run_clamped(planned, t, kRelu, y), NoFailure());
    CHECK_THAT(y, HasBitsOf(std::vector{kNaN, 0.0F, 0.0F, 0.0F, 2.0F, kInfinity, 0.0F}));
    REQUIRE_THAT(run_clamped(planned, t, {0, 1.5F}, y), NoFailure());
    CHECK_THAT(y, HasBitsOf(std::vector{kNaN, 0.0F, 0.0F, 0.0F, 1.5F, 1.5F, 0.0F}));
  }
}

TEST_CASE("a clamp with its ends exchanged or NaN is refused in forward, and ignored in other passes", "[clamp]") {
  const ConvDesc d{.h = 2, .w = 2, .c = 1, .k = 1, .kh = 1, .kw = 1};
  const std::vector<float> four(4, 1), one(1, 1);
  std::vector<float> y(4), db(1), workspace(1000);
  const Plan forward_plan = plan(d, Pass::forward).value(), bias_plan = plan(d, Pass::backward_bias).value();
  for (const Clamp& wrong : {Clamp{1, 0}, {kNaN, 0}, {0, kNaN}}) {
    const Status status = run(forward_plan, {.x = four, .w = one, .out = y, .clamp = wrong}, {.workspace = workspace});
    CHECK(status.code == ErrorCode::invalid_argument);
    CHECK(status.field == "clamp");
    CHECK(run(bias_plan, {.dy = four, .out = db, .clamp = wrong}, {.workspace = workspace}).ok());
  }
}
