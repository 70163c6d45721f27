// Requires threads: all builds except WebAssembly for pages that are not cross-origin isolated.
#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)

#include "threads/tickets.hpp"

#include <array>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

using conv2d::threads::Tickets;

// Each task of a run belongs to one taker. With a fault here, a run of the pool does not end; these tests fail.

TEST_CASE("tickets are handed out once and in order, and a new run begins again") {
  Tickets tickets;
  CHECK(tickets.take() == -1);
  for (int run = 0; run < 3; ++run) {
    tickets.open(4, 1);
    for (const int expected : {1, 2, 3, -1, -1}) CHECK(tickets.take() == expected);
  }
  // A run with one task, that of the caller.
  tickets.open(1, 1);
  CHECK(tickets.take() == -1);
  tickets.open(3, 0);
  for (const int expected : {0, 1, 2, -1}) CHECK(tickets.take() == expected);
}

TEST_CASE("threads that take tickets at once, also those late from earlier runs, take each one once") {
  // Many tickets: the threads must meet in a run, also on a busy machine.
  constexpr std::uint32_t kMost = 30000;
  constexpr int kRuns = 150;
  Tickets tickets;
  std::vector<std::atomic<int>> taken(kMost);
  std::atomic<int> total{0}, strange{0};
  std::atomic<bool> ends{false};
  const auto take_one = [&] {
    const int ticket = tickets.take();
    if (ticket < 0) return false;
    if (ticket >= static_cast<int>(kMost)) {
      ++strange;
    } else {
      ++taken[static_cast<std::size_t>(ticket)];
    }
    ++total;
    return true;
  };
  std::array<std::thread, 2> takers;
  for (std::thread& taker : takers) {
    taker = std::thread([&] {
      while (!ends) {
        if (!take_one()) std::this_thread::yield();
      }
    });
  }
  int wrong = 0;
  for (int run = 0; run < kRuns && wrong == 0; ++run) {
    const std::uint32_t count = kMost - static_cast<std::uint32_t>(run);
    for (auto& times : taken) times = 0;
    total = 0;
    tickets.open(count, 1);
    while (take_one()) {
    }
    // The others note what they took before. A ticket without a taker is never noted.
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (total < static_cast<int>(count) - 1 && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::yield();
    }
    for (std::uint32_t task = 0; task < kMost; ++task) wrong += taken[task] != (task >= 1 && task < count ? 1 : 0);
  }
  ends = true;
  for (std::thread& taker : takers) taker.join();
  CHECK(wrong == 0);
  CHECK(strange == 0);
}

#endif
