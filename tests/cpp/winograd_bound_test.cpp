// The declared error bound of Winograd, with data that reach a large part of it. Random data stay hundreds of times
// below.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

/// One tile of F(m x m, 3 x 3). The signs of its cells and of the other factor (w, or dy for dw) follow rows of the
/// transforms, so that the transformed values are large and cancel in the result.
struct Case {
  Pass pass;
  int m;
  std::vector<float> cell_signs, factor_signs;
};

/// Terms of a sum in the transformed domain: channels, filters or tiles. All terms are equal, so that the sum is
/// rounded in the same direction again and again.
constexpr std::int64_t kTerms = 512, kTiles = 128;
/// Cells and factors that differ a little, so that the directions of some of their products make the errors add up.
constexpr std::int64_t kDraws = 32;

ConvDesc problem(const Case& c, std::int64_t terms) {
  if (c.pass == Pass::forward)
    return {.n = kDraws, .h = c.m + 2, .w = c.m + 2, .c = terms, .k = kDraws, .kh = 3, .kw = 3};
  if (c.pass == Pass::backward_weights)
    return {.n = terms, .h = c.m + 2, .w = c.m + 2, .c = kDraws, .k = kDraws, .kh = 3, .kw = 3};
  // One tile of dx reads (m + 2)^2 cells of dy.
  return {.n = kDraws, .h = c.m, .w = c.m, .c = kDraws, .k = terms, .kh = 3, .kw = 3, .padding = {2, 2, 2, 2}};
}

/// A square of values for each draw, [draw][cell].
std::vector<float> squares(const std::vector<float>& signs, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> values;
  for (std::int64_t draw = 0; draw < kDraws; ++draw)
    for (const float row : signs)
      for (const float col : signs) values.push_back(row * col * (1 - std::abs(rng.real()) / 32));
  return values;
}

/// A tensor [outer][cell][inner] of squares: a draw for each `outer` or, if there are as many, for each `inner`.
std::vector<float> tensor(const std::vector<float>& squares, std::int64_t outer, std::int64_t inner, bool by_inner) {
  const std::int64_t cells = std::ssize(squares) / kDraws;
  std::vector<float> values;
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t cell = 0; cell < cells; ++cell)
      for (std::int64_t i = 0; i < inner; ++i)
        values.push_back(squares[static_cast<std::size_t>((by_inner ? i : o) * cells + cell)]);
  return values;
}

/// Equal for all terms.
TensorValues tensors_of(const Case& c, const ConvDesc& d) {
  const std::vector<float> cells = squares(c.cell_signs, 1), factors = squares(c.factor_signs, 2);
  const Sizes s = *sizes_of(d);
  TensorValues t{.x = std::vector<float>(static_cast<std::size_t>(s.x_size)),
                 .w = std::vector<float>(static_cast<std::size_t>(s.w_size)),
                 .dy = std::vector<float>(static_cast<std::size_t>(s.y_size))};
  if (c.pass == Pass::backward_weights) {
    t.x = tensor(cells, d.n, d.c, true);
    t.dy = tensor(factors, d.n, d.k, true);
    return t;
  }
  // w is [tap][channel][filter], and the squares of factors are those of its draws, a filter or a channel each.
  const bool forward = c.pass == Pass::forward;
  (forward ? t.x : t.dy) = tensor(cells, kDraws, forward ? d.c : d.k, false);
  for (std::int64_t tap = 0, to = 0; tap < 9; ++tap)
    for (std::int64_t channel = 0; channel < d.c; ++channel)
      for (std::int64_t filter = 0; filter < d.k; ++filter, ++to)
        t.w[static_cast<std::size_t>(to)] = factors[static_cast<std::size_t>((forward ? filter : channel) * 9 + tap)];
  return t;
}

float largest(const std::vector<float>& values) {
  float most = 0;
  for (const float value : values) most = std::max(most, std::abs(value));
  return most;
}

/// The largest error, as a part of the declared bound.
double reached(const Case& c, std::span<const float> got, const Exact& exact, const TensorValues& t, double products,
               double error_bound) {
  const double sum = products * (c.pass == Pass::backward_data ? largest(t.dy) : largest(t.x)) *
                     (c.pass == Pass::backward_weights ? largest(t.dy) : largest(t.w));
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) worst = std::max(worst, std::abs(got[i] - exact.value[i]));
  return worst / (std::ldexp(sum, -24) * error_bound);
}

// Rows 3 and 5 of B^T, and the rows of the other factor's transform that go with them.
const std::vector<float> kCells4{1, 1, 1, -1, -1, 1}, kCells2{1, 1, 1, -1};
const Case kCases[] = {
    {Pass::forward, 4, kCells4, {1, 1, 1}},
    {Pass::forward, 2, kCells2, {1, 1, 1}},
    {Pass::backward_data, 4, kCells4, {1, 1, 1}},
    {Pass::backward_data, 2, kCells2, {1, 1, 1}},
    {Pass::backward_weights, 4, kCells4, {1, 1, 1, 1}},
    {Pass::backward_weights, 2, kCells2, {1, 1}},
};

}  // namespace

TEST_CASE("Winograd stays within its declared error bound on data that reach more than a sixteenth of it",
          "[kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  for (const Case& c : kCases) {
    const std::string name = "winograd_" + std::to_string(c.m) + "x" + std::to_string(c.m);
    CAPTURE(name, to_string(c.pass));
    const std::int64_t terms = c.pass == Pass::backward_weights ? kTiles : kTerms;
    const ConvDesc one = problem(c, 1), all = problem(c, terms);
    Exact exact = oracle(one, *sizes_of(one), tensors_of(c, one)).of(c.pass);
    for (double& value : exact.value) value *= static_cast<double>(terms);
    const TensorValues t = tensors_of(c, all);
    const Result<Plan> planned = plan(all, c.pass, {.algorithm = name});
    REQUIRE_THAT(planned, Succeeds());
    const Outcome outcome = run(*planned, t);
    REQUIRE_THAT(outcome.status, Succeeds());
    const std::vector<AlgorithmInfo> infos = algorithms(planned->geometry(), c.pass);
    const auto info = std::ranges::find(infos, name, &AlgorithmInfo::name);
    CHECK_THAT(difference_beyond_bound(outcome.out, exact, *info, all, c.pass, t), NoFailure());
    const double products = static_cast<double>(terms) * (c.pass == Pass::backward_weights ? c.m * c.m : 9);
    const double part = reached(c, outcome.out, exact, t, products, info->error_bound);
    CHECK(part > 1.0 / 16);
  }
}
