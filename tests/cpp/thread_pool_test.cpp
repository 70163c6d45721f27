// Requires threads: all builds except WebAssembly for pages that are not cross-origin isolated.
#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)

#include "conv2d/thread_pool.hpp"

#include <array>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <chrono>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "conv2d/conv2d.hpp"
#include "problems/edge_cases.hpp"
#include "support/compare.hpp"
#include "support/divided.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

#if !defined(__EMSCRIPTEN__) && !defined(_WIN32)
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

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

/// Runs `count` tasks, each of which waits until all have begun: so each has a thread of its own.
template <class Work>
void run_together(const Team& team, int count, const Work& work) {
  struct Meeting {
    const Work& work;
    int count;
    std::atomic<int> begun{0};
  } meeting{work, count};
  const auto task = [](void* argument, int i) noexcept {
    auto& all = *static_cast<Meeting*>(argument);
    ++all.begun;
    while (all.begun < all.count) std::this_thread::yield();
    all.work(i);
  };
  team.run(team.context, count, task, &meeting);
}

}  // namespace

TEST_CASE("a pool calls every task once: the first on the calling thread, and each on its own thread if all run") {
  ThreadPool pool(4);
  REQUIRE(pool.threads() == 4);
  const Team team = pool.team();
  CHECK(team.threads == 4);
  for (const int count : {1, 2, 3, 4}) {
    CallLog log;
    run_together(team, count, [&](int i) { CallLog::record(&log, i); });
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

TEST_CASE("several callers can use one pool at the same time: each task runs once") {
  constexpr int kTasks = 3, kRounds = 20000;
  ThreadPool pool(kTasks);
  const Team team = pool.team();
  std::array<std::atomic<int>, 3> wrong{};
  std::array<std::thread, 3> callers;
  for (std::size_t i = 0; i < callers.size(); ++i) {
    callers[i] = std::thread([&team, &failed = wrong[i]] {
      for (int round = 0; round < kRounds; ++round) {
        CallLog log;
        team.run(team.context, kTasks, CallLog::record, &log);
        for (std::size_t task = 0; task < kTasks; ++task) failed += log.calls[task] == 1 ? 0 : 1;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const std::atomic<int>& failed : wrong) CHECK(failed == 0);
}

TEST_CASE("a caller runs its tasks itself while the pool works for another one") {
  struct Busy {
    Team team;
    std::atomic<bool> done{false};
    CallLog inner{};
  };
  ThreadPool pool(3);
  Busy busy{.team = pool.team()};
  // The pool's own threads work until the second call has returned.
  const auto task = [](void* argument, int i) noexcept {
    Busy& all = *static_cast<Busy*>(argument);
    if (i > 0) return all.done.wait(false);
    all.team.run(all.team.context, 3, CallLog::record, &all.inner);
    all.done = true;
    all.done.notify_all();
  };
  busy.team.run(busy.team.context, 3, task, &busy);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(busy.inner.calls[i] == 1);
    CHECK(busy.inner.thread[i] == std::this_thread::get_id());
  }
  // Afterwards its threads work again.
  CallLog after;
  run_together(busy.team, 3, [&](int i) { CallLog::record(&after, i); });
  CHECK(std::set<std::thread::id>(after.thread.begin(), after.thread.begin() + 3).size() == 3);
}

TEST_CASE("a pool has at most as many threads as a plan can use") {
  CHECK(ThreadPool(std::numeric_limits<int>::max()).threads() <= kMaxThreads);
  CHECK(ThreadPool(std::numeric_limits<int>::min()).threads() == 1);
}

#if !defined(__EMSCRIPTEN__) && !defined(_WIN32)

namespace {

/// Runs `act` in a forked process, which is killed after a minute. Returns whether it returned true.
template <class Act>
bool in_child(const Act& act) {
  const pid_t child = fork();
  if (child == 0) {
    ::signal(SIGALRM, SIG_DFL);
    alarm(60);
    _exit(act() ? 0 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("after fork(), a pool works in the child and in the parent, and ends in both") {
  const auto calls_all = [](ThreadPool& pool) {
    CallLog log;
    const Team team = pool.team();
    team.run(team.context, team.threads, CallLog::record, &log);
    for (int i = 0; i < team.threads; ++i) {
      if (log.calls[static_cast<std::size_t>(i)] != 1) return false;
    }
    return true;
  };
  auto pool = std::make_unique<ThreadPool>(3);
  CHECK(in_child([&] { return calls_all(*pool); }));  // before its first task
  CHECK(calls_all(*pool));
  CHECK(in_child([&] { return calls_all(*pool) && calls_all(*pool); }));
  CHECK(in_child([&] {
    pool.reset();
    return true;
  }));
  // A child of a child.
  CHECK(in_child([&] { return in_child([&] { return calls_all(*pool); }); }));
  CHECK(calls_all(*pool));
}

TEST_CASE("after fork(), a pass in the child has the bits of the parent") {
  const ConvDesc d{.n = 4, .h = 24, .w = 20, .c = 16, .k = 32, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same};
  Rng rng(9);
  const TensorValues tensors = real_tensors(d, *sizes_of(d), rng);
  ThreadPool pool(2);
  const Plan planned = plan(d, Pass::forward, {.threads = 2, .macs_per_thread = 0}).value();
  REQUIRE(planned.threads() == 2);
  const std::vector<float> expected = run(planned, tensors, {}, pool.team()).out;
  CHECK(in_child([&] { return !difference_of_bits(run(planned, tensors, {}, pool.team()).out, expected); }));
}

#ifndef __SANITIZE_THREAD__  // it delays signals

namespace {

std::atomic<bool> holds{false}, is_held{false};

/// Holds the thread as a busy processor does, for at most 20 s.
void hold(int) {
  is_held = true;
  for (int i = 0; i < 2000 && holds; ++i) usleep(10'000);
  is_held = false;
}

}  // namespace

TEST_CASE("a run does not wait for a thread that the system does not run") {
  struct sigaction holding {
  }, before{};
  holding.sa_handler = hold;
  REQUIRE(sigaction(SIGPROF, &holding, &before) == 0);
  ThreadPool pool(2);
  const Team team = pool.team();
  pthread_t worker{};
  run_together(team, 2, [&](int i) {
    if (i == 1) worker = pthread_self();
  });
  holds = true;
  REQUIRE(pthread_kill(worker, SIGPROF) == 0);
  while (!is_held) std::this_thread::yield();
  CallLog log;
  for (int round = 0; round < 3; ++round) team.run(team.context, 2, CallLog::record, &log);
  CHECK(is_held);
  CHECK(log.calls[0] == 3);
  CHECK(log.calls[1] == 3);
  CHECK(log.thread[1] == std::this_thread::get_id());
  holds = false;
  // It takes part in the next run again.
  pthread_t again{};
  run_together(team, 2, [&](int i) {
    if (i == 1) again = pthread_self();
  });
  CHECK(pthread_equal(worker, again) != 0);
  REQUIRE(sigaction(SIGPROF, &before, nullptr) == 0);
}

#endif

TEST_CASE("the threads of a pool leave the signals of the process to its other threads") {
  sigset_t before, after;
  REQUIRE(pthread_sigmask(SIG_SETMASK, nullptr, &before) == 0);
  ThreadPool pool(2);
  REQUIRE(pthread_sigmask(SIG_SETMASK, nullptr, &after) == 0);
  sigset_t worker;
  run_together(pool.team(), 2, [&](int i) {
    if (i == 1) pthread_sigmask(SIG_SETMASK, nullptr, &worker);
  });
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGALRM, SIGUSR1, SIGUSR2}) {
    CAPTURE(signal);
    CHECK(sigismember(&worker, signal) == 1);
    CHECK(sigismember(&after, signal) == sigismember(&before, signal));
  }
  // These belong to the thread that caused them: blocked, they would end the process without its handler.
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    CAPTURE(signal);
    CHECK(sigismember(&worker, signal) == 0);
  }
}

#endif

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
  CHECK(divided.size() == 20);
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
    const Plan planned = plan(d, pass, {.threads = 2, .macs_per_thread = 0}).value();
    REQUIRE(planned.threads() == 2);
    Log whole{.allowed = 1 << 20};
    CHECK_THAT(run(planned, tensors, {.step = step, .context = &whole}, pool.team()).status, Succeeds());
    CHECK(whole.calls >= 1);
    CHECK(!whole.elsewhere);
    // At the first call: how many more there are depends on how many parts the other thread takes.
    Log stopped{.allowed = 0};
    const Outcome outcome = run(planned, tensors, {.step = step, .context = &stopped}, pool.team());
    CHECK_THAT(outcome.status, Fails(ErrorCode::cancelled));
    CHECK_THAT(outcome.stray_write, NoFailure());
    CHECK(stopped.calls == 1);
  }
}

TEST_CASE("a team that is too small runs all parts on its threads") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  // Filters for three of the widest tiles, of 32 columns: three parts on any processor.
  const ConvDesc d{.h = 32, .w = 32, .c = 16, .k = 96, .kh = 3, .kw = 3};
  Rng rng(7);
  const TensorValues tensors = real_tensors(d, *sizes_of(d), rng);
  ThreadPool pool(2);
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
    const Plan planned = plan(d, pass, {.threads = 3, .macs_per_thread = 0}).value();
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
