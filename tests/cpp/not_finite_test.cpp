#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <cmath>
#include <limits>

#include "conv2d/conv2d.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

enum class Poisoned { x, w, dy };

/// Padding is a zero factor: zero times an infinite weight is NaN, and an algorithm may skip or compute that product.
/// The padded tensor itself meets only real elements of the other factor.
bool meets_structural_zeros(Pass pass, Poisoned poisoned) {
  switch (pass) {
    case Pass::forward:
      return poisoned == Poisoned::w;  // zeros around x
    case Pass::backward_data:
      return poisoned == Poisoned::w;  // zeros in and around dy
    case Pass::backward_weights:
      return poisoned == Poisoned::dy;  // zeros around x
    case Pass::backward_bias:
      break;
  }
  return false;
}

/// Deviations that are allowed for an algorithm.
struct Allowed {
  bool spread_nan = false;  ///< a NaN may reach other elements
  bool rounding = false;
};

/// Counts elements that lost a NaN or infinity, and elements without one that are not exact.
std::size_t wrong_elements(std::span<const float> got, std::span<const double> exact, Allowed allowed) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double g = got[i];
    const bool rounded = allowed.rounding && std::abs(g - exact[i]) <= 1e-4 * std::abs(exact[i]);
    const bool same = g == exact[i] || rounded || (std::isnan(g) && std::isnan(exact[i]));
    const bool spread = std::isnan(g) && allowed.spread_nan;
    wrong += !same && !spread;
  }
  return wrong;
}

TensorValues positive_integers(const ConvDesc& d, Rng& rng) {
  TensorValues t = integer_tensors(d, *sizes_of(d), rng);
  for (std::vector<float>* tensor : {&t.x, &t.w, &t.dy}) {
    for (float& v : *tensor) v = std::abs(v) + 1;  // avoids zeros and opposite infinities
  }
  return t;
}

void check_all_algorithms(const ConvDesc& d, const TensorValues& t, Poisoned poisoned) {
  const Oracle expected = oracle(d, *sizes_of(d), t);
  for (const Pass pass : kPasses) {
    for (const AlgorithmInfo& info : algorithms(resolve(d).value(), pass)) {
      if (!info.supported) continue;
      CAPTURE(to_string(d), to_string(pass), std::string(info.name), static_cast<int>(poisoned));
      const Outcome outcome = run(plan(d, pass, {.algorithm = info.name}).value(), t);
      REQUIRE_THAT(outcome.status, Succeeds());
      // Winograd transforms spread a NaN over the whole tile.
      const Allowed allowed{.spread_nan = meets_structural_zeros(pass, poisoned) || !sums_products(info),
                            .rounding = !sums_products(info)};
      CHECK(wrong_elements(outcome.out, expected.of(pass).value, allowed) == 0);
    }
  }
}

}  // namespace

TEST_CASE("NaN and infinities reach exactly the elements that sum them", "[kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  constexpr ConvDesc kDescs[] = {
      {.n = 2, .h = 9, .w = 10, .c = 4, .k = 6, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}},
      {.n = 2, .h = 9, .w = 10, .c = 4, .k = 6, .kh = 3, .kw = 3, .stride_h = 2, .padding = {1, 1, 1, 1}},
      {.layout = Layout::nchw, .n = 2, .h = 9, .w = 10, .c = 4, .k = 4, .kh = 3, .kw = 2, .groups = 4},
  };
  Rng rng(17);
  for (const ConvDesc& d : kDescs) {
    for (const float poison : {kNan, kInf, -kInf}) {
      for (const Poisoned poisoned : {Poisoned::x, Poisoned::w, Poisoned::dy}) {
        TensorValues t = positive_integers(d, rng);
        std::vector<float>& target = poisoned == Poisoned::x ? t.x : poisoned == Poisoned::w ? t.w : t.dy;
        target[static_cast<std::size_t>(rng.between(0, std::ssize(target) - 1))] = poison;
        check_all_algorithms(d, t, poisoned);
      }
    }
  }
}

TEST_CASE("sums beyond the largest float become infinite") {
  const ConvDesc d{.h = 3, .w = 3, .c = 4, .kh = 3, .kw = 3};
  TensorValues t{.x = std::vector<float>(36, 3e38f), .w = std::vector<float>(36, 2.0f), .dy = {2.0f}};
  for (const AlgorithmInfo& info : algorithms(resolve(d).value(), Pass::forward)) {
    if (!info.supported) continue;
    CAPTURE(std::string(info.name));
    const Outcome outcome = run(plan(d, Pass::forward, {.algorithm = info.name}).value(), t);
    REQUIRE_THAT(outcome.status, Succeeds());
    CHECK(!std::isfinite(outcome.out[0]));
  }
}
