#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <string>

#include "conv2d/conv2d.hpp"
#include "support/compare.hpp"
#include "support/environment.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

// Every property is tested on random problems. Run i draws from seed + i. To repeat a failure, set CONV2D_SEED to the
// printed seed and CONV2D_PROPERTY_RUNS=1.

namespace {

/// Calls `property(rng)`, which returns a Failure or Failures, `runs` times.
template <class Property>
void for_random(std::int64_t runs, Property&& property) {
  for (std::int64_t i = 0; i < runs; ++i) {
    const std::uint64_t seed = property_seed() + static_cast<std::uint64_t>(i);
    Rng rng(seed);
    const auto wrong = property(rng);
    INFO("CONV2D_SEED=" << seed << " CONV2D_PROPERTY_RUNS=1");
    REQUIRE_THAT(wrong, NoFailure());
  }
}

/// Adjointness, linearity and equal layouts follow from equality with the definition, which has its own property. They
/// guard the definition, for which fewer problems do.
std::int64_t implied_runs() { return std::min<std::int64_t>(property_runs(), 200); }

/// Picks a random algorithm that supports the geometry and is exact on integers.
Plan any_exact_plan(const ConvDesc& d, Pass pass, Rng& rng) {
  std::vector<std::string_view> names;
  const Geometry g = resolve(d).value();
  for (const AlgorithmInfo& info : algorithms(g, pass)) {
    if (info.supported && sums_products(info)) names.push_back(info.name);
  }
  const auto chosen = static_cast<std::size_t>(rng.between(0, std::ssize(names) - 1));
  return plan(g, pass, {.algorithm = names[chosen]}).value();
}

std::vector<float> result(const ConvDesc& d, Pass pass, const TensorValues& t, Rng& rng) {
  Outcome outcome = run(any_exact_plan(d, pass, rng), t);
  REQUIRE_THAT(outcome.status, Succeeds());
  return std::move(outcome.out);
}

double inner(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

/// a + factor * b
std::vector<float> combine(const std::vector<float>& a, float factor, const std::vector<float>& b) {
  std::vector<float> sum(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] = a[i] + factor * b[i];
  return sum;
}

/// The same convolution and data in the other layout of x and y, with w in another layout of its own.
RandomProblem other_layout(const RandomProblem& p) {
  RandomProblem other = p;
  const ConvDesc& d = p.desc;
  other.desc.layout = d.layout == Layout::nhwc ? Layout::nchw : Layout::nhwc;
  other.desc.weights_layout = weights_layout_of(d) == WeightsLayout::ohwi ? WeightsLayout::oihw : WeightsLayout::ohwi;
  for (std::int64_t n = 0; n < d.n; ++n) {
    for (std::int64_t row = 0; row < d.h; ++row)
      for (std::int64_t col = 0; col < d.w; ++col)
        for (std::int64_t c = 0; c < d.c; ++c)
          other.tensors.x[static_cast<std::size_t>(x_index(other.desc, n, row, col, c))] =
              p.tensors.x[static_cast<std::size_t>(x_index(d, n, row, col, c))];
    for (std::int64_t i = 0; i < p.sizes.oh; ++i)
      for (std::int64_t j = 0; j < p.sizes.ow; ++j)
        for (std::int64_t k = 0; k < d.k; ++k)
          other.tensors.dy[static_cast<std::size_t>(y_index(other.desc, p.sizes, n, i, j, k))] =
              p.tensors.dy[static_cast<std::size_t>(y_index(d, p.sizes, n, i, j, k))];
  }
  for (std::int64_t a = 0; a < d.kh; ++a)
    for (std::int64_t b = 0; b < d.kw; ++b)
      for (std::int64_t c = 0; c < p.sizes.group_c; ++c)
        for (std::int64_t k = 0; k < d.k; ++k)
          other.tensors.w[static_cast<std::size_t>(w_index(other.desc, a, b, c, k))] =
              p.tensors.w[static_cast<std::size_t>(w_index(d, a, b, c, k))];
  return other;
}

}  // namespace

TEST_CASE("property: every algorithm equals the definition exactly on integers", "[kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  for_random(set.share_of(property_runs()), [](Rng& rng) {
    const RandomProblem p = random_integer_problem(rng);
    return failures_of_all_algorithms(p.desc, p.tensors);
  });
}

TEST_CASE("property: every algorithm stays within its declared bound on reals", "[kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  for_random(set.share_of((property_runs() + 3) / 4), [](Rng& rng) {
    const RandomProblem p = random_real_problem(rng);
    return failures_of_all_algorithms(p.desc, p.tensors, Data::reals);
  });
}

TEST_CASE("property: every algorithm is right on larger problems", "[kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  for_random(set.share_of(large_runs()), [](Rng& rng) {
    const Data data = rng.one_in(2) ? Data::integers : Data::reals;
    const RandomProblem p = random_large_problem(rng, data);
    return failures_of_all_algorithms(p.desc, p.tensors, data);
  });
}

TEST_CASE("property: the passes are exactly adjoint to each other") {
  for_random(implied_runs(), [](Rng& rng) -> Failure {
    RandomProblem p = random_integer_problem(rng);
    p.tensors.b.clear();  // the identity covers the linear part only
    const double through_y = inner(p.tensors.dy, result(p.desc, Pass::forward, p.tensors, rng));
    const double through_x = inner(p.tensors.x, result(p.desc, Pass::backward_data, p.tensors, rng));
    const double through_w = inner(p.tensors.w, result(p.desc, Pass::backward_weights, p.tensors, rng));
    if (through_y == through_x && through_y == through_w) return std::nullopt;
    return to_string(p.desc) + ": <dy, y> " + std::to_string(through_y) + ", <dx, x> " + std::to_string(through_x) +
           ", <dw, w> " + std::to_string(through_w);
  });
}

TEST_CASE("property: every pass is exactly linear in its upstream tensor") {
  for_random(implied_runs(), [](Rng& rng) -> Failure {
    RandomProblem p = random_integer_problem(rng);
    p.tensors.b.clear();
    const TensorValues other = integer_tensors(p.desc, p.sizes, rng);
    for (const Pass pass : kPasses) {
      // y and dw are linear in x; dx and db in dy.
      const bool in_x = pass == Pass::forward || pass == Pass::backward_weights;
      std::vector<float> TensorValues::*const tensor = in_x ? &TensorValues::x : &TensorValues::dy;
      TensorValues second = p.tensors, sum = p.tensors;
      second.*tensor = other.*tensor;
      sum.*tensor = combine(p.tensors.*tensor, -3, other.*tensor);
      const std::vector<float> expected =
          combine(result(p.desc, pass, p.tensors, rng), -3, result(p.desc, pass, second, rng));
      const Failure wrong = difference(result(p.desc, pass, sum, rng), expected);
      if (wrong) return to_string(p.desc).append(" ").append(to_string(pass)).append(": ").append(*wrong);
    }
    return std::nullopt;
  });
}

TEST_CASE("property: all layouts give equal results") {
  for_random(implied_runs(), [](Rng& rng) {
    const RandomProblem p = random_integer_problem(rng);
    const RandomProblem q = other_layout(p);
    RandomProblem results = p;
    results.tensors.x = result(p.desc, Pass::backward_data, p.tensors, rng);
    results.tensors.w = result(p.desc, Pass::backward_weights, p.tensors, rng);
    results.tensors.dy = result(p.desc, Pass::forward, p.tensors, rng);
    const TensorValues expected = other_layout(results).tensors;
    Failures wrong;
    const auto compare = [&](Pass pass, const std::vector<float>& other) {
      wrong.add(difference(result(q.desc, pass, q.tensors, rng), other), to_string(p.desc), to_string(pass));
    };
    compare(Pass::backward_data, expected.x);
    compare(Pass::backward_weights, expected.w);
    compare(Pass::forward, expected.dy);
    return wrong;
  });
}

TEST_CASE("property: all input heights of one output height work, and unread elements have gradient 0") {
  for_random((property_runs() + 3) / 4, [](Rng& rng) -> Failure {
    ConvDesc d = random_desc(rng);
    const Geometry g = resolve(d).value();
    d.padding_mode = PaddingMode::explicit_sides;
    d.padding = g.padding;
    const Axis rows{.kernel = d.kh,
                    .stride = d.stride_h,
                    .dilation = d.dilation_h,
                    .pad = g.padding.top + g.padding.bottom,
                    .out = g.oh};
    const std::vector<std::int64_t> heights = solve(rows, AxisField::in, 0, d.h + d.stride_h);
    const std::int64_t least = heights.front();
    if (least > 0 && std::ssize(heights) != d.stride_h) return to_string(d) + ": not as many heights as the stride";
    for (const std::int64_t h : heights) {
      d.h = h;
      const Geometry same_output = resolve(d).value();
      if (same_output.oh != g.oh) return to_string(d) + ": another output height";
      if (!check_dy_shape(same_output, g.y_shape()).ok()) return to_string(d) + ": dy is refused";
      const Sizes sizes = *sizes_of(d);
      const TensorValues t = integer_tensors(d, sizes, rng);
      const std::vector<float> dx = result(d, Pass::backward_data, t, rng);
      // The bottom rows beyond the last window: the remainder, as far as it is in x and not in its padding.
      const std::int64_t unread = std::max<std::int64_t>(same_output.remainder_h - g.padding.bottom, 0);
      for (std::int64_t n = 0; n < d.n; ++n)
        for (std::int64_t row = std::max<std::int64_t>(h - unread, 0); row < h; ++row)
          for (std::int64_t col = 0; col < d.w; ++col)
            for (std::int64_t c = 0; c < d.c; ++c)
              if (dx[static_cast<std::size_t>(x_index(d, n, row, col, c))] != 0)
                return to_string(d) + ": remainder is not 0";
    }
    return std::nullopt;
  });
}

TEST_CASE("property: resolve accepts exactly the valid convolutions") {
  for_random(property_runs(), [](Rng& rng) -> Failure {
    ConvDesc d{.n = rng.between(-1, 3),
               .h = rng.between(-1, 6),
               .w = rng.between(-1, 6),
               .c = rng.between(0, 6),
               .k = rng.between(0, 6),
               .kh = rng.between(0, 4),
               .kw = rng.between(0, 4),
               .stride_h = rng.between(0, 3),
               .stride_w = rng.between(1, 3),
               .dilation_h = rng.between(1, 3),
               .dilation_w = rng.between(0, 3),
               .groups = rng.between(0, 3),
               .padding_mode = static_cast<PaddingMode>(rng.between(0, 3))};
    if (d.padding_mode == PaddingMode::explicit_sides) {
      d.padding = {rng.between(-1, 3), rng.between(0, 3), rng.between(0, 3), rng.between(0, 3)};
    }
    const Result<Geometry> g = resolve(d);
    const std::optional<Sizes> expected = sizes_of(d);
    if (g.ok() != expected.has_value())
      return to_string(d) + ": " + (g.ok() ? "accepted" : std::string(g.status().message));
    if (g.ok() && (g->oh != expected->oh || g->ow != expected->ow)) return to_string(d) + ": another output size";
    return std::nullopt;
  });
}
