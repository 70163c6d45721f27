#include "support/last_words.hpp"

#ifdef CONV2D_TEST_PROCESSES

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "conv2d/learning.hpp"
#include "conv2d/reference.hpp"
#include "conv2d/thread_pool.hpp"
#include "conv2d/trace.hpp"
#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::test;

// What is done wrong here harms nobody who does not look.

TEST_CASE("last words are those of a process that aborts, and of no other") {
  CHECK(last_words([] {}) == std::nullopt);
  const auto farewell = last_words([] {
    std::fputs("farewell", stderr);
    std::abort();
  });
  CHECK(farewell.value_or("").starts_with("farewell"));  // an emulator has a word of its own to add
  CHECK_THROWS(last_words([] { std::_Exit(3); }));
}

TEST_CASE("a precondition of the library's functions is checked in debug builds alone") {
  const Geometry g = resolve({.h = 6, .w = 5, .kh = 3, .kw = 2, .stride_h = 2}).value();
  CHECK_THAT(wrong_about_precondition("index >= 0 && index < phase_count(g)", [&] { phase_at(g, phase_count(g)); }),
             NothingWrong());
  std::vector<float> few(2, 1.0F), many(3, 1.0F);
  CHECK_THAT(
      wrong_about_precondition("direction.first.size() == product.first.size()",
                               [&] { power_round({.first = few, .second = {}}, {.first = many, .second = {}}); }),
      NothingWrong());
  std::vector<float> x(static_cast<std::size_t>(g.x_size)), w(static_cast<std::size_t>(g.w_size)),
      y(static_cast<std::size_t>(g.y_size) + 1);
  CHECK_THAT(wrong_about_precondition("std::cmp_equal(x.size(), g.x_size)",
                                      [&] { reference::forward<float>(g, x, w, {}, y); }),
             NothingWrong());
  CHECK_THAT(wrong_about_precondition("task && count >= 1",
                                      [] {
                                        ThreadPool pool(2);
                                        const Team team = pool.team();
                                        team.run(
                                            team.context, 0, [](void*, int) noexcept {}, nullptr);
                                      }),
             NothingWrong());
}

#endif
