#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "conv2d_teach/trace.hpp"
#include "problems/edge_cases.hpp"
#include "support/compare.hpp"
#include "support/guarded_buffer.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

std::vector<float> random_columns(const Geometry& g, Rng& rng) {
  std::vector<float> dx_col(static_cast<std::size_t>(g.n * g.oh * g.ow * g.kh * g.kw * g.c));
  for (float& v : dx_col) v = static_cast<float>(rng.between(-9, 9));
  return dx_col;
}

std::vector<double> expected_fold(const ConvDesc& d, const Sizes& s, const std::vector<float>& dx_col, FoldMode mode,
                                  std::int64_t positions_done) {
  const auto x_size = static_cast<std::size_t>(s.x_size);
  std::vector<double> sum(x_size), last(x_size), count(x_size);
  const std::int64_t positions = d.n * s.oh * s.ow, columns = d.kh * d.kw * s.group_c;
  for_each_tap(d, s, [&](const Tap& t) {
    if (t.x < 0 || t.position >= positions_done) return;
    const std::int64_t col = (t.p * d.kw + t.q) * s.group_c + t.channel;
    const double v = dx_col[static_cast<std::size_t>((t.group * positions + t.position) * columns + col)];
    const auto x = static_cast<std::size_t>(t.x);
    sum[x] += v;
    last[x] = v;  // taps are visited in the order of the positions
    ++count[x];
  });
  if (mode == FoldMode::sum) return sum;
  if (mode == FoldMode::overwrite) return last;
  for (std::size_t i = 0; i < x_size; ++i) {
    // The library divides in float32.
    sum[i] = count[i] == 0 ? 0 : static_cast<float>(sum[i]) / static_cast<float>(count[i]);
  }
  return sum;
}

std::vector<double> expected_coverage(const ConvDesc& d, const Sizes& s) {
  ConvDesc one = d;  // one image, one channel
  one.layout = Layout::nhwc;
  one.n = one.c = one.k = one.groups = 1;
  std::vector<double> counts(static_cast<std::size_t>(d.h * d.w));
  Sizes sizes = s;
  sizes.group_c = sizes.group_k = 1;
  for_each_tap(one, sizes, [&](const Tap& t) {
    if (t.x >= 0) ++counts[static_cast<std::size_t>(t.x)];
  });
  return counts;
}

/// Returns the failure for `status` and `memory`, if any.
Failure failure_of(const Status& status, GuardedBuffer& memory, const std::vector<double>& expected) {
  if (!status.ok()) return std::string(status.message);
  if (!memory.intact()) return "wrote outside its memory";
  return difference(memory.span(), expected);
}

Failures failures(const ConvDesc& d, Rng& rng) {
  const Geometry g = resolve(d).value();
  const Sizes s = *sizes_of(d);
  const std::vector<float> dx_col = random_columns(g, rng);
  Failures all;
  const std::int64_t positions = g.n * g.oh * g.ow;
  for (const FoldMode mode : {FoldMode::sum, FoldMode::average, FoldMode::overwrite}) {
    GuardedBuffer dx(static_cast<std::size_t>(g.x_size));
    const Status whole = fold_partial(g, dx_col, mode, positions, dx.span());
    all.add(failure_of(whole, dx, expected_fold(d, s, dx_col, mode, positions)), "every position, mode",
            static_cast<int>(mode));
    const std::int64_t done = rng.between(0, positions);
    const Status partial = fold_partial(g, dx_col, mode, done, dx.span());
    all.add(failure_of(partial, dx, expected_fold(d, s, dx_col, mode, done)), "fold_partial, mode, positions",
            static_cast<int>(mode), done);
  }
  GuardedBuffer counts(static_cast<std::size_t>(g.h * g.w));
  const Status status = coverage(g, counts.span());
  all.add(failure_of(status, counts, expected_coverage(d, s)), "coverage");
  return all;
}

}  // namespace

TEST_CASE("fold and coverage match the definition for every edge-case geometry") {
  Rng rng(51);
  for (const NamedProblem& problem : edge_cases()) {
    for (const Layout layout : kLayouts) {
      ConvDesc d = problem.desc;
      d.layout = layout;
      CAPTURE(problem.name, to_string(layout));
      CHECK_THAT(failures(d, rng), NoFailure());
    }
  }
}

TEST_CASE("fold and coverage match the definition for random geometries") {
  Rng rng(52);
  for (int i = 0; i < 500; ++i) {
    const ConvDesc d = random_desc(rng);
    CAPTURE(to_string(d));
    REQUIRE_THAT(failures(d, rng), NoFailure());
  }
}

TEST_CASE("col2im of the dx_col stage is dx") {
  Rng rng(53);
  for (const NamedProblem& problem : edge_cases()) {
    const ConvDesc& d = problem.desc;
    CAPTURE(problem.name);
    const Sizes s = *sizes_of(d);
    const TensorValues t = integer_tensors(d, s, rng);
    const Geometry g = resolve(d).value();
    const auto shape = stage_shape(g, Stage::dx_col).value();
    std::vector<float> dx_col(static_cast<std::size_t>(shape[0] * shape[1] * shape[2]));
    REQUIRE_THAT(compute_stage(g, Stage::dx_col, {.x = {}, .w = t.w, .dy = t.dy}, dx_col), Succeeds());
    std::vector<float> dx(t.x.size());
    REQUIRE_THAT(fold_partial(g, dx_col, FoldMode::sum, g.n * g.oh * g.ow, dx), Succeeds());
    CHECK_THAT(dx, Equals(oracle(d, s, t).dx.value));
  }
}

TEST_CASE("fold and coverage reject wrong lengths") {
  const Geometry g = resolve({.n = 2, .h = 5, .w = 6, .c = 4, .k = 6, .kh = 2, .kw = 3, .groups = 2}).value();
  Rng rng(54);
  const std::vector<float> dx_col = random_columns(g, rng);
  std::vector<float> dx(static_cast<std::size_t>(g.x_size));
  const Status short_columns = fold_partial(g, std::span(dx_col).first(dx_col.size() - 1), FoldMode::sum, 0, dx);
  CHECK_THAT(short_columns, Fails(ErrorCode::length_mismatch, "dx_col"));
  const Status short_dx = fold_partial(g, dx_col, FoldMode::average, 0, std::span(dx).first(dx.size() - 1));
  CHECK_THAT(short_dx, Fails(ErrorCode::length_mismatch, "dx"));
  for (const std::int64_t wrong : {std::int64_t{-1}, g.n * g.oh * g.ow + 1}) {
    const Status status = fold_partial(g, dx_col, FoldMode::sum, wrong, dx);
    CHECK_THAT(status, Fails(ErrorCode::invalid_argument, "positions"));
  }
  std::vector<float> counts(29);
  const Status short_counts = coverage(g, counts);
  CHECK_THAT(short_counts, Fails(ErrorCode::length_mismatch, "counts", {"30"}));
}
