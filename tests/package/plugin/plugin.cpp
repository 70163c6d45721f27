// A shared object that contains the static library, as an extension of Python would.

#include <conv2d/conv2d.hpp>
#include <conv2d/thread_pool.hpp>
#include <vector>

/// The middle of a 3 x 3 convolution of ones over 5 x 5 ones of 8 channels, on two threads; -1 after an error.
extern "C" float middle_of_ones() {
  conv2d::ThreadPool pool(2);
  const auto plan =
      conv2d::plan({.h = 5, .w = 5, .c = 8, .kh = 3, .kw = 3}, conv2d::Pass::forward, {.threads = pool.threads()});
  if (!plan.ok()) return -1;
  const std::vector<float> x(5 * 5 * 8, 1), w(3 * 3 * 8, 1);
  std::vector<float> y(3 * 3), workspace(static_cast<std::size_t>(plan->workspace_floats()));
  const auto status = conv2d::forward(*plan, x, w, {}, y, {.workspace = workspace, .team = pool.team()});
  return status.ok() ? y[4] : -1;
}
