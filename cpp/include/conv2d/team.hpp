#pragma once

#include "conv2d/config.hpp"

namespace conv2d {

/// An interface to the caller's threads. The library starts no threads itself: a pass that is planned for several
/// threads calls Team::run. ThreadPool (thread_pool.hpp) provides a team; so can another thread pool, OpenMP or a plain
/// loop.
struct Team {
  int threads = 1;  ///< including the calling thread
  /// Must call task(argument, i) once for each i in [0, count), with i = 0 on the calling thread, and return after all
  /// calls have returned. The calls may run concurrently or in any order. `count` is at most `threads`.
  void (*run)(void* context, int count, void (*task)(void* argument, int i) noexcept,
              void* argument) noexcept = nullptr;
  void* context = nullptr;
};

}  // namespace conv2d
