#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "problems/edge_cases.hpp"
#include "support/divided.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

// The layout of w and dw is independent of the layout of x and y. Random problems have all combinations, too
// (support/random_problem.cpp).

namespace {

ConvDesc in_layouts(ConvDesc d, Layout layout, WeightsLayout weights) {
  d.layout = layout;
  d.weights_layout = weights;
  return d;
}

/// w of `d` in the layout of `to`.
std::vector<float> permuted(const ConvDesc& d, const ConvDesc& to, const std::vector<float>& w) {
  std::vector<float> other(w.size());
  for (std::int64_t p = 0; p < d.kh; ++p)
    for (std::int64_t q = 0; q < d.kw; ++q)
      for (std::int64_t c = 0; c < d.c / d.groups; ++c)
        for (std::int64_t k = 0; k < d.k; ++k)
          other[static_cast<std::size_t>(w_index(to, p, q, c, k))] =
              w[static_cast<std::size_t>(w_index(d, p, q, c, k))];
  return other;
}

/// Problems that fill registers, panels and dot tiles, with strides, dilations and groups.
constexpr ConvDesc kWide[]{
    {.n = 2, .h = 7, .w = 9, .c = 40, .k = 84, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}},
    {.h = 15, .w = 14, .c = 6, .k = 22, .kh = 4, .kw = 5, .stride_h = 3, .stride_w = 2},
    {.n = 3, .h = 9, .w = 8, .c = 32, .k = 2, .kh = 5, .kw = 3, .stride_w = 5},
    {.h = 12, .w = 10, .c = 40, .k = 60, .kh = 2, .kw = 3, .dilation_w = 2, .groups = 5},
    {.n = 2, .h = 6, .w = 5, .c = 34, .k = 68, .kh = 3, .kw = 3, .groups = 34, .padding_mode = PaddingMode::same},
    {.h = 5, .w = 7, .c = 16, .k = 77, .kh = 1, .kw = 1},
};

}  // namespace

TEST_CASE("every algorithm is exact on integers in all layouts of the weights") {
  Rng rng(41);
  std::vector<ConvDesc> descs(std::begin(kWide), std::end(kWide));
  for (const NamedProblem& problem : edge_cases()) descs.push_back(problem.desc);
  for (const ConvDesc& d : descs) {
    TensorValues tensors = integer_tensors(d, *sizes_of(d), rng);
    for (const Layout layout : kLayouts) {
      for (const WeightsLayout weights : kWeightsLayouts) {
        CHECK_THAT(failures_of_all_algorithms(in_layouts(d, layout, weights), tensors), NoFailure());
      }
    }
  }
}

TEST_CASE("weights in another order, packed or not, give the bits of HWIO") {
  // Only algorithms that pack or convert w: the loops sum in an order that follows the strides.
  const std::pair<Pass, std::string_view> kAlgorithms[] = {
      {Pass::forward, "implicit_gemm"}, {Pass::forward, "winograd_4x4"},        {Pass::forward, "im2col_gemm"},
      {Pass::forward, "depthwise"},     {Pass::backward_data, "implicit_gemm"}, {Pass::backward_data, "winograd_2x2"},
      {Pass::backward_data, "col2im"}};
  Rng rng(42);
  std::set<std::string_view> ran;
  for (const ConvDesc& any : kWide) {
    for (const Layout layout : kLayouts) {
      const ConvDesc hwio = in_layouts(any, layout, WeightsLayout::hwio);
      TensorValues tensors = real_tensors(hwio, *sizes_of(hwio), rng);
      for (const auto& [pass, name] : kAlgorithms) {
        const Result<Plan> planned = plan(hwio, pass, {.algorithm = name});
        if (!planned.ok()) continue;
        ran.insert(name);
        const std::vector<float> expected = run(*planned, tensors).out;
        for (const WeightsLayout weights : {WeightsLayout::oihw, WeightsLayout::ohwi}) {
          const ConvDesc d = in_layouts(any, layout, weights);
          CAPTURE(to_string(d), to_string(pass), std::string(name));
          TensorValues other = tensors;
          other.w = permuted(hwio, d, tensors.w);
          const Plan plan_of_other = plan(d, pass, {.algorithm = name}).value();
          CHECK_THAT(run(plan_of_other, other).out, HasBitsOf(expected));
          const bool packs = name == "implicit_gemm" || name.starts_with("winograd");  // from any order
          REQUIRE((plan_of_other.packed_floats() > 0) == packs);
          if (!packs) continue;
          CHECK(plan_of_other.packed_floats() == planned->packed_floats());
          CHECK_THAT(run_packed(plan_of_other, other).out, HasBitsOf(expected));
        }
      }
    }
  }
  CHECK(ran.size() == 6);
}

TEST_CASE("NCHW with HWIO weights uses packed weights") {
  Rng rng(43);
  for (const ConvDesc& any : kWide) {
    const ConvDesc d = in_layouts(any, Layout::nchw, WeightsLayout::hwio);
    const TensorValues tensors = real_tensors(d, *sizes_of(d), rng);
    for (const Pass pass : {Pass::forward, Pass::backward_data}) {
      CAPTURE(to_string(d), to_string(pass));
      const Plan planned = plan(d, pass, {.algorithm = "implicit_gemm", .packed_weights = true}).value();
      REQUIRE(planned.packed_floats() > 0);
      CHECK_THAT(run_packed(planned, tensors).out, HasBitsOf(run(planned, tensors).out));
    }
  }
}

TEST_CASE("packed weights of another weights layout are refused") {
  const ConvDesc ohwi{.h = 5, .w = 6, .c = 8, .k = 16, .kh = 2, .kw = 2, .weights_layout = WeightsLayout::ohwi};
  const PlanOptions options{.algorithm = "implicit_gemm"};
  const Plan packer = plan(ohwi, Pass::forward, options).value();
  const Plan planned = plan(in_layouts(ohwi, Layout::nhwc, WeightsLayout::oihw), Pass::forward, options).value();
  const Geometry& g = planned.geometry();
  const std::vector<float> x(static_cast<std::size_t>(g.x_size)), w(static_cast<std::size_t>(g.w_size));
  std::vector<float> y(static_cast<std::size_t>(g.y_size));
  std::vector<float> workspace(static_cast<std::size_t>(planned.workspace_floats()));
  std::vector<float> packed(static_cast<std::size_t>(packer.packed_floats()));
  REQUIRE(packer.packed_floats() == planned.packed_floats());
  REQUIRE(pack_weights(packer, w, packed).ok());
  CHECK_THAT(run(planned, {.x = x, .packed = packed, .out = y}, {.workspace = workspace}),
             Fails(ErrorCode::invalid_argument, "packed", {"weights_layout 3", "weights_layout 2"}));
}

// WebAssembly built without threads divides nothing.
#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)
TEST_CASE("the number of threads changes no bit in any layout of the weights") {
  Rng rng(44);
  std::set<std::string> divided;
  for (const ConvDesc& any : kWide) {
    for (const Layout layout : kLayouts) {
      for (const WeightsLayout weights : kWeightsLayouts) {
        const ConvDesc d = in_layouts(any, layout, weights);
        CHECK_THAT(failures_when_divided(d, real_tensors(d, *sizes_of(d), rng), reversed_team(), divided), NoFailure());
      }
    }
  }
  CHECK(divided.size() == 17);
}
#endif

TEST_CASE("dw is added to the output in the layout of the weights") {
  Rng rng(45);
  for (const ConvDesc& any : kWide) {
    for (const WeightsLayout weights : kWeightsLayouts) {
      const ConvDesc d = in_layouts(any, Layout::nhwc, weights);
      const Sizes sizes = *sizes_of(d);
      const TensorValues t = integer_tensors(d, sizes, rng);
      std::vector<double> expected = oracle(d, sizes, t).dw.value;
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += static_cast<double>(i % 19);
      for (const AlgorithmInfo& info : algorithms(resolve(d).value(), Pass::backward_weights)) {
        if (!info.supported || !sums_products(info)) continue;
        CAPTURE(to_string(d), std::string(info.name));
        const Plan planned = plan(d, Pass::backward_weights, {.algorithm = info.name, .accumulate = true}).value();
        std::vector<float> dw(expected.size());
        for (std::size_t i = 0; i < dw.size(); ++i) dw[i] = static_cast<float>(i % 19);
        std::vector<float> workspace(static_cast<std::size_t>(planned.workspace_floats()),
                                     std::numeric_limits<float>::quiet_NaN());
        REQUIRE_THAT(run_on(planned, {.x = t.x, .dy = t.dy, .out = dw, .workspace = workspace}), Succeeds());
        CHECK_THAT(dw, Equals(expected));
      }
    }
  }
}

TEST_CASE("automatic is the layout that belongs to x and y, with the same plan") {
  for (const NamedProblem& problem : edge_cases()) {
    for (const Layout layout : kLayouts) {
      const ConvDesc d = in_layouts(problem.desc, layout, WeightsLayout::automatic);
      const WeightsLayout belongs = layout == Layout::nhwc ? WeightsLayout::hwio : WeightsLayout::oihw;
      CHECK(resolve(d)->weights_layout == belongs);
      for (const Pass pass : kPasses) {
        CAPTURE(problem.name, to_string(layout), to_string(pass));
        const Plan one = plan(d, pass).value(), other = plan(in_layouts(d, layout, belongs), pass).value();
        CHECK(one.algorithm() == other.algorithm());
        CHECK(one.workspace_floats() == other.workspace_floats());
        CHECK(one.packed_floats() == other.packed_floats());
      }
    }
  }
}

TEST_CASE("only what an algorithm cannot read is converted, in the workspace") {
  const ConvDesc d{.h = 9, .w = 8, .c = 16, .k = 32, .kh = 3, .kw = 3};
  const auto floats = [&](Pass pass, std::string_view name, Layout layout, WeightsLayout weights) {
    return plan(in_layouts(d, layout, weights), pass, {.algorithm = name})->workspace_floats();
  };
  const std::int64_t w_size = resolve(d)->w_size;  // whole cache lines
  for (const WeightsLayout weights : {WeightsLayout::oihw, WeightsLayout::ohwi}) {
    CAPTURE(to_string(weights));
    const auto added = [&](Pass pass, std::string_view name, Layout layout) {
      return floats(pass, name, layout, weights) - floats(pass, name, layout, WeightsLayout::hwio);
    };
    CHECK(added(Pass::forward, "implicit_gemm", Layout::nhwc) == 0);
    CHECK(added(Pass::forward, "winograd_4x4", Layout::nhwc) == 0);
    CHECK(added(Pass::forward, "direct", Layout::nchw) == 0);
    CHECK(added(Pass::forward, "im2col_gemm", Layout::nhwc) == w_size);
    CHECK(added(Pass::backward_data, "implicit_gemm", Layout::nchw) == 0);
    CHECK(added(Pass::forward, "im2col_gemm", Layout::nchw) == w_size);
    CHECK(added(Pass::backward_weights, "outer_product", Layout::nhwc) == w_size);
    CHECK(added(Pass::backward_weights, "direct", Layout::nhwc) == 0);
  }
}

TEST_CASE("a w or dw of the wrong length is refused with its shape in the layout of the weights") {
  const ConvDesc d{.h = 9, .w = 8, .c = 4, .k = 6, .kh = 3, .kw = 2, .groups = 2};
  const std::pair<WeightsLayout, const char*> kShapes[] = {{WeightsLayout::hwio, "[3, 2, 2, 6]"},
                                                           {WeightsLayout::oihw, "[6, 2, 3, 2]"},
                                                           {WeightsLayout::ohwi, "[6, 3, 2, 2]"}};
  for (const auto& [weights, shape] : kShapes) {
    const ConvDesc of = in_layouts(d, Layout::nhwc, weights);
    const Plan forwards = plan(of, Pass::forward).value(), dw = plan(of, Pass::backward_weights).value();
    const std::vector<float> x(static_cast<std::size_t>(dw.geometry().x_size));
    const std::vector<float> dy(static_cast<std::size_t>(dw.geometry().y_size));
    std::vector<float> out(1);
    CHECK_THAT(forward(forwards, x, {}, {}, out, {}), Fails(ErrorCode::length_mismatch, "w", {shape}));
    CHECK_THAT(backward_weights(dw, x, dy, out, {}), Fails(ErrorCode::length_mismatch, "dw", {shape}));
  }
}
