// Requires a build with threads: WebAssembly built without them divides nothing.
#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "conv2d/conv2d.hpp"
#include "cost/constants.hpp"
#include "kernels/tested_sets.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

/// Plans of the custom set pay this many cycles for a fork to other threads.
class ForkCost {
 public:
  explicit ForkCost(double cycles) : costs_(*micro_kernels::select({})->costs) {
    costs_.loops.fork_join = cycles;
    custom_set() = *micro_kernels::select({});
    custom_set().instruction_set = kCustomSet;
    custom_set().costs = &costs_;
  }
  ForkCost(const ForkCost&) = delete;
  ForkCost& operator=(const ForkCost&) = delete;
  ~ForkCost() { custom_set() = {}; }

 private:
  cost::Constants costs_;
};

/// 38 million multiply-adds: each of two threads gets more than the minimum (PlanOptions::macs_per_thread).
constexpr ConvDesc kMedium{.h = 32, .w = 32, .c = 64, .k = 64, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}};

PlanOptions options(int threads, std::string_view algorithm = {}) {
  return {.algorithm = algorithm, .threads = threads, .instruction_set = kCustomSet, .deterministic = false};
}

double cost_on(int threads, std::string_view algorithm) {
  for (const AlgorithmInfo& info : algorithms(resolve(kMedium).value(), Pass::forward, options(threads))) {
    if (info.name == algorithm) return info.cost;
  }
  FAIL("no such algorithm");
  return 0;
}

int threads_of(std::string_view algorithm, double fork_cycles) {
  const ForkCost costs(fork_cycles);
  return plan(kMedium, Pass::forward, options(2, algorithm))->threads();
}

/// The cycles that two threads save beyond a quarter of the time, if a fork is free.
double saved(std::string_view algorithm) {
  const ForkCost costs(0);
  return 0.75 * cost_on(1, algorithm) - cost_on(2, algorithm);
}

}  // namespace

TEST_CASE("a plan is divided while that saves a quarter of the time, with its forks") {
  const std::string_view one_fork = "implicit_gemm";
  REQUIRE(saved(one_fork) > 0);
  CHECK(threads_of(one_fork, 0.9 * saved(one_fork)) == 2);
  CHECK(threads_of(one_fork, 1.1 * saved(one_fork)) == 1);
  // Algorithms with a common first phase fork twice.
  for (const std::string_view two_forks : {"winograd_2x2", "winograd_4x4"}) {
    CAPTURE(std::string(two_forks));
    REQUIRE(saved(two_forks) > 0);
    CHECK(threads_of(two_forks, 0.45 * saved(two_forks)) == 2);
    CHECK(threads_of(two_forks, 0.55 * saved(two_forks)) == 1);
  }
}

TEST_CASE("a plan uses no more threads than offered, and more threads never cost more") {
  for (const double cycles : {0.0, 3e3, 30e3, 180e3, 1e6}) {
    const ForkCost costs(cycles);
    for (const char* algorithm : {"implicit_gemm", "winograd_2x2", "winograd_4x4", "direct"}) {
      CAPTURE(cycles, algorithm);
      for (const int threads : {2, 4, 8}) CHECK(cost_on(threads, algorithm) <= cost_on(threads / 2, algorithm));
    }
  }
  // Explicit requests of tests and benchmarks are divided at any cost.
  const ForkCost costs(1e12);
  CHECK(plan(kMedium, Pass::forward, {.threads = 2, .instruction_set = kCustomSet})->threads() == 1);
  CHECK(plan(kMedium, Pass::forward, {.threads = 2, .macs_per_thread = 0, .instruction_set = kCustomSet})->threads() ==
        2);
}

#endif
