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

TEST_CASE("without a problem, every question that needs one is an error", "[session]") {
  Session fixture;
  const Status answers[]{fixture.stage(Stage::x_col, {}).status,
                         fixture.partial(Process::forward, 1).status,
                         fixture.fold(FoldMode::sum, 1).status,
                         fixture.coverage(),
                         fixture.random_dy(1),
                         fixture.loss_dy(Loss::mse).status,
                         fixture.plan(Pass::forward, "")};
  for (const Status& status : answers) {
    CHECK(status.code == ErrorCode::invalid_argument);
    CHECK(status.field == "desc");
  }
}

TEST_CASE("a stage fills its slot and returns its shape", "[session]") {
  Held fixture;
  for (const Stage stage : {Stage::x_padded, Stage::x_col, Stage::dx_col, Stage::dy_inserted, Stage::w_flipped}) {
    for (const StageOptions options : {StageOptions{}, StageOptions{ColumnOrder::c_kh_kw, true}}) {
      CAPTURE(std::string(to_string(stage)), options.transposed);
      const StageResult shaped = fixture.session.stage(stage, options);
      REQUIRE(shaped.status.ok());
      const ExpectedStage expected = expected_stage(kDesc, fixture.sizes, stage, options, fixture.t);
      CHECK(shaped.shape == expected.shape);
      CHECK_THAT(fixture.session.values(Slot::stage), Equals(expected.values));
    }
  }
  REQUIRE(fixture.session.reserve(Slot::x, 3).ok());
  CHECK(fixture.session.stage(Stage::x_col, {}).status.field == "x");
}

TEST_CASE("a process run to its last step gives the result, and its steps are counted", "[session]") {
  Held fixture;
  const std::pair<Process, const Exact*> all[]{{Process::forward, &fixture.right.y},
                                               {Process::dx_scatter, &fixture.right.dx},
                                               {Process::dx_full_conv, &fixture.right.dx},
                                               {Process::dw_accumulate, &fixture.right.dw},
                                               {Process::db_accumulate, &fixture.right.db}};
  for (const auto& [process, expected] : all) {
    CAPTURE(std::string(to_string(process)));
    const PartialResult none = fixture.session.partial(process, 0);
    REQUIRE(none.status.ok());
    for (const float value : fixture.session.values(Slot::result)) CHECK(value == 0);
    const PartialResult whole = fixture.session.partial(process, none.total_steps);
    REQUIRE(whole.status.ok());
    CHECK(size_of(whole.shape) == static_cast<std::int64_t>(expected->value.size()));
    CHECK_THAT(fixture.session.values(Slot::result), Equals(expected->value));
    CHECK(fixture.session.partial(process, none.total_steps + 1).status.field == "steps");
    CHECK(fixture.session.partial(process, -1).status.field == "steps");
  }
}

TEST_CASE("dx_col folds to dx, up to any position", "[session]") {
  Held fixture;
  const PartialResult all = fixture.session.fold(FoldMode::sum, -1);
  REQUIRE(all.status.ok());
  CHECK(all.total_steps == kDesc.n * fixture.sizes.oh * fixture.sizes.ow);
  CHECK(size_of(all.shape) == fixture.sizes.x_size);
  CHECK_THAT(fixture.session.values(Slot::result), Equals(fixture.right.dx.value));
  REQUIRE(fixture.session.fold(FoldMode::sum, 0).status.ok());
  for (const float value : fixture.session.values(Slot::result)) CHECK(value == 0);
  CHECK(fixture.session.fold(FoldMode::sum, all.total_steps + 1).status.field == "positions");
}

TEST_CASE("coverage counts the windows over each cell", "[session]") {
  Held fixture;
  std::vector<double> expected(static_cast<std::size_t>(kDesc.h * kDesc.w));
  for_each_tap(kDesc, fixture.sizes, [&](const Tap& tap) {
    if (tap.x >= 0 && tap.n == 0 && tap.channel == 0) expected[static_cast<std::size_t>(tap.x / kDesc.c)] += 1;  // NHWC
  });
  REQUIRE(fixture.session.coverage().ok());
  CHECK_THAT(fixture.session.values(Slot::result), Equals(expected));
}

TEST_CASE("products refuse to overwrite their factors", "[session]") {
  Held fixture;
  put(fixture.session, Slot::x, {1, 2, 3, 4});
  put(fixture.session, Slot::result, {5, 6, 7, 8});
  fixture.indices(IndexSlot::a, {3});
  fixture.indices(IndexSlot::b, {3});
  CHECK_THAT(fixture.session.products(Slot::result, Slot::x, 1).status, Fails(ErrorCode::invalid_argument, "result"));
  CHECK_THAT(fixture.session.products(Slot::x, Slot::result, 1).status, Fails(ErrorCode::invalid_argument, "result"));
  CHECK(copy(fixture.session.values(Slot::result)) == std::vector<float>{5, 6, 7, 8});
  // Without second factors none are read.
  fixture.indices(IndexSlot::b, {});
  CHECK(fixture.session.products(Slot::x, Slot::result, 1).value == 4);
}

TEST_CASE("the sums of the segments follow the products", "[session]") {
  Held fixture;
  const std::vector<std::int32_t> a{0, 5, -1, 7, 2}, b{1, 0, 3, -1, 2};
  fixture.indices(IndexSlot::a, a);
  fixture.indices(IndexSlot::b, b);
  const auto term = [&](std::size_t i) {
    if (a[i] < 0 || b[i] < 0) return 0.0;
    return static_cast<double>(fixture.t.x[static_cast<std::size_t>(a[i])]) *
           fixture.t.w[static_cast<std::size_t>(b[i])];
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
    const ScalarResult measured = fixture.session.products(Slot::x, Slot::w, run);
    REQUIRE(measured.status.ok());
    CHECK(measured.value == sum);
    CHECK_THAT(fixture.session.values(Slot::result), Equals(expected));
  }
  fixture.indices(IndexSlot::b, {});
  CHECK(fixture.session.products(Slot::x, Slot::w, 5).value ==
        static_cast<double>(fixture.t.x[0]) + fixture.t.x[5] + fixture.t.x[7] + fixture.t.x[2]);
  fixture.indices(IndexSlot::b, {1, 2});
  CHECK(fixture.session.products(Slot::x, Slot::w, 5).status.code == ErrorCode::length_mismatch);
  fixture.indices(IndexSlot::a, {0, 1'000'000});
  CHECK(fixture.session.products(Slot::x, Slot::w, 5).status.field == "index_a");
}

TEST_CASE("tensors are compared and measured", "[session]") {
  Held fixture;
  fixture.run(Pass::forward);
  put(fixture.session, Slot::target, copy(fixture.session.values(Slot::y)));
  CHECK(fixture.session.max_abs_difference(Slot::y, Slot::target).value == 0);
  fixture.session.writable(Slot::target)[4] += 3;
  CHECK(fixture.session.max_abs_difference(Slot::y, Slot::target).value == 3);
  CHECK(fixture.session.max_abs_difference(Slot::y, Slot::x).status.code == ErrorCode::length_mismatch);
  const TensorStats stats = fixture.session.stats(Slot::x);
  CHECK(stats.min == *std::ranges::min_element(fixture.t.x));
  CHECK(stats.max == *std::ranges::max_element(fixture.t.x));
}

TEST_CASE("both sides of the adjoint identity are equal for integers", "[session]") {
  Held fixture;
  REQUIRE(fixture.session.reserve(Slot::b, 0).ok());
  fixture.run(Pass::forward);
  fixture.run(Pass::backward_data);
  REQUIRE(fixture.session.adjoint().ok());
  double side = 0;
  for (std::size_t i = 0; i < fixture.t.x.size(); ++i) side += fixture.t.x[i] * fixture.right.dx.value[i];
  const std::vector<double> expected{side, side, 0, 0};
  CHECK_THAT(fixture.session.values(Slot::result), Equals(expected));
  REQUIRE(fixture.session.reserve(Slot::dx, 0).ok());
  CHECK(fixture.session.adjoint().code == ErrorCode::length_mismatch);
}

TEST_CASE("a loss computes dy and its value, and the terms of each element", "[session]") {
  Held fixture;
  const std::vector<double> y(fixture.right.y.value);
  std::vector<float> target(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) target[i] = static_cast<float>(y[i]) - 0.5F + static_cast<float>(i % 3);
  const std::vector<double> other(target.begin(), target.end());
  fixture.run(Pass::forward);
  CHECK(fixture.session.loss_dy(Loss::mse).status.field == "target");
  put(fixture.session, Slot::target, target);
  CHECK(fixture.session.loss_cell(0).field == "index");  // no loss computed this dy
  for (const Loss loss : {Loss::mse, Loss::log_cosh}) {
    const ScalarResult measured = fixture.session.loss_dy(loss);
    REQUIRE(measured.status.ok());
    CHECK(std::abs(measured.value - loss_at(loss, y, other)) <= 1e-6 * std::abs(measured.value));
    const auto count = static_cast<double>(y.size());
    std::vector<double> dy(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) dy[i] = upstream(loss, y[i], 0, other[i], count);
    CHECK_THAT(fixture.session.values(Slot::dy), Equals(dy, {.relative = 1e-6}));
    REQUIRE(fixture.session.loss_cell(4).ok());
    const std::vector<double> cell{y[4], other[4], y[4] - other[4], dy[4] * count, dy[4]};
    CHECK_THAT(fixture.session.values(Slot::result), Equals(cell, {.relative = 1e-6}));
    CHECK(fixture.session.loss_cell(-1).field == "index");
    CHECK(fixture.session.loss_cell(static_cast<std::int64_t>(y.size())).field == "index");
  }
  // A new problem starts with a dy that no loss computed, although y and the target exist.
  REQUIRE(fixture.session.set_problem(kDesc).ok());
  fixture.run(Pass::forward);
  REQUIRE(fixture.session.values(Slot::target).size() == y.size());
  CHECK(fixture.session.loss_cell(0).field == "index");
}

TEST_CASE("the terms of a loss are refused as soon as dy is written in another way", "[session]") {
  Held fixture;
  Session& session = fixture.session;
  fixture.run(Pass::forward);
  put(session, Slot::target, std::vector<float>(fixture.right.y.value.size(), 0.5F));
  const auto begin = [&] {
    REQUIRE(session.loss_dy(Loss::mse).status.ok());
    REQUIRE(session.loss_cell(0).ok());
  };
  begin();
  REQUIRE(session.random_dy(5).ok());
  CHECK_THAT(session.loss_cell(0), Fails(ErrorCode::invalid_argument, "index"));
  begin();
  REQUIRE(session.reserve(Slot::dy, fixture.sizes.y_size).ok());
  CHECK_THAT(session.loss_cell(0), Fails(ErrorCode::invalid_argument, "index"));
  begin();
  session.writable(Slot::dy)[0] = 1;
  CHECK_THAT(session.loss_cell(0), Fails(ErrorCode::invalid_argument, "index"));
  // Reading dy does not change it.
  begin();
  CHECK(session.values(Slot::dy).size() == static_cast<std::size_t>(fixture.sizes.y_size));
  CHECK_THAT(session.loss_cell(0), Succeeds());
}

TEST_CASE("a gradient step subtracts rate times gradient, and rejects different lengths", "[session]") {
  Held fixture;
  fixture.run(Pass::backward_weights);
  std::vector<double> expected(fixture.t.w.begin(), fixture.t.w.end());
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] -= 0.25 * fixture.right.dw.value[i];
  REQUIRE(fixture.session.sgd_step(Slot::w, Slot::dw, 0.25).ok());
  CHECK_THAT(fixture.session.values(Slot::w), Equals(expected));
  CHECK(fixture.session.sgd_step(Slot::x, Slot::dw, 0.25).field == "gradient");
}

TEST_CASE("a power iteration step fails without a buffer or a gradient", "[session]") {
  Held fixture;
  CHECK_THAT(fixture.session.power_iteration_step(true, 1), Fails(ErrorCode::length_mismatch, "result"));
  REQUIRE(fixture.session.reserve(Slot::result, 2).ok());
  CHECK_THAT(fixture.session.power_iteration_step(true, 1), Fails(ErrorCode::length_mismatch, "result"));
  REQUIRE(fixture.session.reserve(Slot::result, 3).ok());
  CHECK_THAT(fixture.session.power_iteration_step(true, 1), Fails(ErrorCode::length_mismatch, "dx"));
  CHECK_THAT(fixture.session.power_iteration_step(false, 1), Fails(ErrorCode::length_mismatch, "dw"));
  put(fixture.session, Slot::dw, fixture.t.w);
  CHECK_THAT(fixture.session.power_iteration_step(false, 1), Fails(ErrorCode::length_mismatch, "db"));
}

TEST_CASE("a power iteration step uses the values in the slots", "[session]") {
  Held fixture;
  REQUIRE(fixture.session.reserve(Slot::result, 3).ok());
  put(fixture.session, Slot::dx, fixture.t.x);
  for (float& value : fixture.session.writable(Slot::dx)) value *= 5;  // an eigenvector with eigenvalue 5
  REQUIRE(fixture.session.power_iteration_step(true, 0.1).ok());
  const std::vector<double> of_x{5, 2.0 / 5, 1 - 0.1 * 5};
  CHECK_THAT(fixture.session.values(Slot::result), Equals(of_x, {.relative = 1e-6}));
  double length = 0;
  for (const float value : fixture.session.values(Slot::x)) length += static_cast<double>(value) * value;
  CHECK(std::abs(length - 1) < 1e-5);

  put(fixture.session, Slot::dw, fixture.t.w);
  put(fixture.session, Slot::db, fixture.t.b);
  for (const Slot slot : {Slot::dw, Slot::db}) {
    for (float& value : fixture.session.writable(slot)) value *= 3;
  }
  REQUIRE(fixture.session.power_iteration_step(false, 1).ok());
  const std::vector<double> of_w{3, 2.0 / 3, -2};
  CHECK_THAT(fixture.session.values(Slot::result), Equals(of_w, {.relative = 1e-6}));
  length = 0;
  for (const Slot slot : {Slot::w, Slot::b}) {
    for (const float value : fixture.session.values(slot)) length += static_cast<double>(value) * value;
  }
  CHECK(std::abs(length - 1) < 1e-5);
}
