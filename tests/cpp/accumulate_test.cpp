#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <limits>

#include "conv2d/conv2d.hpp"
#include "support/environment.hpp"
#include "support/failures.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

constexpr ConvDesc kSmall{.n = 2, .h = 6, .w = 5, .c = 3, .k = 4, .kh = 3, .kw = 2};

std::span<float> workspace_of(const Plan& planned, std::vector<float>& memory) {
  memory.assign(static_cast<std::size_t>(planned.workspace_floats()), std::numeric_limits<float>::quiet_NaN());
  return memory;
}

/// Every algorithm of dw and db on 1 to 3 parts: the sum must be that of the whole numbers before and what it writes
/// without accumulation, which other tests compare with the definition.
Failures failures_when_added(const ConvDesc& d, const TensorValues& t) {
  Failures failures;
  std::vector<float> memory;
  for (const Pass pass : {Pass::backward_weights, Pass::backward_bias}) {
    const Geometry g = resolve(d).value();
    for (const AlgorithmInfo& info : algorithms(g, pass, {.accumulate = true})) {
      if (!info.supported) continue;
      const Outcome alone = run(plan(g, pass, {.algorithm = info.name}).value(), t);
      for (const int threads : {1, 2, 3}) {
        const PlanOptions options{.algorithm = info.name, .threads = threads, .macs_per_thread = 0, .accumulate = true};
        const Plan planned = plan(g, pass, options).value();
        std::vector<float> out(alone.out.size()), expected = alone.out;
        for (std::size_t i = 0; i < out.size(); ++i) {
          out[i] = static_cast<float>(i % 17) - 8;
          expected[i] += out[i];
        }
        const Status status =
            run_on(planned, {.x = t.x, .dy = t.dy, .out = out, .workspace = workspace_of(planned, memory)});
        if (!status.ok() || out != expected)
          failures.add(Failure("adds something else"), info.name, threads, to_string(d));
      }
    }
  }
  return failures;
}

}  // namespace

TEST_CASE("every algorithm of dw and db adds its gradient exactly to integers", "[kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  for (std::int64_t i = 0; i < set.share_of((property_runs() + 3) / 4); ++i) {
    const std::uint64_t seed = property_seed() + static_cast<std::uint64_t>(i);
    Rng rng(seed);
    const RandomProblem p = random_integer_problem(rng);
    INFO("CONV2D_SEED=" << seed << " CONV2D_PROPERTY_RUNS=1");
    REQUIRE_THAT(failures_when_added(p.desc, p.tensors), NoFailure());
  }
}

TEST_CASE("the gradients of two halves of a batch add up to that of the batch") {
  Rng rng(5);
  const TensorValues t = integer_tensors(kSmall, *sizes_of(kSmall), rng);
  const Outcome whole = run(plan(kSmall, Pass::backward_weights).value(), t);
  ConvDesc half = kSmall;
  half.n = 1;
  const Plan planned = plan(half, Pass::backward_weights, {.accumulate = true}).value();
  std::vector<float> memory, out(whole.out.size());
  for (const std::size_t image : {0U, 1U}) {
    const auto part = [&](const std::vector<float>& all) {
      return std::span(all).subspan(image * all.size() / 2, all.size() / 2);
    };
    CHECK_THAT(
        run_on(planned, {.x = part(t.x), .dy = part(t.dy), .out = out, .workspace = workspace_of(planned, memory)}),
        Succeeds());
  }
  CHECK(out == whole.out);
}

TEST_CASE("accumulation is refused by name for passes that write y or dx") {
  for (const Pass pass : {Pass::forward, Pass::backward_data}) {
    CHECK_THAT(plan(kSmall, pass, {.accumulate = true}),
               Fails(ErrorCode::unsupported, "accumulate", {std::string(to_string(pass))}));
    for (const AlgorithmInfo& info : algorithms(resolve(kSmall).value(), pass, {.accumulate = true})) {
      CHECK(!info.supported);
    }
  }
}

TEST_CASE("a canceled run adds nothing") {
  Rng rng(6);
  const TensorValues t = integer_tensors(kSmall, *sizes_of(kSmall), rng);
  const ProgressHook cancel{.step = [](void*, std::int64_t, std::int64_t) noexcept { return false; }};
  const Plan planned = plan(kSmall, Pass::backward_weights, {.accumulate = true}).value();
  std::vector<float> memory, out(run(plan(kSmall, Pass::backward_weights).value(), t).out.size(), 7);
  CHECK_THAT(run_on(planned, {.x = t.x, .dy = t.dy, .out = out, .workspace = workspace_of(planned, memory)}, cancel),
             Fails(ErrorCode::cancelled, "progress", {}));
  CHECK(out == std::vector<float>(out.size(), 7));
}
