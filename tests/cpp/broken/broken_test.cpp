// Checks that the page would show a broken kernel. This program links the library with the im2col and col2im of
// broken_transforms.cpp. The stages must show what these functions compute, not the correct values.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "conv2d_teach/trace.hpp"
#include "problems/edge_cases.hpp"
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

/// x_col with the taps of each window in reverse order.
std::vector<double> windows_flipped(const ConvDesc& d, const Sizes& s, ColumnOrder order,
                                    const std::vector<double>& x_col) {
  std::vector<double> flipped_x_col(x_col.size());
  const std::int64_t taps = d.kh * d.kw, columns = taps * s.group_c;
  for (std::int64_t t = 0; t < std::ssize(x_col); ++t) {
    const std::int64_t column = t % columns;
    const std::int64_t tap = order == ColumnOrder::kh_kw_c ? column / s.group_c : column % taps;
    const std::int64_t step = order == ColumnOrder::kh_kw_c ? s.group_c : 1;
    flipped_x_col[static_cast<std::size_t>(t + (taps - 1 - 2 * tap) * step)] = x_col[static_cast<std::size_t>(t)];
  }
  return flipped_x_col;
}

/// All edge-case geometries in both layouts.
template <class Check>
void for_all(Rng& rng, Check check) {
  for (const NamedProblem& problem : edge_cases()) {
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

TEST_CASE("a broken im2col shows in x_col, and in y_col as in y of the algorithm") {
  Rng rng(71);
  int wrong_x_cols = 0, wrong_y_cols = 0;
  for_all(rng, [&](const ConvDesc& d, const Sizes& s, const TensorValues& t) {
    const Geometry g = resolve(d).value();
    TensorValues with_flipped_w = t;
    with_flipped_w.w = flipped(d, s, t.w);  // a flipped window with a kernel equals the window with the flipped kernel
    for (const ColumnOrder order : {ColumnOrder::kh_kw_c, ColumnOrder::c_kh_kw}) {
      const StageOptions options{.order = order};
      const std::vector<double> right = expected_stage(d, s, Stage::x_col, options, t).values;
      const std::vector<float> x_col = stage_of(g, Stage::x_col, options, t);
      CHECK_THAT(x_col, Equals(windows_flipped(d, s, order, right)));
      wrong_x_cols += difference(x_col, right) ? 1 : 0;

      const std::vector<float> y_col = stage_of(g, Stage::y_col, options, t);
      CHECK_THAT(y_col, Equals(expected_stage(d, s, Stage::y_col, options, with_flipped_w).values));
      wrong_y_cols += difference(y_col, expected_stage(d, s, Stage::y_col, options, t).values) ? 1 : 0;
    }
    const Oracle broken = oracle(d, s, with_flipped_w);
    CHECK_THAT(result_of(g, Pass::forward, "im2col_gemm", t), Equals(broken.y.value));
    CHECK_THAT(result_of(g, Pass::forward, "im2col_gemm_c_kh_kw", t), Equals(broken.y.value));
    CHECK_THAT(result_of(g, Pass::forward, "direct", t), Equals(oracle(d, s, t).y.value));
  });
  CHECK(wrong_x_cols > 20);
  CHECK(wrong_y_cols > 20);
}

TEST_CASE("a broken col2im shows in the fold of dx_col, as in dx of the algorithm") {
  Rng rng(72);
  int wrong = 0;
  for_all(rng, [&](const ConvDesc& d, const Sizes& s, const TensorValues& t) {
    const Geometry g = resolve(d).value();
    TensorValues with_flipped_w = t;
    with_flipped_w.w = flipped(d, s, t.w);
    const std::vector<float> dx_col = stage_of(g, Stage::dx_col, {}, t);
    CHECK_THAT(dx_col, Equals(expected_stage(d, s, Stage::dx_col, {}, t).values));

    const std::vector<double> broken = oracle(d, s, with_flipped_w).dx.value;
    std::vector<float> dx(t.x.size());
    REQUIRE_THAT(fold_partial(g, dx_col, FoldMode::sum, g.n * g.oh * g.ow, dx), Succeeds());
    CHECK_THAT(dx, Equals(broken));
    wrong += difference(dx, oracle(d, s, t).dx.value) ? 1 : 0;
    const PartialInputs in{.x = t.x, .w = t.w, .b = t.b, .dy = t.dy};
    REQUIRE_THAT(compute_partial(g, Process::dx_col2im, process_steps(g, Process::dx_col2im), in, dx), Succeeds());
    CHECK_THAT(dx, Equals(broken));
    CHECK_THAT(result_of(g, Pass::backward_data, "col2im", t), Equals(broken));
  });
  CHECK(wrong > 20);
}
