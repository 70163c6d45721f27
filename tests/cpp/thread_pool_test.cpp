// Requires threads: all builds except WebAssembly for pages that are not cross-origin isolated.
#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)

#include "conv2d/thread_pool.hpp"

#include <array>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <chrono>
#include <set>
#include <string>
#include <thread>

#include "conv2d/conv2d.hpp"
#include "problems/edge_cases.hpp"
#include "support/divided.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

/// Which tasks ran how often, and on which threads.
struct CallLog {
  std::array<std::atomic<int>, 8> calls{};
  std::array<std::thread::id, 8> thread{};

  static void record(void* log, int i) noexcept {
    auto& self = *static_cast<CallLog*>(log);
    const auto at = static_cast<std::size_t>(i);
    ++self.calls[at];
    self.thread[at] = std::this_thread::get_id();
  }
};

}  // namespace

TEST_CASE("a pool calls every task once: the first on the calling thread, each other on its own thread") {
  ThreadPool pool(4);
  REQUIRE(pool.threads() == 4);
  const Team team = pool.team();
  CHECK(team.threads == 4);
  for (const int count : {1, 2, 3, 4}) {
    CallLog log;
    team.run(team.context, count, CallLog::record, &log);
    for (int i = 0; i < 8; ++i) CHECK(log.calls[static_cast<std::size_t>(i)] == (i < count ? 1 : 0));
    CHECK(log.thread[0] == std::this_thread::get_id());
    const std::set<std::thread::id> different(log.thread.begin(), log.thread.begin() + count);
    CHECK(static_cast<int>(different.size()) == count);
  }
}

TEST_CASE("a pool of one uses the calling thread only") {
  ThreadPool pool(1);
  CHECK(pool.threads() == 1);
  CallLog log;
  const Team team = pool.team();
  team.run(team.context, 1, CallLog::record, &log);
  CHECK(log.calls[0] == 1);
}

TEST_CASE("a pool wakes after any pause, and ends while it is idle") {
  for (int pause = 0; pause < 4; ++pause) {
    ThreadPool pool(3);
    const Team team = pool.team();
    CallLog log;
    constexpr int kRounds = 2000;
    for (int round = 0; round < kRounds; ++round) {
      team.run(team.context, 1 + round % 3, CallLog::record, &log);
      // Sometimes long enough for the threads to sleep.
      if (round % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    }
    CHECK(log.calls[0] == kRounds);
    CHECK(log.calls[1] == 2 * kRounds / 3);
    CHECK(log.calls[2] == kRounds / 3);
  }
}

TEST_CASE("threads do not change the bits of any algorithm") {
  ThreadPool pool(3);
  Rng rng(22);
  std::set<std::string> divided;
  for (const NamedProblem& problem : edge_cases()) {
    for (const Layout layout : kLayouts) {
      ConvDesc d = problem.desc;
      d.layout = layout;
      CAPTURE(problem.name);
      CHECK_THAT(failures_when_divided(d, real_tensors(d, *sizes_of(d), rng), pool.team(), divided), NoFailure());
    }
  }
  CHECK(divided.size() == 16);
}

TEST_CASE("progress is reported on the calling thread only, and a stop request stops all threads") {
  struct Log {
    std::thread::id thread = std::this_thread::get_id();
    std::int64_t calls = 0, allowed = 0;
    bool elsewhere = false;
  };
  const auto step = [](void* context, std::int64_t, std::int64_t) noexcept {
    Log& log = *static_cast<Log*>(context);
    log.elsewhere = log.elsewhere || std::this_thread::get_id() != log.thread;
    return ++log.calls <= log.allowed;
  };
  const ConvDesc d{.n = 4, .h = 48, .w = 40, .c = 16, .k = 32, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same};
  Rng rng(6);
  const TensorValues tensors = integer_tensors(d, *sizes_of(d), rng);
  ThreadPool pool(2);
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
    const Plan planned = plan(d, pass, {.threads = 2}).value();
    REQUIRE(planned.threads() == 2);
    Log whole{.allowed = 1 << 20};
    CHECK_THAT(run(planned, tensors, {.step = step, .context = &whole}, pool.team()).status, Succeeds());
    CHECK(whole.calls >= 1);
    CHECK(!whole.elsewhere);
    for (const std::int64_t allowed : {std::int64_t{0}, whole.calls / 2}) {
      Log stopped{.allowed = allowed};
      const Outcome outcome = run(planned, tensors, {.step = step, .context = &stopped}, pool.team());
      CHECK_THAT(outcome.status, Fails(ErrorCode::cancelled));
      CHECK_THAT(outcome.stray_write, NoFailure());
      CHECK(stopped.calls == allowed + 1);
    }
  }
}

TEST_CASE("a team that is too small runs all parts on the calling thread") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  // Filters for three of the widest tiles, of 32 columns: three parts on any processor.
  const ConvDesc d{.h = 32, .w = 32, .c = 16, .k = 96, .kh = 3, .kw = 3};
  Rng rng(7);
  const TensorValues tensors = real_tensors(d, *sizes_of(d), rng);
  ThreadPool pool(2);
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
    const Plan planned = plan(d, pass, {.threads = 3}).value();
    REQUIRE(planned.threads() == 3);
    const Outcome outcome = run(planned, tensors, {}, pool.team());
    CHECK_THAT(outcome.status, Succeeds());
    CHECK_THAT(outcome.out, HasBitsOf(run(plan(d, pass, {.algorithm = planned.algorithm()}).value(), tensors).out));
  }
}

TEST_CASE("one plan runs on several threads at once, each with its own workspace") {
  const ConvDesc d{.n = 2, .h = 24, .w = 20, .c = 16, .k = 32, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same};
  Rng rng(8);
  const TensorValues tensors = real_tensors(d, *sizes_of(d), rng);
  const Geometry geometry = resolve(d).value();
  for (const Pass pass : kPasses) {
    for (const AlgorithmInfo& info : algorithms(geometry, pass)) {
      if (!info.supported) continue;
      CAPTURE(to_string(pass), std::string(info.name));
      const Plan planned = plan(geometry, pass, {.algorithm = info.name}).value();
      const Outcome alone = run(planned, tensors);
      std::array<Outcome, 3> outcomes;
      std::array<std::thread, 3> threads;
      for (std::size_t i = 0; i < threads.size(); ++i) {
        threads[i] = std::thread([&, i] { outcomes[i] = run(planned, tensors); });
      }
      for (std::thread& thread : threads) thread.join();
      for (const Outcome& outcome : outcomes) {
        CHECK_THAT(outcome.status, Succeeds());
        CHECK_THAT(outcome.out, HasBitsOf(alone.out));
      }
    }
  }
}

#endif
