#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <set>
#include <string>

#include "conv2d/conv2d.hpp"
#include "conv2d/reference.hpp"
#include "problems/edge_cases.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

TEST_CASE("every algorithm is exact on integers for every edge-case geometry in both layouts", "[kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  Rng rng(11);
  for (const NamedProblem& problem : edge_cases()) {
    for (const Layout layout : kLayouts) {
      ConvDesc d = problem.desc;
      d.layout = layout;
      TensorValues tensors = integer_tensors(d, *sizes_of(d), rng);
      CAPTURE(problem.name);
      CHECK_THAT(failures_of_all_algorithms(d, tensors), NoFailure());
      tensors.b.clear();
      CHECK_THAT(failures_of_all_algorithms(d, tensors), NoFailure());
    }
  }
}

TEST_CASE("every algorithm stays within its declared error bound on reals for every edge-case geometry", "[kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  Rng rng(12);
  for (const NamedProblem& problem : edge_cases()) {
    for (const Layout layout : kLayouts) {
      ConvDesc d = problem.desc;
      d.layout = layout;
      CAPTURE(problem.name);
      CHECK_THAT(failures_of_all_algorithms(d, real_tensors(d, *sizes_of(d), rng), Data::reals), NoFailure());
    }
  }
}

TEST_CASE("algorithm names of a pass are unique, have descriptions, and end with the reference") {
  const Geometry g = resolve({.n = 2, .h = 9, .w = 8, .c = 4, .k = 6, .kh = 3, .kw = 3}).value();
  for (const Pass pass : kPasses) {
    CAPTURE(to_string(pass));
    const std::vector<AlgorithmInfo> infos = algorithms(g, pass);
    REQUIRE(!infos.empty());
    std::set<std::string> names;
    for (const AlgorithmInfo& info : infos) {
      CAPTURE(std::string(info.name));
      CHECK(names.insert(std::string(info.name)).second);
      CHECK(info.description.size() > 20);
      CHECK(info.supported == info.reason.empty());
      CHECK(info.workspace_floats >= 0);
      if (info.supported) CHECK(info.cost > 0);
      CHECK(info.error_bound >= 0);
    }
    CHECK(infos.back().name == "reference");
    CHECK(infos.back().supported);
    CHECK(infos.back().error_bound == 0);
  }
}

TEST_CASE("each pass offers the algorithms that the page compares, and runs them under their names") {
  // failures_of_all_algorithms asserts plan().algorithm. This test checks that no algorithm is missing from the list.
  const struct {
    Pass pass;
    std::size_t least;
  } minimums[] = {{Pass::forward, 5}, {Pass::backward_data, 5}, {Pass::backward_weights, 4}, {Pass::backward_bias, 2}};
  const Geometry depthwise =
      resolve({.n = 2, .h = 9, .w = 8, .c = 4, .k = 4, .kh = 3, .kw = 3, .stride_h = 2, .stride_w = 2, .groups = 4})
          .value();
  for (const auto& [pass, least] : minimums) {
    CAPTURE(to_string(pass));
    const auto infos = algorithms(depthwise, pass);
    CHECK(static_cast<std::size_t>(std::ranges::count_if(infos, &AlgorithmInfo::supported)) >= least);
  }
}

TEST_CASE("the reference rounds the exact value once, in float and in double") {
  Rng rng(13);
  for (const NamedProblem& problem : edge_cases()) {
    for (const Layout layout : kLayouts) {
      ConvDesc d = problem.desc;
      d.layout = layout;
      CAPTURE(problem.name);
      const Sizes sizes = *sizes_of(d);
      const TensorValues t = integer_tensors(d, sizes, rng);
      const Oracle expected = oracle(d, sizes, t);
      const Geometry g = resolve(d).value();
      const auto check = [&]<class T>(T) {
        const std::vector<T> x(t.x.begin(), t.x.end()), w(t.w.begin(), t.w.end()), b(t.b.begin(), t.b.end()),
            dy(t.dy.begin(), t.dy.end());
        std::vector<T> y(dy.size()), dx(x.size()), dw(w.size()), db(b.size());
        reference::forward<T>(g, x, w, b, y);
        reference::backward_data<T>(g, dy, w, dx);
        reference::backward_weights<T>(g, x, dy, dw);
        reference::backward_bias<T>(g, dy, db);
        CHECK_THAT(y, Equals(expected.y.value));
        CHECK_THAT(dx, Equals(expected.dx.value));
        CHECK_THAT(dw, Equals(expected.dw.value));
        CHECK_THAT(db, Equals(expected.db.value));
      };
      check(float{});
      check(double{});
      for (const Pass pass : kPasses) {
        std::vector<float> out(out_size(g, pass));
        reference::run(g, pass, {.x = t.x, .w = t.w, .b = t.b, .dy = t.dy, .out = out});
        CHECK_THAT(out, Equals(expected.of(pass).value));
      }
    }
  }
}
