// Where there can be threads: WebAssembly that was not built for them divides nothing.
#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <limits>
#include <string>

#include "conv2d/conv2d.hpp"
#include "problems/awkward.hpp"
#include "support/compare.hpp"
#include "support/divided.hpp"
#include "support/environment.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

// What a division does to results, without threads: the shares run one after the other. thread_pool_test.cpp has those.

namespace {

/// What the best cut depends on: many columns for a small image, a large image for few columns, batches; windows that
/// hang over the edge; the last panel of columns narrower, and wider, than the others.
constexpr ConvDesc kDivided[]{
    {.h = 7, .w = 7, .c = 5, .k = 136, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}},
    {.h = 3, .w = 4, .c = 96, .k = 83, .kh = 3, .kw = 3, .padding_mode = PaddingMode::full},
    {.h = 40, .w = 33, .c = 3, .k = 20, .kh = 5, .kw = 3, .stride_h = 2, .padding = {4, 0, 1, 2}},
    {.h = 31, .w = 9, .c = 8, .k = 3, .kh = 3, .kw = 1, .padding = {1, 1, 0, 0}},
    {.n = 9, .h = 6, .w = 5, .c = 16, .k = 16, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}},
    {.n = 13, .h = 6, .w = 5, .c = 7, .k = 40, .kh = 5, .kw = 5, .padding_mode = PaddingMode::same},
    {.h = 23, .w = 22, .c = 64, .k = 32, .kh = 3, .kw = 3, .stride_h = 3, .stride_w = 2, .padding = {2, 1, 0, 1}},
    {.n = 2, .h = 12, .w = 12, .c = 24, .k = 24, .kh = 3, .kw = 3, .groups = 24, .padding = {1, 1, 1, 1}},
    {.n = 2, .h = 7, .w = 6, .c = 256, .k = 256, .kh = 3, .kw = 3, .groups = 256, .padding = {1, 0, 1, 1}},
    {.h = 12, .w = 10, .c = 40, .k = 60, .kh = 2, .kw = 3, .dilation_w = 2, .groups = 5},
    {.n = 2, .h = 11, .w = 13, .c = 16, .k = 77, .kh = 1, .kw = 1},
    {.h = 11, .w = 8, .c = 384, .k = 2, .kh = 4, .kw = 5, .stride_h = 3, .stride_w = 2},
    {.h = 0, .w = 2, .c = 1, .k = 1, .kh = 1, .kw = 1, .padding = {1, 1, 1, 1}},
    {.n = 0, .h = 4, .w = 5, .c = 3, .k = 2, .kh = 3, .kw = 3},
};

struct Log {
  std::int64_t calls = 0, last = -1, allowed = std::numeric_limits<std::int64_t>::max();
  bool ordered = true;
};

bool count_calls(void* context, std::int64_t done, std::int64_t total) {
  Log& log = *static_cast<Log*>(context);
  log.ordered = log.ordered && done >= log.last && done <= total && total > 0;
  log.last = done;
  return ++log.calls <= log.allowed;
}

}  // namespace

TEST_CASE("the number of threads changes no bit, whatever is divided", "[kernels]") {
  const OnKernelSet set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  Rng rng(21);
  std::set<std::string> divided;
  for (ConvDesc d : kDivided) {
    for (const Layout layout : kLayouts) {
      d.layout = layout;
      TensorValues tensors = real_tensors(d, *sizes_of(d), rng);
      CHECK_THAT(failures_when_divided(d, tensors, {}, divided), NothingWrong());
      CHECK_THAT(failures_when_divided(d, tensors, backwards_team(), divided), NothingWrong());
      // Zeros of padding times these are not zero, and would show in a sum that had left them out.
      tensors.w.front() = tensors.w.back() = std::numeric_limits<float>::infinity();
      CHECK_THAT(failures_when_divided(d, tensors, backwards_team(), divided), NothingWrong());
    }
  }
  CHECK(divided == std::set<std::string>{
                       "backward_data depthwise", "backward_data implicit_gemm", "backward_data winograd_2x2",
                       "backward_data winograd_4x4", "backward_weights im2col_gemm", "backward_weights outer_product",
                       "forward depthwise", "forward implicit_gemm", "forward winograd_2x2", "forward winograd_4x4"});
}

TEST_CASE("property: the number of threads changes no bit", "[kernels]") {
  const OnKernelSet set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  std::set<std::string> divided;
  for (std::int64_t i = 0; i < set.share_of((property_runs() + 3) / 4); ++i) {
    const std::uint64_t seed = property_seed() + static_cast<std::uint64_t>(i);
    Rng rng(seed);
    const RandomProblem p = random_real_problem(rng);
    INFO("CONV2D_SEED=" << seed << " CONV2D_PROPERTY_RUNS=1");
    REQUIRE_THAT(failures_when_divided(p.desc, p.tensors, backwards_team(), divided), NothingWrong());
  }
}

TEST_CASE("a plan is divided where that pays, and never into more shares than asked for") {
  const ConvDesc large{.h = 56, .w = 56, .c = 64, .k = 64, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same};
  const ConvDesc small{.h = 8, .w = 8, .c = 4, .k = 4, .kh = 3, .kw = 3};
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
    CAPTURE(to_string(pass));
    CHECK(plan(large, pass)->threads() == 1);
    CHECK(plan(large, pass, {.threads = 2})->threads() == 2);
    CHECK(plan(large, pass, {.threads = 3})->threads() == 3);
    CHECK(plan(large, pass, {.threads = std::numeric_limits<int>::max()})->threads() <= 64);
    CHECK(plan(small, pass, {.threads = 2})->threads() == 1);
    // The scratch memory of every thread is part of the plan.
    const Plan one = plan(large, pass).value();
    const Plan two = plan(large, pass, {.algorithm = one.algorithm(), .threads = 2}).value();
    CHECK(two.algorithm() == one.algorithm());
    CHECK(two.workspace_floats() > one.workspace_floats() / 2);
  }
  for (const int threads : {0, -1}) {
    const Status status = plan(large, Pass::forward, {.threads = threads}).status();
    CAPTURE(status.message);
    CHECK_THAT(status, Fails(ErrorCode::invalid_argument, "threads"));
  }
}

TEST_CASE("shares in turn report one progress, and stopping it cancels all") {
  const ConvDesc d{.n = 4, .h = 48, .w = 40, .c = 16, .k = 32, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same};
  Rng rng(5);
  const TensorValues tensors = integer_tensors(d, *sizes_of(d), rng);
  for (const Pass pass : kPasses) {
    for (const AlgorithmInfo& info : algorithms(resolve(d).value(), pass)) {
      if (!info.supported) continue;
      const Plan planned = plan(d, pass, {.algorithm = info.name, .threads = 3}).value();
      if (planned.threads() == 1) continue;
      CAPTURE(to_string(pass), std::string(info.name));
      Log whole;
      CHECK_THAT(run(planned, tensors, {.step = count_calls, .context = &whole}).status, Succeeds());
      CHECK(whole.calls >= planned.threads());
      CHECK(whole.ordered);
      for (std::int64_t allowed = 0; allowed < whole.calls; allowed += 1 + whole.calls / 4) {
        Log stopped{.allowed = allowed};
        const Outcome outcome = run(planned, tensors, {.step = count_calls, .context = &stopped});
        CHECK_THAT(outcome.status, Fails(ErrorCode::cancelled));
        CHECK_THAT(outcome.trespass, NothingWrong());
        CHECK(stopped.calls == allowed + 1);
      }
    }
  }
}

#endif
