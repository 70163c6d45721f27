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
    REQUIRE(set_one(session, kDesc).ok());
    put(session, t);
  }
  Status set_loss(std::string_view loss) { return set_one(session, kDesc, loss); }
  void run(Pass pass) {
    REQUIRE(session.set_algorithm(0, pass, "reference").ok());
    REQUIRE(run_step(session, pass).ok());
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
  const Status answers[]{fixture.stage(0, Stage::x_col, {}).status,
                         fixture.partial(0, Process::forward, 1).status,
                         fixture.fold(0, FoldMode::sum, 1).status,
                         fixture.coverage(0),
                         fixture.random_dy(1),
                         fixture.products(0, Slot::x, Slot::w, 1).status,
                         fixture.adjoint(0),
                         fixture.sgd_step(false, 1),
                         fixture.power_iteration_step(false, 1),
                         fixture.averages(0),
                         fixture.set_algorithm(0, Pass::forward, "")};
  for (const Status& status : answers) {
    CHECK(status.code == ErrorCode::invalid_argument);
    CHECK(status.field == "layers");
  }
}

TEST_CASE("a stage fills its slot and returns its shape", "[session]") {
  Held fixture;
  for (const Stage stage : {Stage::x_padded, Stage::x_col, Stage::dx_col, Stage::dy_inserted, Stage::w_flipped}) {
    for (const StageOptions options : {StageOptions{}, StageOptions{ColumnOrder::c_kh_kw, true}}) {
      CAPTURE(std::string(to_string(stage)), options.transposed);
      const StageResult shaped = fixture.session.stage(0, stage, options);
      REQUIRE(shaped.status.ok());
      const ExpectedStage expected = expected_stage(kDesc, fixture.sizes, stage, options, fixture.t);
      CHECK(shaped.shape == expected.shape);
      CHECK_THAT(fixture.session.values(of(Slot::stage)), Equals(expected.values));
    }
  }
  REQUIRE(fixture.session.reserve(of(Slot::x), 3).ok());
  CHECK(fixture.session.stage(0, Stage::x_col, {}).status.field == "x");
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
    const PartialResult none = fixture.session.partial(0, process, 0);
    REQUIRE(none.status.ok());
    for (const float value : fixture.session.values(of(Slot::result))) CHECK(value == 0);
    const PartialResult whole = fixture.session.partial(0, process, none.total_steps);
    REQUIRE(whole.status.ok());
    CHECK(size_of(whole.shape) == static_cast<std::int64_t>(expected->value.size()));
    CHECK_THAT(fixture.session.values(of(Slot::result)), Equals(expected->value));
    CHECK(fixture.session.partial(0, process, none.total_steps + 1).status.field == "steps");
    CHECK(fixture.session.partial(0, process, -1).status.field == "steps");
  }
}

TEST_CASE("dx_col folds to dx, up to any position", "[session]") {
  Held fixture;
  const PartialResult all = fixture.session.fold(0, FoldMode::sum, -1);
  REQUIRE(all.status.ok());
  CHECK(all.total_steps == kDesc.n * fixture.sizes.oh * fixture.sizes.ow);
  CHECK(size_of(all.shape) == fixture.sizes.x_size);
  CHECK_THAT(fixture.session.values(of(Slot::result)), Equals(fixture.right.dx.value));
  REQUIRE(fixture.session.fold(0, FoldMode::sum, 0).status.ok());
  for (const float value : fixture.session.values(of(Slot::result))) CHECK(value == 0);
  CHECK(fixture.session.fold(0, FoldMode::sum, all.total_steps + 1).status.field == "positions");
}

TEST_CASE("coverage counts the windows over each cell", "[session]") {
  Held fixture;
  std::vector<double> expected(static_cast<std::size_t>(kDesc.h * kDesc.w));
  for_each_tap(kDesc, fixture.sizes, [&](const Tap& tap) {
    if (tap.x >= 0 && tap.n == 0 && tap.channel == 0) expected[static_cast<std::size_t>(tap.x / kDesc.c)] += 1;  // NHWC
  });
  REQUIRE(fixture.session.coverage(0).ok());
  CHECK_THAT(fixture.session.values(of(Slot::result)), Equals(expected));
}

TEST_CASE("products refuse to overwrite their factors", "[session]") {
  Held fixture;
  put(fixture.session, Slot::x, {1, 2, 3, 4});
  put(fixture.session, Slot::result, {5, 6, 7, 8});
  fixture.indices(IndexSlot::a, {3});
  fixture.indices(IndexSlot::b, {3});
  CHECK_THAT(fixture.session.products(0, Slot::result, Slot::x, 1).status,
             Fails(ErrorCode::invalid_argument, "result"));
  CHECK_THAT(fixture.session.products(0, Slot::x, Slot::result, 1).status,
             Fails(ErrorCode::invalid_argument, "result"));
  CHECK(copy(fixture.session.values(of(Slot::result))) == std::vector<float>{5, 6, 7, 8});
  // Without second factors none are read.
  fixture.indices(IndexSlot::b, {});
  CHECK(fixture.session.products(0, Slot::x, Slot::result, 1).value == 4);
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
    const ScalarResult measured = fixture.session.products(0, Slot::x, Slot::w, run);
    REQUIRE(measured.status.ok());
    CHECK(measured.value == sum);
    CHECK_THAT(fixture.session.values(of(Slot::result)), Equals(expected));
  }
  fixture.indices(IndexSlot::b, {});
  CHECK(fixture.session.products(0, Slot::x, Slot::w, 5).value ==
        static_cast<double>(fixture.t.x[0]) + fixture.t.x[5] + fixture.t.x[7] + fixture.t.x[2]);
  fixture.indices(IndexSlot::b, {1, 2});
  CHECK(fixture.session.products(0, Slot::x, Slot::w, 5).status.code == ErrorCode::length_mismatch);
  fixture.indices(IndexSlot::a, {0, 1'000'000});
  CHECK(fixture.session.products(0, Slot::x, Slot::w, 5).status.field == "index_a");
}

TEST_CASE("tensors are compared and measured", "[session]") {
  Held fixture;
  fixture.run(Pass::forward);
  put(fixture.session, Slot::target, copy(fixture.session.values(of(Slot::y))));
  CHECK(fixture.session.max_abs_difference(of(Slot::y), of(Slot::target)).value == 0);
  fixture.session.writable(of(Slot::target))[4] += 3;
  CHECK(fixture.session.max_abs_difference(of(Slot::y), of(Slot::target)).value == 3);
  CHECK(fixture.session.max_abs_difference(of(Slot::y), of(Slot::x)).status.code == ErrorCode::length_mismatch);
  const TensorStats stats = fixture.session.stats(of(Slot::x));
  CHECK(stats.min == *std::ranges::min_element(fixture.t.x));
  CHECK(stats.max == *std::ranges::max_element(fixture.t.x));
}

TEST_CASE("both sides of the adjoint identity are equal for integers", "[session]") {
  Held fixture;
  // b does not count: the matrix of the convolution does not include it.
  fixture.run(Pass::backward_data);
  REQUIRE(fixture.session.adjoint(0).ok());
  double side = 0;
  for (std::size_t i = 0; i < fixture.t.x.size(); ++i) side += fixture.t.x[i] * fixture.right.dx.value[i];
  const std::vector<double> expected{side, side, 0, 0};
  CHECK_THAT(fixture.session.values(of(Slot::result)), Equals(expected));
  CHECK(fixture.session.values(of(Slot::stage)).empty());
  // dx is not that of another dy.
  put(fixture.session, Slot::dy, fixture.t.dy);
  CHECK(fixture.session.adjoint(0).code == ErrorCode::length_mismatch);
}

TEST_CASE("a loss computes dy and its value, and the terms of each element", "[session]") {
  Held fixture;
  Session& session = fixture.session;
  const Step step{0, Operation::loss};
  const std::vector<double> y(fixture.right.y.value);
  std::vector<float> target(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) target[i] = static_cast<float>(y[i]) - 0.5F + static_cast<float>(i % 3);
  const std::vector<double> other(target.begin(), target.end());
  CHECK_THAT(session.run(step, {}), Fails(ErrorCode::invalid_argument, "operation", {"given"}));
  REQUIRE_THAT(fixture.set_loss("mse"), Succeeds());
  CHECK_THAT(session.run(step, {}), Fails(ErrorCode::invalid_argument, "y"));
  fixture.run(Pass::forward);
  CHECK_THAT(session.run(step, {}), Fails(ErrorCode::length_mismatch, "target"));
  put(session, Slot::target, target);
  CHECK(session.loss_cell(0).field == "index");  // no loss computed this dy
  CHECK(std::isnan(session.loss()));
  for (const std::string_view loss : {"mse", "log_cosh", "absolute_error"}) {
    REQUIRE_THAT(fixture.set_loss(loss), Succeeds());
    CHECK(session.values(of(Slot::dy)).empty());
    REQUIRE(session.run(step, {}).ok());
    CHECK(std::abs(session.loss() - loss_at(loss, y, other)) <= 1e-6 * std::abs(session.loss()));
    const auto count = static_cast<double>(y.size());
    std::vector<double> dy(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) dy[i] = upstream(loss, y[i], 0, other[i], count);
    CHECK_THAT(session.values(of(Slot::dy)), Equals(dy, {.relative = 1e-6}));
    REQUIRE(session.loss_cell(4).ok());
    const std::vector<double> cell{y[4], other[4], y[4] - other[4], dy[4] * count, dy[4], 0, 0, 0, 0};
    CHECK_THAT(session.values(of(Slot::result)), Equals(cell, {.relative = 1e-6}));
    CHECK(session.loss_cell(-1).field == "index");
    CHECK(session.loss_cell(static_cast<std::int64_t>(y.size())).field == "index");
  }
  CHECK_THAT(fixture.set_loss("huber"), Fails(ErrorCode::invalid_argument, "loss"));
}

TEST_CASE("cross-entropy takes the channels of a position from the layout of the last layer", "[session]") {
  Held fixture;
  Session& session = fixture.session;
  REQUIRE_THAT(fixture.set_loss("cross_entropy"), Succeeds());
  fixture.run(Pass::forward);
  const std::vector<double> y(fixture.right.y.value);
  put(session, Slot::target, std::vector<float>(y.size()));
  const Step step{0, Operation::loss};
  CHECK_THAT(session.run(step, {}), Fails(ErrorCode::invalid_argument, "target", {"position 0", "sum to 1"}));
  CHECK(std::isnan(session.loss()));
  const LossChannels channels = LossChannels::of(resolve(kDesc).value());
  std::vector<float> target(y.size());
  const auto channel = [&](std::size_t t) { return t / channels.stride % channels.count; };
  for (std::size_t t = 0; t < y.size(); ++t) target[t] = channel(t) == 1 ? 1 : 0;
  put(session, Slot::target, target);
  REQUIRE_THAT(session.run(step, {}), Succeeds());
  std::vector<double> dy(y.size());
  const auto positions = static_cast<double>(y.size() / channels.count);
  for (std::size_t t = 0; t < y.size(); ++t) {
    double total = 0;
    for (std::size_t c = 0; c < channels.count; ++c) {
      total += std::exp(y[t - channel(t) * channels.stride + c * channels.stride] - y[t]);
    }
    dy[t] = (1 / total - static_cast<double>(target[t])) / positions;
  }
  CHECK_THAT(session.values(of(Slot::dy)), Equals(dy, {.absolute = 1e-7, .relative = 1e-6}));
  REQUIRE(session.loss_cell(4).ok());
  CHECK(session.values(of(Slot::result)).size() == 9);
  CHECK(session.values(of(Slot::result))[4] == session.values(of(Slot::dy))[4]);
}

TEST_CASE("dy of a loss is written by its step alone, and its terms belong to the present values", "[session]") {
  Held fixture;
  Session& session = fixture.session;
  REQUIRE_THAT(fixture.set_loss("mse"), Succeeds());
  CHECK(session.values(of(Slot::dy)).empty());  // the given dy
  put(session, Slot::target, std::vector<float>(fixture.right.y.value.size(), 0.5F));
  const auto begin = [&] {
    fixture.run(Pass::forward);
    REQUIRE(session.run({0, Operation::loss}, {}).ok());
    REQUIRE(session.loss_cell(0).ok());
  };
  begin();
  CHECK_THAT(session.random_dy(5), Fails(ErrorCode::invalid_argument, "dy"));
  CHECK_THAT(session.reserve(of(Slot::dy), fixture.sizes.y_size), Fails(ErrorCode::invalid_argument, "dy"));
  CHECK(session.writable(of(Slot::dy)).empty());
  CHECK_THAT(session.loss_cell(0), Succeeds());
  for (const Slot slot : {Slot::x, Slot::w, Slot::b, Slot::target}) {
    CAPTURE(std::string(to_string(slot)));
    begin();
    session.writable(of(slot))[0] += 1;
    CHECK_THAT(session.loss_cell(0), Fails(ErrorCode::invalid_argument, "index"));
    CHECK(std::isnan(session.loss()));
  }
  begin();
  REQUIRE_THAT(fixture.set_loss("linear"), Succeeds());
  CHECK(session.values(of(Slot::dy)).empty());  // the gradient of the loss is not the dy that is given
  REQUIRE(session.random_dy(5).ok());
  CHECK_THAT(session.loss_cell(0), Fails(ErrorCode::invalid_argument, "index"));
}

TEST_CASE("a gradient step subtracts rate times gradient, or changes nothing", "[session]") {
  Held fixture;
  Session& session = fixture.session;
  fixture.run(Pass::backward_weights);
  CHECK_THAT(session.sgd_step(false, 0.25), Fails(ErrorCode::length_mismatch, "db"));
  CHECK(copy(session.values(of(Slot::w))) == fixture.t.w);
  fixture.run(Pass::backward_bias);
  std::vector<double> w(fixture.t.w.begin(), fixture.t.w.end()), b(fixture.t.b.begin(), fixture.t.b.end());
  for (std::size_t i = 0; i < w.size(); ++i) w[i] -= 0.25 * fixture.right.dw.value[i];
  for (std::size_t i = 0; i < b.size(); ++i) b[i] -= 0.25 * fixture.right.db.value[i];
  REQUIRE(session.sgd_step(false, 0.25).ok());
  CHECK_THAT(session.values(of(Slot::w)), Equals(w));
  CHECK_THAT(session.values(of(Slot::b)), Equals(b));
  CHECK_THAT(session.sgd_step(true, 0.25), Fails(ErrorCode::length_mismatch, "dx"));
  put(session, Slot::w, fixture.t.w);
  fixture.run(Pass::backward_data);
  std::vector<double> x(fixture.t.x.begin(), fixture.t.x.end());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= 0.25 * fixture.right.dx.value[i];
  REQUIRE(session.sgd_step(true, 0.25).ok());
  CHECK_THAT(session.values(of(Slot::x)), Equals(x));
  put(session, Slot::target, {1, 2});
  REQUIRE(session.subtract(of(Slot::target), of(Slot::target), 0.5).ok());
  CHECK(copy(session.values(of(Slot::target))) == std::vector<float>{0.5F, 1});
  CHECK_THAT(session.subtract(of(Slot::x), of(Slot::target), 1), Fails(ErrorCode::length_mismatch, "gradient"));
  CHECK_THAT(session.subtract(of(Slot::y), of(Slot::y), 1), Fails(ErrorCode::invalid_argument, "y"));
}

TEST_CASE("a power iteration step fails without a buffer or a gradient", "[session]") {
  Held fixture;
  CHECK_THAT(fixture.session.power_iteration_step(true, 1), Fails(ErrorCode::length_mismatch, "result"));
  REQUIRE(fixture.session.reserve(of(Slot::result), 2).ok());
  CHECK_THAT(fixture.session.power_iteration_step(true, 1), Fails(ErrorCode::length_mismatch, "result"));
  REQUIRE(fixture.session.reserve(of(Slot::result), 3).ok());
  CHECK_THAT(fixture.session.power_iteration_step(true, 1), Fails(ErrorCode::length_mismatch, "dx"));
  CHECK_THAT(fixture.session.power_iteration_step(false, 1), Fails(ErrorCode::length_mismatch, "dw"));
  fixture.run(Pass::backward_weights);
  CHECK_THAT(fixture.session.power_iteration_step(false, 1), Fails(ErrorCode::length_mismatch, "db"));
  const std::vector<LayerDesc> two(2, {.kind = "conv"});
  REQUIRE(fixture.session.set_problem({}, two).ok());
  CHECK_THAT(fixture.session.power_iteration_step(true, 1), Fails(ErrorCode::unsupported, "layers"));
}

TEST_CASE("a power iteration step uses the gradients of the problem", "[session]") {
  Session session;
  REQUIRE(set_one(session, {.h = 1, .w = 2}).ok());
  REQUIRE(session.reserve(of(Slot::result), 3).ok());
  // dx = 5 x: an eigenvector with eigenvalue 5.
  put(session, Slot::x, {3, -4});
  put(session, Slot::w, {5});
  put(session, Slot::b, {1});
  put(session, Slot::dy, {3, -4});
  REQUIRE(run_step(session, Pass::backward_data).ok());
  REQUIRE(session.power_iteration_step(true, 0.1).ok());
  const std::vector<double> of_x{5, 2.0 / 5, 1 - 0.1 * 5};
  CHECK_THAT(session.values(of(Slot::result)), Equals(of_x, {.relative = 1e-6}));
  CHECK_THAT(session.values(of(Slot::x)), Equals(std::vector<double>{0.6, -0.8}, {.relative = 1e-6}));

  // dw = 3 w and db = 3 b.
  put(session, Slot::x, {1, 0});
  put(session, Slot::w, {4});
  put(session, Slot::b, {3});
  put(session, Slot::dy, {12, -3});
  REQUIRE(run_step(session, Pass::backward_weights).ok());
  REQUIRE(run_step(session, Pass::backward_bias).ok());
  REQUIRE(session.power_iteration_step(false, 1).ok());
  const std::vector<double> of_w{3, 2.0 / 3, -2};
  CHECK_THAT(session.values(of(Slot::result)), Equals(of_w, {.relative = 1e-6}));
  CHECK_THAT(session.values(of(Slot::w)), Equals(std::vector<double>{0.8}, {.relative = 1e-6}));
  CHECK_THAT(session.values(of(Slot::b)), Equals(std::vector<double>{0.6}, {.relative = 1e-6}));
}
