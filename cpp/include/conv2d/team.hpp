#pragma once

namespace conv2d {

/// The caller's threads. The library starts none by itself: a pass that was planned for several threads asks its team
/// to run the parts. ThreadPool (thread_pool.hpp) is one; any other pool, a fork-join of OpenMP or a plain loop is as
/// good.
struct Team {
  int threads = 1;  ///< the calling thread among them
  /// Calls task(argument, i) once for every i in [0, count), i = 0 on the calling thread, and returns when all of them
  /// have returned. Never called with a count above `threads`. The calls may run at once or in any order.
  void (*run)(void* context, int count, void (*task)(void* argument, int i) noexcept,
              void* argument) noexcept = nullptr;
  void* context = nullptr;
};

}  // namespace conv2d
