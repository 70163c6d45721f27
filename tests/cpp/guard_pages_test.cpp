// Over-reads that no canary sees: every tensor ends at a page that cannot be read, then begins after one.
// Native Linux only: WebAssembly memory has no pages to protect.
#if defined(__linux__) && !defined(__EMSCRIPTEN__)

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstring>

#include "conv2d/conv2d.hpp"
#include "problems/awkward.hpp"
#include "support/compare.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

enum class Guard { behind, in_front };

/// Floats that touch an unreadable page at one end.
class PageGuarded {
 public:
  PageGuarded(std::size_t size, Guard guard) : size_(size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inner = (size * sizeof(float) + page - 1) / page * page;
    bytes_ = inner + 2 * page;
    void* mapped = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(mapped != MAP_FAILED);
    base_ = static_cast<char*>(mapped);
    REQUIRE((inner == 0 || mprotect(base_ + page, inner, PROT_READ | PROT_WRITE) == 0));
    char* first = guard == Guard::behind ? base_ + page + inner - size * sizeof(float) : base_ + page;
    data_ = reinterpret_cast<float*>(first);
  }
  PageGuarded(const std::vector<float>& contents, Guard guard) : PageGuarded(contents.size(), guard) {
    if (!contents.empty()) std::memcpy(data_, contents.data(), contents.size() * sizeof(float));
  }
  PageGuarded(const PageGuarded&) = delete;
  PageGuarded& operator=(const PageGuarded&) = delete;
  ~PageGuarded() { munmap(base_, bytes_); }

  [[nodiscard]] std::span<float> span() const noexcept { return {data_, size_}; }

 private:
  char* base_ = nullptr;
  std::size_t bytes_ = 0;
  float* data_ = nullptr;
  std::size_t size_;
};

std::string result_between_pages(const Plan& plan, const ConvDesc& d, const Tensors& t, Guard guard, const Exact& exact,
                                 const AlgorithmInfo& info) {
  const PageGuarded x(t.x, guard), w(t.w, guard), b(t.b, guard), dy(t.dy, guard);
  const PageGuarded out(out_size(plan.geometry, plan.pass), guard);
  const PageGuarded workspace(static_cast<std::size_t>(plan.workspace_floats), guard);
  const Status status = run_on(
      plan,
      {.x = x.span(), .w = w.span(), .b = b.span(), .dy = dy.span(), .out = out.span(), .workspace = workspace.span()});
  return status.ok() ? difference_beyond_bound(out.span(), exact, info, d, t) : status.message;
}

void read_just(Guard guard) {
  const PageGuarded memory(7, guard);
  const volatile float* data = memory.span().data();
  const float beyond = guard == Guard::behind ? data[7] : data[-1];
  static_cast<void>(beyond);
}

}  // namespace

TEST_CASE("the guard pages stop a read of one float beyond") {
  for (const Guard guard : {Guard::behind, Guard::in_front}) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      std::signal(SIGSEGV, SIG_DFL);  // neither Catch2's nor the sanitizer's report is wanted here
      std::signal(SIGBUS, SIG_DFL);
      read_just(guard);
      _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
  }
}

TEST_CASE("no algorithm reads or writes one float beyond its tensors and workspace", "[kernels]") {
  Rng rng(23);
  for (const NamedProblem& problem : awkward_problems()) {
    for (const Layout layout : kLayouts) {
      ConvDesc d = problem.desc;
      d.layout = layout;
      const Sizes sizes = *sizes_of(d);
      const Tensors tensors = integer_tensors(d, sizes, rng);
      const Oracle expected = oracle(d, sizes, tensors);
      const Geometry g = resolve(d).value();
      for (const Pass pass : kPasses) {
        for (const AlgorithmInfo& info : algorithms(g, pass)) {
          if (!info.supported) continue;
          const Plan planned = plan(g, pass, {.algorithm = info.name}).value();
          for (const Guard guard : {Guard::behind, Guard::in_front}) {
            CAPTURE(problem.name, to_string(layout), to_string(pass), std::string(info.name), guard == Guard::behind);
            CHECK(result_between_pages(planned, d, tensors, guard, expected.of(pass), info) == "");
          }
        }
      }
    }
  }
}

#endif
