#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "session/fixture.hpp"
#include "support/expected_stage.hpp"
#include "support/losses.hpp"
#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::session;
using namespace conv2d::test;

namespace {

constexpr ConvDesc kDesc{
    .n = 2, .h = 5, .w = 6, .c = 2, .k = 3, .kh = 2, .kw = 3, .stride_w = 2, .padding = {1, 0, 0, 1}};

struct Held {
  Held() {
    Rng rng(31);
    t = integer_tensors(kDesc, sizes, rng);
    right = oracle(kDesc, sizes, t);
    REQUIRE(session.set_problem(kDesc).ok());
    put(session, t);
  }
  void run(Pass pass) {
    REQUIRE(session.plan(pass, "reference").ok());
    REQUIRE(session.run(pass, {}).ok());
  }
  void indices(IndexSlot slot, const std::vector<std::int32_t>& values) {
    REQUIRE(session.reserve_indices(slot, static_cast<std::int64_t>(values.size())).ok());
    std::ranges::copy(values, session.indices(slot).begin());
  }
  Sizes sizes = *sizes_of(kDesc);
  TensorValues t;
  Oracle right;
  Session session;
};

std::int64_t size_of(const Shape& shape) { return shape[0] * shape[1] * shape[2] * shape[3]; }

}  // namespace

TEST_CASE("before a problem is set, every question that needs one says so", "[session]") {
  Session held;
  const Status answers[]{held.stage(Stage::x_col, {}).status,
                         held.partial(Process::forward, 1).status,
                         held.fold(FoldMode::sum, 1).status,
                         held.coverage(),
                         held.random_dy(1),
                         held.loss_dy(Loss::mse).status,
                         held.gradient_check({.epsilon = 1}).status,
                         held.plan(Pass::forward, "")};
  for (const Status& status : answers) {
    CHECK(status.code == ErrorCode::invalid_argument);
    CHECK(status.field == "desc");
  }
}

TEST_CASE("a stage comes with its shape, into its slot", "[session]") {
  Held held;
  for (const Stage stage : {Stage::x_padded, Stage::x_col, Stage::dx_col, Stage::dy_inserted, Stage::w_turned}) {
    for (const StageOptions options : {StageOptions{}, StageOptions{ColumnOrder::c_kh_kw, true}}) {
      CAPTURE(std::string(to_string(stage)), options.transposed);
      const Shaped shaped = held.session.stage(stage, options);
      REQUIRE(shaped.status.ok());
      const ExpectedStage expected = expected_stage(kDesc, held.sizes, stage, options, held.t);
      CHECK(shaped.shape == expected.shape);
      CHECK_THAT(held.session.values(Slot::stage), Equals(expected.values));
    }
  }
  REQUIRE(held.session.reserve(Slot::x, 3).ok());
  CHECK(held.session.stage(Stage::x_col, {}).status.field == "x");
}

TEST_CASE("a process that goes to its end gives the result, and its steps are counted", "[session]") {
  Held held;
  const std::pair<Process, const Exact*> all[]{{Process::forward, &held.right.y},
                                               {Process::dx_scatter, &held.right.dx},
                                               {Process::dx_full_conv, &held.right.dx},
                                               {Process::dw_accumulate, &held.right.dw},
                                               {Process::db_accumulate, &held.right.db}};
  for (const auto& [process, expected] : all) {
    CAPTURE(std::string(to_string(process)));
    const Framed none = held.session.partial(process, 0);
    REQUIRE(none.status.ok());
    for (const float value : held.session.values(Slot::result)) CHECK(value == 0);
    const Framed whole = held.session.partial(process, none.total_steps);
    REQUIRE(whole.status.ok());
    CHECK(size_of(whole.shape) == static_cast<std::int64_t>(expected->value.size()));
    CHECK_THAT(held.session.values(Slot::result), Equals(expected->value));
    CHECK(held.session.partial(process, none.total_steps + 1).status.field == "steps");
    CHECK(held.session.partial(process, -1).status.field == "steps");
  }
}

TEST_CASE("dx_col folds to dx, as far as one likes", "[session]") {
  Held held;
  const Framed all = held.session.fold(FoldMode::sum, -1);
  REQUIRE(all.status.ok());
  CHECK(all.total_steps == kDesc.n * held.sizes.oh * held.sizes.ow);
  CHECK(size_of(all.shape) == held.sizes.x_size);
  CHECK_THAT(held.session.values(Slot::result), Equals(held.right.dx.value));
  REQUIRE(held.session.fold(FoldMode::sum, 0).status.ok());
  for (const float value : held.session.values(Slot::result)) CHECK(value == 0);
  CHECK(held.session.fold(FoldMode::sum, all.total_steps + 1).status.field == "positions");
}

TEST_CASE("coverage counts the windows over each cell", "[session]") {
  Held held;
  std::vector<double> expected(static_cast<std::size_t>(kDesc.h * kDesc.w));
  for_each_tap(kDesc, held.sizes, [&](const Tap& tap) {
    if (tap.x >= 0 && tap.n == 0 && tap.channel == 0) expected[static_cast<std::size_t>(tap.x / kDesc.c)] += 1;  // NHWC
  });
  REQUIRE(held.session.coverage().ok());
  CHECK_THAT(held.session.values(Slot::result), Equals(expected));
}

TEST_CASE("products come with the sums of their runs behind them", "[session]") {
  Held held;
  const std::vector<std::int32_t> a{0, 5, -1, 7, 2}, b{1, 0, 3, -1, 2};
  held.indices(IndexSlot::a, a);
  held.indices(IndexSlot::b, b);
  const auto term = [&](std::size_t i) {
    if (a[i] < 0 || b[i] < 0) return 0.0;
    return static_cast<double>(held.t.x[static_cast<std::size_t>(a[i])]) * held.t.w[static_cast<std::size_t>(b[i])];
  };
  for (const std::int64_t run : {2, 5, 100, 1, 0, -3}) {
    CAPTURE(run);
    const auto length = static_cast<std::size_t>(std::max<std::int64_t>(run, 1));
    std::vector<double> expected;
    for (std::size_t i = 0; i < a.size(); ++i) expected.push_back(term(i));
    const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
    for (std::size_t first = 0; first < a.size(); first += length) {
      double part = 0;
      for (std::size_t i = first; i < std::min(a.size(), first + length); ++i) part += term(i);
      expected.push_back(part);
    }
    const Measured measured = held.session.products(Slot::x, Slot::w, run);
    REQUIRE(measured.status.ok());
    CHECK(measured.value == sum);
    CHECK_THAT(held.session.values(Slot::result), Equals(expected));
  }
  held.indices(IndexSlot::b, {});
  CHECK(held.session.products(Slot::x, Slot::w, 5).value ==
        static_cast<double>(held.t.x[0]) + held.t.x[5] + held.t.x[7] + held.t.x[2]);
  held.indices(IndexSlot::b, {1, 2});
  CHECK(held.session.products(Slot::x, Slot::w, 5).status.code == ErrorCode::length_mismatch);
  held.indices(IndexSlot::a, {0, 1'000'000});
  CHECK(held.session.products(Slot::x, Slot::w, 5).status.field == "index_a");
}

TEST_CASE("tensors are compared, and measured", "[session]") {
  Held held;
  held.run(Pass::forward);
  put(held.session, Slot::target, copy(held.session.values(Slot::y)));
  CHECK(held.session.max_abs_difference(Slot::y, Slot::target).value == 0);
  held.session.writable(Slot::target)[4] += 3;
  CHECK(held.session.max_abs_difference(Slot::y, Slot::target).value == 3);
  CHECK(held.session.max_abs_difference(Slot::y, Slot::x).status.code == ErrorCode::length_mismatch);
  const TensorStats stats = held.session.stats(Slot::x);
  CHECK(stats.min == *std::ranges::min_element(held.t.x));
  CHECK(stats.max == *std::ranges::max_element(held.t.x));
}

TEST_CASE("both sides of the adjoint identity are equal on whole numbers", "[session]") {
  Held held;
  REQUIRE(held.session.reserve(Slot::b, 0).ok());
  held.run(Pass::forward);
  held.run(Pass::backward_data);
  REQUIRE(held.session.adjoint().ok());
  double side = 0;
  for (std::size_t i = 0; i < held.t.x.size(); ++i) side += held.t.x[i] * held.right.dx.value[i];
  const std::vector<double> expected{side, side, 0, 0};
  CHECK_THAT(held.session.values(Slot::result), Equals(expected));
  REQUIRE(held.session.reserve(Slot::dx, 0).ok());
  CHECK(held.session.adjoint().code == ErrorCode::length_mismatch);
}

TEST_CASE("a loss makes dy and its value, and says of each cell how", "[session]") {
  Held held;
  const std::vector<double> y(held.right.y.value);
  std::vector<float> target(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) target[i] = static_cast<float>(y[i]) - 0.5F + static_cast<float>(i % 3);
  const std::vector<double> other(target.begin(), target.end());
  held.run(Pass::forward);
  CHECK(held.session.loss_dy(Loss::mse).status.field == "target");
  put(held.session, Slot::target, target);
  CHECK(held.session.loss_cell(0).field == "index");  // no loss has made this dy
  for (const Loss loss : {Loss::mse, Loss::log_cosh}) {
    const Measured measured = held.session.loss_dy(loss);
    REQUIRE(measured.status.ok());
    CHECK(std::abs(measured.value - loss_at(loss, y, other)) <= 1e-6 * std::abs(measured.value));
    const auto count = static_cast<double>(y.size());
    std::vector<double> dy(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) dy[i] = upstream(loss, y[i], 0, other[i], count);
    CHECK_THAT(held.session.values(Slot::dy), Equals(dy, {.relative = 1e-6}));
    REQUIRE(held.session.loss_cell(4).ok());
    const std::vector<double> cell{y[4], other[4], y[4] - other[4], dy[4] * count, dy[4]};
    CHECK_THAT(held.session.values(Slot::result), Equals(cell, {.relative = 1e-6}));
    CHECK(held.session.loss_cell(-1).field == "index");
    CHECK(held.session.loss_cell(static_cast<std::int64_t>(y.size())).field == "index");
  }
  // Another problem begins with a dy of no loss, though y and the target are there.
  REQUIRE(held.session.set_problem(kDesc).ok());
  held.run(Pass::forward);
  REQUIRE(held.session.values(Slot::target).size() == y.size());
  CHECK(held.session.loss_cell(0).field == "index");
}

TEST_CASE("a descent goes down by the rate, and is refused where the lengths differ", "[session]") {
  Held held;
  held.run(Pass::backward_weights);
  std::vector<double> expected(held.t.w.begin(), held.t.w.end());
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] -= 0.25 * held.right.dw.value[i];
  REQUIRE(held.session.descend(Slot::w, Slot::dw, 0.25).ok());
  CHECK_THAT(held.session.values(Slot::w), Equals(expected));
  CHECK(held.session.descend(Slot::x, Slot::dw, 0.25).field == "slopes");
}

TEST_CASE("a round of the power iteration is refused where there is no room or no gradient", "[session]") {
  Held held;
  CHECK_THAT(held.session.power_round(true, 1), Fails(ErrorCode::length_mismatch, "result"));
  REQUIRE(held.session.reserve(Slot::result, 2).ok());
  CHECK_THAT(held.session.power_round(true, 1), Fails(ErrorCode::length_mismatch, "result"));
  REQUIRE(held.session.reserve(Slot::result, 3).ok());
  CHECK_THAT(held.session.power_round(true, 1), Fails(ErrorCode::length_mismatch, "dx"));
  CHECK_THAT(held.session.power_round(false, 1), Fails(ErrorCode::length_mismatch, "dw"));
  put(held.session, Slot::dw, held.t.w);
  CHECK_THAT(held.session.power_round(false, 1), Fails(ErrorCode::length_mismatch, "db"));
}

TEST_CASE("a round of the power iteration is that of the numbers in the slots", "[session]") {
  Held held;
  REQUIRE(held.session.reserve(Slot::result, 3).ok());
  put(held.session, Slot::dx, held.t.x);
  for (float& value : held.session.writable(Slot::dx)) value *= 5;  // an eigenvector of the value 5
  REQUIRE(held.session.power_round(true, 0.1).ok());
  const std::vector<double> of_x{5, 2.0 / 5, 1 - 0.1 * 5};
  CHECK_THAT(held.session.values(Slot::result), Equals(of_x, {.relative = 1e-6}));
  double length = 0;
  for (const float value : held.session.values(Slot::x)) length += static_cast<double>(value) * value;
  CHECK(std::abs(length - 1) < 1e-5);

  put(held.session, Slot::dw, held.t.w);
  put(held.session, Slot::db, held.t.b);
  for (const Slot slot : {Slot::dw, Slot::db}) {
    for (float& value : held.session.writable(slot)) value *= 3;
  }
  REQUIRE(held.session.power_round(false, 1).ok());
  const std::vector<double> of_w{3, 2.0 / 3, -2};
  CHECK_THAT(held.session.values(Slot::result), Equals(of_w, {.relative = 1e-6}));
  length = 0;
  for (const Slot slot : {Slot::w, Slot::b}) {
    for (const float value : held.session.values(slot)) length += static_cast<double>(value) * value;
  }
  CHECK(std::abs(length - 1) < 1e-5);
}
