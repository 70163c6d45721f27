#include "support/abort_message.hpp"

#ifdef CONV2D_TEST_PROCESSES

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "conv2d/reference.hpp"
#include "conv2d/thread_pool.hpp"
#include "conv2d_teach/learning.hpp"
#include "conv2d_teach/trace.hpp"
#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::test;

// These invalid calls are harmless when preconditions are not checked.

TEST_CASE("abort_message returns the output of an aborting process only") {
  CHECK(abort_message([] {}) == std::nullopt);
  const auto farewell = abort_message([] {
    std::fputs("farewell", stderr);
    std::abort();
  });
  CHECK(farewell.value_or("").starts_with("farewell"));  // an emulator may append its own message
  CHECK_THROWS(abort_message([] { std::_Exit(3); }));
}

TEST_CASE("preconditions of library functions are checked in debug builds only") {
  const Geometry g = resolve({.h = 6, .w = 5, .kh = 3, .kw = 2, .stride_h = 2}).value();
  CHECK_THAT(precondition_failure("index >= 0 && index < phase_count(g)", [&] { phase_at(g, phase_count(g)); }),
             NoFailure());
  std::vector<float> few(2, 1.0F), many(3, 1.0F);
  CHECK_THAT(
      precondition_failure("direction.first.size() == product.first.size()",
                           [&] { power_iteration_step({.first = few, .second = {}}, {.first = many, .second = {}}); }),
      NoFailure());
  std::vector<float> x(static_cast<std::size_t>(g.x_size)), w(static_cast<std::size_t>(g.w_size)),
      y(static_cast<std::size_t>(g.y_size) + 1);
  CHECK_THAT(
      precondition_failure("std::cmp_equal(x.size(), g.x_size)", [&] { reference::forward<float>(g, x, w, {}, y); }),
      NoFailure());
  CHECK_THAT(precondition_failure("task && count >= 1",
                                  [] {
                                    ThreadPool pool(2);
                                    const Team team = pool.team();
                                    team.run(
                                        team.context, 0, [](void*, int) noexcept {}, nullptr);
                                  }),
             NoFailure());
}

#endif
