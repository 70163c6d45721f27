#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "conv2d/trace.hpp"
#include "problems/awkward.hpp"
#include "support/compare.hpp"
#include "support/guarded_buffer.hpp"
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
    last[x] = v;  // taps come in the order of the positions
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

std::string failures(const ConvDesc& d, Rng& rng) {
  const Geometry g = resolve(d).value();
  const Sizes s = *sizes_of(d);
  const std::vector<float> dx_col = random_columns(g, rng);
  std::string all;
  const std::int64_t positions = g.n * g.oh * g.ow;
  for (const FoldMode mode : {FoldMode::sum, FoldMode::average, FoldMode::overwrite}) {
    GuardedBuffer dx(static_cast<std::size_t>(g.x_size));
    const Status whole = fold(g, dx_col, mode, dx.span());
    all += whole.message + difference(dx.span(), expected_fold(d, s, dx_col, mode, positions));
    const std::int64_t done = rng.between(0, positions);
    const Status partial = fold_partial(g, dx_col, mode, done, dx.span());
    all += partial.message + difference(dx.span(), expected_fold(d, s, dx_col, mode, done)) +
           (dx.intact() ? "" : " trespass");
  }
  GuardedBuffer counts(static_cast<std::size_t>(g.h * g.w));
  const Status status = coverage(g, counts.span());
  return all + status.message + difference(counts.span(), expected_coverage(d, s)) +
         (counts.intact() ? "" : " trespass");
}

}  // namespace

TEST_CASE("fold and coverage, for every awkward geometry") {
  Rng rng(51);
  for (const NamedProblem& problem : awkward_problems()) {
    for (const Layout layout : kLayouts) {
      ConvDesc d = problem.desc;
      d.layout = layout;
      CAPTURE(problem.name, to_string(layout));
      CHECK(failures(d, rng) == "");
    }
  }
}

TEST_CASE("fold and coverage, for random geometries") {
  Rng rng(52);
  for (int i = 0; i < 500; ++i) {
    const ConvDesc d = random_desc(rng);
    CAPTURE(to_string(d));
    REQUIRE(failures(d, rng) == "");
  }
}

TEST_CASE("col2im of the dx_col stage is dx") {
  Rng rng(53);
  for (const NamedProblem& problem : awkward_problems()) {
    const ConvDesc& d = problem.desc;
    CAPTURE(problem.name);
    const Sizes s = *sizes_of(d);
    const TensorValues t = integer_tensors(d, s, rng);
    const Geometry g = resolve(d).value();
    const auto shape = stage_shape(g, Stage::dx_col).value();
    std::vector<float> dx_col(static_cast<std::size_t>(shape[0] * shape[1] * shape[2]));
    REQUIRE(compute_stage(g, Stage::dx_col, {.x = {}, .w = t.w, .dy = t.dy}, dx_col).ok());
    std::vector<float> dx(t.x.size());
    REQUIRE(fold(g, dx_col, FoldMode::sum, dx).ok());
    CHECK(difference(dx, oracle(d, s, t).dx.value) == "");
  }
}

TEST_CASE("fold and coverage refuse other lengths") {
  const Geometry g = resolve({.n = 2, .h = 5, .w = 6, .c = 4, .k = 6, .kh = 2, .kw = 3, .groups = 2}).value();
  Rng rng(54);
  const std::vector<float> dx_col = random_columns(g, rng);
  std::vector<float> dx(static_cast<std::size_t>(g.x_size));
  const Status short_columns = fold(g, std::span(dx_col).first(dx_col.size() - 1), FoldMode::sum, dx);
  CHECK(short_columns.code == ErrorCode::length_mismatch);
  CHECK(short_columns.field == "dx_col");
  const Status short_dx = fold(g, dx_col, FoldMode::average, std::span(dx).first(dx.size() - 1));
  CHECK(short_dx.code == ErrorCode::length_mismatch);
  CHECK(short_dx.field == "dx");
  for (const std::int64_t wrong : {std::int64_t{-1}, g.n * g.oh * g.ow + 1}) {
    const Status status = fold_partial(g, dx_col, FoldMode::sum, wrong, dx);
    CHECK(status.code == ErrorCode::invalid_argument);
    CHECK(status.field == "positions");
  }
  std::vector<float> counts(29);
  const Status short_counts = coverage(g, counts);
  CHECK(short_counts.code == ErrorCode::length_mismatch);
  CHECK(short_counts.field == "counts");
  CHECK(short_counts.message.find("30") != std::string::npos);
}
