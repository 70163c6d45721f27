// Requires a build with threads: without them nothing pays for a fork. Not on Arm: with the tiles of NEON, no geometry
// below has a choice between two divisions of an outer product.
#if (!defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)) && !defined(__aarch64__)

#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "cost/constants.hpp"
#include "kernels/tested_sets.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

using Coefficients = std::array<double, sizeof(cost::Constants) / sizeof(double)>;

/// Geometries of which each uses other loops: full and narrow tiles, few channels, strides, planes, depthwise.
const std::vector<ConvDesc>& problems() {
  static const std::vector<ConvDesc> all{
      {.h = 12, .w = 12, .c = 32, .k = 64, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}},
      {.n = 2, .h = 9, .w = 10, .c = 3, .k = 7, .kh = 3, .kw = 2, .stride_h = 2, .dilation_w = 2},
      {.h = 15, .w = 16, .c = 64, .k = 2, .kh = 2, .kw = 2},
      {.h = 15, .w = 16, .c = 4, .k = 256, .kh = 2, .kw = 2},
      {.h = 16, .w = 40, .c = 16, .k = 32, .kh = 3, .kw = 3, .groups = 16, .padding = {1, 1, 1, 1}},
      {.layout = Layout::nchw, .h = 16, .w = 40, .c = 8, .k = 8, .kh = 3, .kw = 3, .groups = 8},
      {.layout = Layout::nchw, .n = 2, .h = 7, .w = 9, .c = 20, .k = 70},
      {.h = 20, .w = 20, .c = 65, .k = 256},
      {.h = 20, .w = 21, .c = 1, .k = 1, .kh = 5, .kw = 5},
      {.h = 30, .w = 30, .c = 4, .k = 5, .kh = 1, .kw = 1, .padding = {3, 3, 3, 3}},
      {.h = 64, .w = 64, .c = 3, .k = 16, .kh = 7, .kw = 7, .stride_h = 2, .stride_w = 2}};
  return all;
}

/// The estimated costs of all algorithms, for one thread and for four.
std::vector<double> costs_with(const Coefficients& coefficients, const ConvDesc& d) {
  const auto table = std::bit_cast<cost::Constants>(coefficients);
  custom_set().costs = &table;
  std::vector<double> costs;
  const Geometry g = resolve(d).value();
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias}) {
    const bool adds = pass == Pass::backward_weights || pass == Pass::backward_bias;
    for (const int threads : {1, 4}) {
      const PlanOptions options{.threads = threads,
                                .macs_per_thread = 0,
                                .instruction_set = kCustomSet,
                                .deterministic = false,
                                .accumulate = adds && threads == 4};
      for (const AlgorithmInfo& info : algorithms(g, pass, options)) costs.push_back(info.cost);
    }
  }
  return costs;
}

}  // namespace

TEST_CASE("every coefficient of the cost model changes the cost of an algorithm", "[kernels]") {
  custom_set() = *micro_kernels::select({});
  custom_set().instruction_set = kCustomSet;
  const auto given = std::bit_cast<Coefficients>(*custom_set().costs);
  std::vector<std::vector<double>> expected;
  for (const ConvDesc& d : problems()) expected.push_back(costs_with(given, d));
  for (std::size_t i = 0; i < given.size(); ++i) {
    bool changes = false;
    for (const double factor : {8.0, 0.125}) {
      Coefficients other = given;
      other[i] *= factor;
      for (std::size_t p = 0; p < problems().size() && !changes; ++p) {
        changes = costs_with(other, problems()[p]) != expected[p];
      }
    }
    INFO("number " << i << " of cost::Constants, with the value " << given[i]);
    CHECK(changes);
  }
  custom_set() = {};
}

#endif
