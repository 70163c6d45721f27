#pragma once

#include <memory>

#include "conv2d/config.hpp"
#include "conv2d/team.hpp"

namespace conv2d {

/// A thread pool. After a pass its threads spin briefly before they sleep, so that the next pass starts fast. Running a
/// pass allocates nothing and throws nothing.
///
/// A run does not wait for a thread that the system does not run, for example because its processor is busy: the others
/// take its work. Once a thread has begun a part, the run waits for it.
///
/// The threads work for one caller at a time. If several threads run passes on one pool at once, or a task runs a pass
/// on its own pool, the later callers run all their parts themselves, one after the other, with the same result. So
/// does the child of a fork(), in which the threads do not exist. A child that is forked inside a run must not return
/// into it.
///
/// Signals of the process are not delivered to the threads of the pool.
class CONV2D_API ThreadPool {
 public:
  /// Starts threads - 1 threads; the caller is the first. More than kMaxThreads (plan_options.hpp) mean kMaxThreads.
  /// The pool is smaller if the system refuses to start them all. With more threads than processors, passes take
  /// longer.
  explicit ThreadPool(int threads);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  /// Number of threads, including the calling thread.
  [[nodiscard]] int threads() const noexcept;

  /// A team of these threads, valid until the pool is destroyed.
  [[nodiscard]] Team team() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace conv2d
