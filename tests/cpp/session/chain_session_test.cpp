#include "session/chain_session.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::session;
using namespace conv2d::test;

namespace {

void put(ChainSession& session, std::int64_t layer, ChainSlot slot, const std::vector<float>& values) {
  REQUIRE_THAT(session.reserve(layer, slot, std::ssize(values)), Succeeds());
  std::ranges::copy(values, session.span(layer, slot).begin());
}

std::vector<float> get(const ChainSession& session, std::int64_t layer, ChainSlot slot) {
  const std::span<float> values = session.span(layer, slot);
  return {values.begin(), values.end()};
}

/// The chain of "convolution, ReLU, maximum and average by hand" in layers/chain_test.cpp.
const std::vector<LayerDesc> kLayers{{.windows = {.k = 1, .kh = 1, .kw = 2}},
                                     {.kind = LayerKind::relu},
                                     {.kind = LayerKind::max_pool, .windows = {.kh = 2, .stride_h = 2}},
                                     {.kind = LayerKind::average_pool, .windows = {.kw = 2}}};

ChainSession by_hand() {
  ChainSession session;
  REQUIRE_THAT(session.set_chain({.h = 2, .w = 3}, kLayers), Succeeds());
  put(session, 0, ChainSlot::x, {5, 3, 3, 1, 4, 2});
  put(session, 0, ChainSlot::w, {1, -1});
  put(session, 0, ChainSlot::b, {-1});
  put(session, 0, ChainSlot::target, {8});
  return session;
}

}  // namespace

TEST_CASE("a session runs a chain and shows every tensor of it", "[session][layers]") {
  ChainSession session = by_hand();
  REQUIRE_THAT(session.forward(), Succeeds());
  const ScalarResult linear = session.loss_dy(Loss::linear);
  REQUIRE_THAT(linear.status, Succeeds());
  CHECK(linear.value == 8);
  REQUIRE_THAT(session.backward(), Succeeds());
  CHECK(get(session, 3, ChainSlot::y) == std::vector<float>{1});
  CHECK(get(session, 1, ChainSlot::dy) == std::vector<float>{4, 0, 0, 4});
  CHECK(get(session, 0, ChainSlot::dw) == std::vector<float>{36, 20});
  CHECK(get(session, 9, ChainSlot::dx) == std::vector<float>{4, -4, 0, 0, 4, -4});
  CHECK(std::ranges::equal(session.winners(2), std::vector{0, 3}));
  CHECK(session.winners(1).empty());
  CHECK(session.stats(0, ChainSlot::y).min == -4);
  CHECK(session.norm(0, ChainSlot::dx) == 8);
  const ChainAverageCell average = session.average_cell(3, 0);
  REQUIRE_THAT(average.status, Succeeds());
  CHECK(average.sum == 2);
  CHECK(average.count == 2);
  REQUIRE_THAT(session.sgd_step(0.25), Succeeds());
  CHECK(get(session, 0, ChainSlot::w) == std::vector<float>{-8, -6});
  CHECK(get(session, 0, ChainSlot::b) == std::vector<float>{-3});
}

TEST_CASE("the squared error of a chain and its gradient", "[session][layers]") {
  ChainSession session = by_hand();
  REQUIRE_THAT(session.forward(), Succeeds());
  CHECK(session.loss_dy(Loss::mse).value == 24.5);
  CHECK(get(session, 3, ChainSlot::y) == std::vector<float>{1});
  CHECK(get(session, 3, ChainSlot::dy) == std::vector<float>{-7});
}

TEST_CASE("a chain's gradient check fills a table and checks the computed gradient", "[session][layers]") {
  ChainSession session = by_hand();
  REQUIRE_THAT(session.forward(), Succeeds());
  REQUIRE_THAT(session.loss_dy(Loss::linear).status, Succeeds());
  REQUIRE_THAT(session.backward(), Succeeds());
  ChainCheckOptions options{.layer = 0, .parameter = Parameter::w, .float64 = true, .epsilon = 0.01};
  const CheckSummary right = session.gradient_check(options);
  REQUIRE_THAT(right.status, Succeeds());
  CHECK(right.cells == 2);
  CHECK(right.verdict == static_cast<std::int64_t>(GradientVerdict::confirmed));
  const std::vector<double> table(session.check_table().begin(), session.check_table().end());
  REQUIRE(table.size() == 34);
  CHECK(table[1] == 1);                   // index
  CHECK(table[6] == 36);                  // analytic
  CHECK(std::abs(table[8] - 36) < 1e-6);  // numeric
  CHECK(table[20] == -1);                 // kink_layer
  // It is the computed gradient that is checked.
  session.span(0, ChainSlot::dw)[0] = 37;
  CHECK(session.gradient_check(options).verdict == static_cast<std::int64_t>(GradientVerdict::wrong));
  // Other losses check the gradient of the reference.
  options.loss = Loss::mse;
  CHECK(session.gradient_check(options).verdict == static_cast<std::int64_t>(GradientVerdict::confirmed));
  REQUIRE_THAT(session.reserve_check_cells(1), Succeeds());
  session.check_cells()[0] = 1;
  options.float64 = false;
  const CheckSummary one = session.gradient_check(options);
  CHECK(one.cells == 1);
  CHECK(session.check_table()[0] == 1);
  // y of the convolution is 1 at this cell: a step of 2 closes the gate.
  options = {.layer = 1, .parameter = Parameter::x, .epsilon = 2};
  session.check_cells()[0] = 0;
  CHECK(session.gradient_check(options).verdict == static_cast<std::int64_t>(GradientVerdict::at_kink));
  CHECK(session.check_table()[10] == 1);
  options.layer = 4;
  CHECK_THAT(session.gradient_check(options).status, Fails(ErrorCode::invalid_argument, "layer"));
}

TEST_CASE("a session without a chain or with a wrong one keeps its state", "[session][layers]") {
  ChainSession none;
  CHECK_THAT(none.forward(), Fails(ErrorCode::invalid_argument, "layers"));
  CHECK_THAT(none.backward(), Fails(ErrorCode::invalid_argument, "layers"));
  CHECK_THAT(none.loss_dy(Loss::mse).status, Fails(ErrorCode::invalid_argument, "layers"));
  CHECK_THAT(none.sgd_step(1), Fails(ErrorCode::invalid_argument, "layers"));
  CHECK_THAT(none.gradient_check({}).status, Fails(ErrorCode::invalid_argument, "layers"));
  CHECK_THAT(none.reserve(0, ChainSlot::w, 1), Fails(ErrorCode::invalid_argument, "layer"));
  CHECK_THAT(none.average_cell(0, 0).status, Fails(ErrorCode::invalid_argument, "layer"));
  CHECK(none.span(0, ChainSlot::y).empty());

  ChainSession session = by_hand();
  std::vector<LayerDesc> wrong = kLayers;
  wrong[2].windows.kh = 9;
  CHECK_THAT(session.set_chain({.h = 2, .w = 3}, wrong), Fails(ErrorCode::kernel_too_large, "layers[2].kh"));
  REQUIRE_THAT(session.forward(), Succeeds());
  CHECK(get(session, 3, ChainSlot::y) == std::vector<float>{1});
  CHECK_THAT(session.average_cell(3, 1).status, Fails(ErrorCode::invalid_argument, "index"));
  CHECK_THAT(session.average_cell(2, 0).status, Fails(ErrorCode::invalid_argument, "index"));
  // A shorter chain keeps x and w, and has no tensors of the old layers.
  REQUIRE_THAT(session.set_chain({.h = 2, .w = 3}, std::span(kLayers).first(1)), Succeeds());
  CHECK(get(session, 0, ChainSlot::w) == std::vector<float>{1, -1});
  CHECK(session.span(1, ChainSlot::y).empty());
  REQUIRE_THAT(session.forward(), Succeeds());
  CHECK(get(session, 0, ChainSlot::y) == std::vector<float>{1, -1, -4, 1});
  CHECK_THAT(session.backward(), Succeeds());
}

TEST_CASE("outputs of another chain are not read: backward needs a forward of its own", "[session][layers]") {
  const LayerDesc max{.kind = LayerKind::max_pool, .windows = {.kh = 2, .kw = 2}};
  ChainSession session;
  const auto set = [&](std::int64_t h, std::int64_t w) {
    REQUIRE_THAT(session.set_chain({.h = h, .w = w}, {&max, 1}), Succeeds());
    std::vector<float> x(static_cast<std::size_t>(h * w));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
    put(session, 0, ChainSlot::x, x);
    put(session, 0, ChainSlot::target, std::vector<float>(static_cast<std::size_t>((h - 1) * (w - 1))));
  };
  // Both have 1521 outputs; the indices of the first reach beyond the x of the second.
  set(2, 1522);
  REQUIRE_THAT(session.forward(), Succeeds());
  REQUIRE_THAT(session.backward(), Succeeds());
  set(40, 40);
  CHECK_THAT(session.backward(), Fails(ErrorCode::invalid_argument, "y", {"forward"}));
  CHECK_THAT(session.loss_dy(Loss::mse).status, Fails(ErrorCode::invalid_argument, "y", {"forward"}));
  // A forward that fails computes nothing.
  put(session, 0, ChainSlot::x, {1});
  CHECK_THAT(session.forward(), Fails(ErrorCode::length_mismatch, "x"));
  CHECK_THAT(session.backward(), Fails(ErrorCode::invalid_argument, "y"));
  set(40, 40);
  REQUIRE_THAT(session.forward(), Succeeds());
  CHECK_THAT(session.loss_dy(Loss::mse).status, Succeeds());
  CHECK_THAT(session.backward(), Succeeds());
}

TEST_CASE("a chain's gradient check does not compare gradients of earlier values", "[session][layers]") {
  const auto computed = [] {
    ChainSession session = by_hand();
    REQUIRE_THAT(session.forward(), Succeeds());
    REQUIRE_THAT(session.loss_dy(Loss::mse).status, Succeeds());
    REQUIRE_THAT(session.backward(), Succeeds());
    return session;
  };
  const ChainCheckOptions options{
      .loss = Loss::mse, .layer = 0, .parameter = Parameter::w, .float64 = true, .epsilon = 0.001};
  constexpr auto kConfirmed = static_cast<std::int64_t>(GradientVerdict::confirmed);
  ChainSession first = computed();
  REQUIRE(first.gradient_check(options).verdict == kConfirmed);
  for (const auto& [slot, values] : {std::pair<ChainSlot, std::vector<float>>{ChainSlot::x, {6, 3, 3, 1, 5, 2}},
                                     {ChainSlot::w, {2, -1}},
                                     {ChainSlot::b, {-0.5F}},
                                     {ChainSlot::target, {3}}}) {
    CAPTURE(std::string(to_string(slot)));
    ChainSession session = computed();
    put(session, 0, slot, values);
    CHECK(session.gradient_check(options).verdict == kConfirmed);
  }
  ChainSession trained = computed();
  REQUIRE_THAT(trained.sgd_step(0.125), Succeeds());
  CHECK(trained.gradient_check(options).verdict == kConfirmed);
  // dy that is not the gradient of the loss any more.
  ChainSession other = computed();
  put(other, 3, ChainSlot::dy, {1});
  REQUIRE_THAT(other.backward(), Succeeds());
  CHECK(other.gradient_check(options).verdict == kConfirmed);
}
