#pragma once

#include <string>

#include "conv2d/conv2d.hpp"
#include "problems/edge_cases.hpp"
#include "support/checked_memory.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

/// Problems for the tests of the transforms.
namespace conv2d::test {

/// Calls test(name, descriptor, sizes, geometry, rng) for the edge-case problems and for random ones, in `layout` and
/// `weights`.
template <class Test>
void for_each_problem(Layout layout, WeightsLayout weights, std::uint64_t seed, Test&& test) {
  constexpr int kRandom = 60;
  Rng rng(seed);
  const auto try_on = [&](const std::string& name, ConvDesc d) {
    d.layout = layout;
    d.weights_layout = weights;
    test(name, d, *sizes_of(d), resolve(d).value(), rng);
  };
  for (const NamedProblem& problem : edge_cases()) try_on(problem.name, problem.desc);
  for (int i = 0; i < kRandom; ++i) {
    const ConvDesc d = random_desc(rng);
    try_on(to_string(d), d);
  }
}

template <class Test>
void for_each_problem(Layout layout, std::uint64_t seed, Test&& test) {
  for_each_problem(layout, WeightsLayout::automatic, seed, test);
}

inline float at(const std::vector<float>& values, std::int64_t i) { return values[static_cast<std::size_t>(i)]; }

}  // namespace conv2d::test
