#pragma once

#include <memory>

#include "conv2d/config.hpp"
#include "conv2d/team.hpp"

namespace conv2d {

/// A thread pool for the passes of one caller. After a pass its threads spin briefly before they sleep, so that the
/// next pass starts fast. Running a pass allocates nothing and throws nothing.
class CONV2D_API ThreadPool {
 public:
  /// Starts threads - 1 threads; the caller is the first. The pool is smaller if the system refuses to start them all.
  explicit ThreadPool(int threads);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  /// Number of threads, including the calling thread.
  [[nodiscard]] int threads() const noexcept;

  /// A team of these threads, valid until the pool is destroyed. Runs one pass at a time.
  [[nodiscard]] Team team() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace conv2d
