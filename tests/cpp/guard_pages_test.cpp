// Detects over-reads that canaries miss: every tensor ends at an unreadable page, then begins after one. Native Linux
// only: WebAssembly memory has no page protection.
#if defined(__linux__) && !defined(__EMSCRIPTEN__)

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <csignal>

#include "conv2d/conv2d.hpp"
#include "problems/edge_cases.hpp"
#include "support/compare.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"
#include "support/page_guarded.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

Failure result_between_pages(const Plan& plan, const ConvDesc& d, const TensorValues& t, Guard guard,
                             const Exact& exact, const AlgorithmInfo& info) {
  const PageGuarded x(t.x, guard), w(t.w, guard), b(t.b, guard), dy(t.dy, guard);
  const PageGuarded out(out_size(plan.geometry(), plan.pass()), guard);
  const PageGuarded workspace(static_cast<std::size_t>(plan.workspace_floats()), guard);
  const Status status = run_on(
      plan,
      {.x = x.span(), .w = w.span(), .b = b.span(), .dy = dy.span(), .out = out.span(), .workspace = workspace.span()});
  if (!status.ok()) return std::string(status.message);
  return difference_beyond_bound(out.span(), exact, info, d, plan.pass(), t);
}

void read_outside(Guard guard) {
  const PageGuarded memory(7, guard);
  const volatile float* data = memory.span().data();
  const float beyond = guard == Guard::behind ? data[7] : data[-1];
  static_cast<void>(beyond);
}

}  // namespace

TEST_CASE("the guard pages catch a read one float past the end") {
  for (const Guard guard : {Guard::behind, Guard::in_front}) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      std::signal(SIGSEGV, SIG_DFL);  // neither Catch2 nor the sanitizer should report this signal
      std::signal(SIGBUS, SIG_DFL);
      read_outside(guard);
      _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
  }
}

TEST_CASE("no algorithm reads or writes one float outside its tensors and workspace", "[kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  Rng rng(23);
  for (const NamedProblem& problem : edge_cases()) {
    for (const Layout layout : kLayouts) {
      ConvDesc d = problem.desc;
      d.layout = layout;
      const Sizes sizes = *sizes_of(d);
      const TensorValues tensors = integer_tensors(d, sizes, rng);
      const Oracle expected = oracle(d, sizes, tensors);
      const Geometry g = resolve(d).value();
      for (const Pass pass : kPasses) {
        for (const AlgorithmInfo& info : algorithms(g, pass)) {
          if (!info.supported) continue;
          const Plan planned = plan(g, pass, {.algorithm = info.name}).value();
          for (const Guard guard : {Guard::behind, Guard::in_front}) {
            CAPTURE(problem.name, to_string(layout), to_string(pass), std::string(info.name), guard == Guard::behind);
            CHECK_THAT(result_between_pages(planned, d, tensors, guard, expected.of(pass), info), NoFailure());
          }
        }
      }
    }
  }
}

#endif
