// Requires a build with threads: WebAssembly built without them divides nothing.
#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <limits>
#include <string>

#include "conv2d/conv2d.hpp"
#include "conv2d/thread_pool.hpp"
#include "problems/edge_cases.hpp"
#include "support/compare.hpp"
#include "support/divided.hpp"
#include "support/environment.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

// The effect of a division on results, without threads: the parts run one after the other. thread_pool_test.cpp covers
// threads.

namespace {

/// Cases that decide the best division: many columns for a small image, a large image for few columns, one channel,
/// batches, windows that extend past the edge, a last panel of columns that is narrower or wider than the others.
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
    {.n = 2, .h = 47, .w = 41, .c = 1, .k = 1, .kh = 3, .kw = 2, .padding = {0, 1, 1, 0}},
    {.h = 0, .w = 2, .c = 1, .k = 1, .kh = 1, .kw = 1, .padding = {1, 1, 1, 1}},
    {.n = 0, .h = 4, .w = 5, .c = 3, .k = 2, .kh = 3, .kw = 3},
};

struct Log {
  std::int64_t calls = 0, last = -1, allowed = std::numeric_limits<std::int64_t>::max();
  bool ordered = true;
};

bool count_calls(void* context, std::int64_t done, std::int64_t total) noexcept {
  Log& log = *static_cast<Log*>(context);
  log.ordered = log.ordered && done >= log.last && done <= total && total > 0;
  log.last = done;
  return ++log.calls <= log.allowed;
}

}  // namespace

TEST_CASE("the number of threads changes no bit, for all divisions", "[kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  Rng rng(21);
  std::set<std::string> divided;
  for (ConvDesc d : kDivided) {
    for (const Layout layout : kLayouts) {
      d.layout = layout;
      TensorValues tensors = real_tensors(d, *sizes_of(d), rng);
      CHECK_THAT(failures_when_divided(d, tensors, {}, divided), NoFailure());
      CHECK_THAT(failures_when_divided(d, tensors, reversed_team(), divided, {2, 3, 5, 16, 64}), NoFailure());
      // Zeros of padding times these values are not zero, so a sum that skips them differs.
      tensors.w.front() = tensors.w.back() = std::numeric_limits<float>::infinity();
      CHECK_THAT(failures_when_divided(d, tensors, reversed_team(), divided), NoFailure());
    }
  }
  CHECK(divided == std::set<std::string>{"backward_bias sum",
                                         "backward_data col2im",
                                         "backward_data depthwise",
                                         "backward_data implicit_gemm",
                                         "backward_data plane",
                                         "backward_data winograd_2x2",
                                         "backward_data winograd_4x4",
                                         "backward_weights depthwise",
                                         "backward_weights im2col_gemm",
                                         "backward_weights outer_product",
                                         "backward_weights plane",
                                         "backward_weights winograd_2x2",
                                         "backward_weights winograd_4x4",
                                         "forward depthwise",
                                         "forward im2col_gemm",
                                         "forward im2col_gemm_c_kh_kw",
                                         "forward implicit_gemm",
                                         "forward plane",
                                         "forward winograd_2x2",
                                         "forward winograd_4x4"});
}

TEST_CASE("property: the number of threads changes no bit", "[kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  std::set<std::string> divided;
  for (std::int64_t i = 0; i < set.share_of((property_runs() + 3) / 4); ++i) {
    const std::uint64_t seed = property_seed() + static_cast<std::uint64_t>(i);
    Rng rng(seed);
    const RandomProblem p = random_real_problem(rng);
    INFO("CONV2D_SEED=" << seed << " CONV2D_PROPERTY_RUNS=1");
    const auto many = static_cast<int>(rng.between(4, 64));
    REQUIRE_THAT(failures_when_divided(p.desc, p.tensors, reversed_team(), divided, {2, 3, many}), NoFailure());
  }
}

TEST_CASE("property: up to 64 threads change no bit of larger problems", "[kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  std::set<std::string> divided;
  for (std::int64_t i = 0; i < set.share_of(large_runs()); ++i) {
    const std::uint64_t seed = property_seed() + static_cast<std::uint64_t>(i);
    Rng rng(seed);
    const RandomProblem p = random_large_problem(rng, Data::reals);
    const auto few = static_cast<int>(rng.between(2, 8)), many = static_cast<int>(rng.between(9, 64));
    INFO("CONV2D_SEED=" << seed << " CONV2D_PROPERTY_RUNS=1");
    REQUIRE_THAT(failures_when_divided(p.desc, p.tensors, reversed_team(), divided, {few, many}), NoFailure());
  }
}

TEST_CASE("default plans of large passes use all threads and give the bits of one thread") {
  struct Large {
    Pass pass;
    ConvDesc desc;
  };
#if defined(CONV2D_TEST_ASAN) || defined(__SANITIZE_THREAD__) || defined(__aarch64__)
  constexpr std::int64_t kSize = 56;  // larger sizes take minutes with the sanitizers or in an emulator
#else
  constexpr std::int64_t kSize = 112;
#endif
  constexpr Large kLarge[]{
      {Pass::backward_data,
       {.h = kSize, .w = kSize, .c = 16, .k = 256, .kh = 5, .kw = 5, .padding_mode = PaddingMode::same}},
      {Pass::backward_bias, {.n = 16, .h = 56, .w = 56, .c = 64, .k = 256}},
      {Pass::backward_bias, {.layout = Layout::nchw, .n = 16, .h = 56, .w = 56, .c = 64, .k = 250}},
      {Pass::backward_bias, {.n = 3, .h = 155, .w = 97, .c = 64, .k = 65}}};
  Rng rng(24);
  for (const Large& large : kLarge) {
    const TensorValues tensors = real_tensors(large.desc, *sizes_of(large.desc), rng);
    const Plan one = plan(large.desc, large.pass).value();
    const std::vector<float> expected = run(one, tensors).out;
    for (const int threads : {2, 3, 8}) {
      CAPTURE(to_string(large.pass), threads);
      const Plan planned = plan(large.desc, large.pass, {.threads = threads}).value();
      CHECK(planned.algorithm() == one.algorithm());
      CHECK(planned.threads() == threads);
      CHECK_THAT(run(planned, tensors, {}, reversed_team()).out, HasBitsOf(expected));
      ThreadPool pool(threads);
      CHECK_THAT(run(planned, tensors, {}, pool.team()).out, HasBitsOf(expected));
    }
  }
}

TEST_CASE("with default options the number of threads changes neither the algorithm nor any bit") {
  Rng rng(23);
#if defined(CONV2D_TEST_ASAN) || defined(__aarch64__)
  constexpr std::int64_t kSizes[] = {7, 14, 28};  // larger sizes take minutes with the sanitizers or in an emulator
#else
  constexpr std::int64_t kSizes[] = {7, 14, 28, 56};
#endif
  int divided = 0;
  for (const std::int64_t size : kSizes) {
    for (const std::int64_t channels : {16, 32, 64, 128}) {
      const ConvDesc d{
          .h = size, .w = size, .c = channels, .k = channels, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same};
      const TensorValues tensors = real_tensors(d, *sizes_of(d), rng);
      for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
        const Plan one = plan(d, pass).value();
        const std::vector<float> expected = run(one, tensors).out;
        for (const int threads : {2, 4, 8}) {
          CAPTURE(size, channels, to_string(pass), threads);
          const Plan planned = plan(d, pass, {.threads = threads}).value();
          CHECK(planned.algorithm() == one.algorithm());
          CHECK_THAT(run(planned, tensors, {}, reversed_team()).out, HasBitsOf(expected));
          if (planned.threads() > 1) ++divided;
        }
      }
    }
  }
  CHECK(divided > 20);
}

namespace {

/// The name with the lowest estimated time; the first of several equals.
std::string_view lowest_cost_name(const Geometry& g, Pass pass, const PlanOptions& options) {
  std::string_view name;
  double least = std::numeric_limits<double>::infinity();
  for (const AlgorithmInfo& info : algorithms(g, pass, options)) {
    if (!info.supported || info.cost >= least) continue;
    name = info.name;
    least = info.cost;
  }
  return name;
}

}  // namespace

TEST_CASE("without determinism the plan takes the fastest algorithm for the number of threads") {
  [[maybe_unused]] int differing = 0;  // counted everywhere, checked on x86-64
  for (const std::int64_t size : {14, 28, 56}) {
    for (const std::int64_t channels : {16, 32, 64, 128}) {
      const Geometry g =
          resolve(
              {.h = size, .w = size, .c = channels, .k = channels, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same})
              .value();
      for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
        for (const int threads : {2, 4, 8}) {
          CAPTURE(size, channels, to_string(pass), threads);
          const PlanOptions free{.threads = threads, .deterministic = false};
          CHECK(plan(g, pass, free)->algorithm() == lowest_cost_name(g, pass, free));
          CHECK(plan(g, pass, {.threads = threads})->algorithm() == lowest_cost_name(g, pass, {}));
          if (plan(g, pass, free)->algorithm() != lowest_cost_name(g, pass, {})) ++differing;
        }
      }
    }
  }
#if defined(__x86_64__)
  // The cost coefficients of some processors make another algorithm the fastest on more threads; those of NEON do not.
  CHECK(differing > 0);
#endif
}

TEST_CASE("a plan is divided where that is faster, and into at most the requested number of parts") {
  const ConvDesc large{.h = 56, .w = 56, .c = 64, .k = 64, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same};
  const ConvDesc small{.h = 8, .w = 8, .c = 4, .k = 4, .kh = 3, .kw = 3};
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
    CAPTURE(to_string(pass));
    CHECK(plan(large, pass)->threads() == 1);
    CHECK(plan(large, pass, {.threads = 2})->threads() == 2);
    // Two parts, where three would not be faster.
    CHECK(plan(large, pass, {.threads = 3})->threads() >= 2);
    CHECK(plan(large, pass, {.threads = 3})->threads() <= 3);
    CHECK(plan(large, pass, {.threads = std::numeric_limits<int>::max()})->threads() <= 64);
    CHECK(plan(small, pass, {.threads = 2})->threads() == 1);
    // The plan includes the scratch memory of every thread.
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

TEST_CASE("parts that run in turn report one progress, and a stop request cancels all") {
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
      CHECK(whole.calls >= 1);
      CHECK(whole.ordered);
      for (std::int64_t allowed = 0; allowed < whole.calls; allowed += 1 + whole.calls / 4) {
        Log stopped{.allowed = allowed};
        const Outcome outcome = run(planned, tensors, {.step = count_calls, .context = &stopped});
        CHECK_THAT(outcome.status, Fails(ErrorCode::cancelled));
        CHECK_THAT(outcome.stray_write, NoFailure());
        CHECK(stopped.calls == allowed + 1);
      }
    }
  }
}

#endif
