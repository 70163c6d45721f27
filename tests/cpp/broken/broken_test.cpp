// Whether a broken kernel is seen on the page: this program is the library with the im2col and the col2im of
// broken_transforms.cpp. What the stages show must be what these make, not what would be right.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "conv2d/trace.hpp"
#include "problems/awkward.hpp"
#include "support/expected_stage.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

std::vector<float> stage_of(const Geometry& g, Stage stage, const StageOptions& options, const TensorValues& t) {
  const auto shape = stage_shape(g, stage, options).value();
  std::vector<float> out(static_cast<std::size_t>(shape[0] * shape[1] * shape[2] * shape[3]));
  REQUIRE_THAT(compute_stage(g, stage, {.x = t.x, .w = t.w, .dy = t.dy}, out, options), Succeeds());
  return out;
}

std::vector<float> result_of(const Geometry& g, Pass pass, const char* algorithm, const TensorValues& t) {
  const Outcome outcome = run(plan(g, pass, {.algorithm = algorithm}).value(), t);
  REQUIRE_THAT(outcome.status, Succeeds());
  return outcome.out;
}

/// x_col with the taps of each window from the last to the first.
std::vector<double> turned_windows(const ConvDesc& d, const Sizes& s, ColumnOrder order,
                                   const std::vector<double>& x_col) {
  std::vector<double> turned(x_col.size());
  const std::int64_t taps = d.kh * d.kw, columns = taps * s.group_c;
  for (std::int64_t t = 0; t < std::ssize(x_col); ++t) {
    const std::int64_t column = t % columns;
    const std::int64_t tap = order == ColumnOrder::kh_kw_c ? column / s.group_c : column % taps;
    const std::int64_t step = order == ColumnOrder::kh_kw_c ? s.group_c : 1;
    turned[static_cast<std::size_t>(t + (taps - 1 - 2 * tap) * step)] = x_col[static_cast<std::size_t>(t)];
  }
  return turned;
}

/// All awkward geometries in both layouts.
template <class Check>
void for_all(Rng& rng, Check check) {
  for (const NamedProblem& problem : awkward_problems()) {
    for (const Layout layout : kLayouts) {
      ConvDesc d = problem.desc;
      d.layout = layout;
      CAPTURE(problem.name, test::to_string(layout));
      const Sizes s = *sizes_of(d);
      TensorValues t = integer_tensors(d, s, rng);
      t.b.clear();
      check(d, s, t);
    }
  }
}

}  // namespace

TEST_CASE("a broken im2col is seen in x_col, and in y_col as in the algorithm's y") {
  Rng rng(71);
  int wrong_x_cols = 0, wrong_y_cols = 0;
  for_all(rng, [&](const ConvDesc& d, const Sizes& s, const TensorValues& t) {
    const Geometry g = resolve(d).value();
    TensorValues with_turned_w = t;
    with_turned_w.w = turned(d, s, t.w);  // a window turned on a kernel is the window on a kernel turned
    for (const ColumnOrder order : {ColumnOrder::kh_kw_c, ColumnOrder::c_kh_kw}) {
      const StageOptions options{.order = order};
      const std::vector<double> right = expected_stage(d, s, Stage::x_col, options, t).values;
      const std::vector<float> x_col = stage_of(g, Stage::x_col, options, t);
      CHECK_THAT(x_col, Equals(turned_windows(d, s, order, right)));
      wrong_x_cols += difference(x_col, right) ? 1 : 0;

      const std::vector<float> y_col = stage_of(g, Stage::y_col, options, t);
      CHECK_THAT(y_col, Equals(expected_stage(d, s, Stage::y_col, options, with_turned_w).values));
      wrong_y_cols += difference(y_col, expected_stage(d, s, Stage::y_col, options, t).values) ? 1 : 0;
    }
    const Oracle broken = oracle(d, s, with_turned_w);
    CHECK_THAT(result_of(g, Pass::forward, "im2col_gemm", t), Equals(broken.y.value));
    CHECK_THAT(result_of(g, Pass::forward, "im2col_gemm_c_kh_kw", t), Equals(broken.y.value));
    CHECK_THAT(result_of(g, Pass::forward, "direct", t), Equals(oracle(d, s, t).y.value));
  });
  CHECK(wrong_x_cols > 20);
  CHECK(wrong_y_cols > 20);
}

TEST_CASE("a broken col2im is seen on the way back from dx_col, as in the algorithm's dx") {
  Rng rng(72);
  int wrong = 0;
  for_all(rng, [&](const ConvDesc& d, const Sizes& s, const TensorValues& t) {
    const Geometry g = resolve(d).value();
    TensorValues with_turned_w = t;
    with_turned_w.w = turned(d, s, t.w);
    const std::vector<float> dx_col = stage_of(g, Stage::dx_col, {}, t);
    CHECK_THAT(dx_col, Equals(expected_stage(d, s, Stage::dx_col, {}, t).values));

    const std::vector<double> broken = oracle(d, s, with_turned_w).dx.value;
    std::vector<float> dx(t.x.size());
    REQUIRE_THAT(fold(g, dx_col, FoldMode::sum, dx), Succeeds());
    CHECK_THAT(dx, Equals(broken));
    wrong += difference(dx, oracle(d, s, t).dx.value) ? 1 : 0;
    const PartialInputs in{.x = t.x, .w = t.w, .b = t.b, .dy = t.dy};
    REQUIRE_THAT(compute_partial(g, Process::dx_col2im, process_steps(g, Process::dx_col2im), in, dx), Succeeds());
    CHECK_THAT(dx, Equals(broken));
    CHECK_THAT(result_of(g, Pass::backward_data, "col2im", t), Equals(broken));
  });
  CHECK(wrong > 20);
}
