#include "session/chain_check_session.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::session;
using namespace conv2d::test;

namespace {

void put(ChainCheckSession& session, std::int64_t layer, ChainCheckSlot slot, const std::vector<float>& values) {
  REQUIRE_THAT(session.reserve(layer, slot, std::ssize(values)), Succeeds());
  std::ranges::copy(values, session.span(layer, slot).begin());
}

/// The chain of "convolution, ReLU, maximum and average by hand" in layers/chain_test.cpp.
const std::vector<LayerDesc> kLayers{{.windows = {.k = 1, .kh = 1, .kw = 2}},
                                     {.kind = "relu"},
                                     {.kind = "max_pool", .windows = {.kh = 2, .stride_h = 2}},
                                     {.kind = "average_pool", .windows = {.kw = 2}}};

ChainCheckSession by_hand() {
  ChainCheckSession session;
  REQUIRE_THAT(session.set_problem({.h = 2, .w = 3}, kLayers), Succeeds());
  put(session, 0, ChainCheckSlot::x, {5, 3, 3, 1, 4, 2});
  put(session, 0, ChainCheckSlot::w, {1, -1});
  put(session, 0, ChainCheckSlot::b, {-1});
  put(session, 0, ChainCheckSlot::target, {8});
  return session;
}

constexpr std::int64_t verdict(GradientVerdict of) { return static_cast<std::int64_t>(of); }

}  // namespace

TEST_CASE("a chain's gradient check fills a table and checks the given gradient", "[session][layers]") {
  ChainCheckSession session = by_hand();
  put(session, 0, ChainCheckSlot::gradient, {36, 20});
  ChainCheckOptions options{.layer = 0, .parameter = Parameter::w, .float64 = true, .epsilon = 0.01};
  const CheckSummary right = session.gradient_check(options);
  REQUIRE_THAT(right.status, Succeeds());
  CHECK(right.cells == 2);
  CHECK(right.verdict == verdict(GradientVerdict::confirmed));
  const std::vector<double> table(session.check_table().begin(), session.check_table().end());
  REQUIRE(table.size() == 34);
  CHECK(table[1] == 1);                   // index
  CHECK(table[6] == 36);                  // analytic
  CHECK(std::abs(table[8] - 36) < 1e-6);  // numeric
  CHECK(table[20] == -1);                 // kink_layer
  session.span(0, ChainCheckSlot::gradient)[0] = 37;
  CHECK(session.gradient_check(options).verdict == verdict(GradientVerdict::wrong));
  // Without one, that of the reference.
  put(session, 0, ChainCheckSlot::gradient, {});
  options.loss = Loss::mse;
  CHECK(session.gradient_check(options).verdict == verdict(GradientVerdict::confirmed));
  REQUIRE_THAT(session.reserve_check_cells(1), Succeeds());
  session.check_cells()[0] = 1;
  options.float64 = false;
  const CheckSummary one = session.gradient_check(options);
  CHECK(one.cells == 1);
  CHECK(session.check_table()[0] == 1);
  // y of the convolution is 1 at this cell: a step of 2 closes the gate.
  options = {.layer = 1, .parameter = Parameter::x, .epsilon = 2};
  session.check_cells()[0] = 0;
  CHECK(session.gradient_check(options).verdict == verdict(GradientVerdict::at_kink));
  CHECK(session.check_table()[10] == 1);
}

TEST_CASE("a gradient check without a chain or with a wrong one is refused by name", "[session][layers]") {
  ChainCheckSession none;
  CHECK_THAT(none.gradient_check({}).status, Fails(ErrorCode::invalid_argument, "layers"));
  CHECK_THAT(none.reserve(0, ChainCheckSlot::w, 1), Fails(ErrorCode::invalid_argument, "layer"));
  CHECK(none.span(0, ChainCheckSlot::w).empty());
  ChainCheckSession session = by_hand();
  CHECK_THAT(session.gradient_check({.layer = 4, .epsilon = 1}).status, Fails(ErrorCode::invalid_argument, "layer"));
  CHECK_THAT(session.reserve(0, ChainCheckSlot::x, -1), Fails(ErrorCode::invalid_argument, "x"));
  std::vector<LayerDesc> wrong = kLayers;
  wrong[2].windows.kh = 9;
  CHECK_THAT(session.set_problem({.h = 2, .w = 3}, wrong), Fails(ErrorCode::kernel_too_large, "layers[2].kh"));
  CHECK(session.span(0, ChainCheckSlot::w).size() == 2);
  REQUIRE_THAT(session.set_problem({.h = 2, .w = 3}, kLayers), Succeeds());
  CHECK(session.span(0, ChainCheckSlot::w).empty());
}
