#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "conv2d_check/check.hpp"
#include "support/environment.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;
using conv2d_check::Judgement;
using conv2d_check::Verdict;

namespace {

Verdict judge(const ConvDesc& d, Pass pass, const TensorValues& t, std::span<const float> result) {
  return conv2d_check::judge(d, pass, {.x = t.x, .w = t.w, .b = t.b, .dy = t.dy}, result);
}

/// Calls act(pass, result) with the results of all algorithms of all passes.
template <class Act>
void for_each_result(const RandomProblem& problem, Act act) {
  const Geometry g = resolve(problem.desc).value();
  for (const Pass pass : kPasses) {
    if (g.result_size(pass) == 0) continue;
    for (const AlgorithmInfo& info : algorithms(g, pass)) {
      if (!info.supported) continue;
      const Plan plan = conv2d::plan(problem.desc, pass, {.algorithm = info.name}).value();
      const Outcome outcome = run(plan, problem.tensors);
      INFO(to_string(problem.desc) << ", " << std::string(info.name));
      REQUIRE(outcome.status.ok());
      act(pass, outcome.out);
    }
  }
}

template <class Act>
void repeat(std::int64_t runs, Act act) {
  for (std::int64_t i = 0; i < std::max<std::int64_t>(runs, 4); ++i) {
    const std::uint64_t seed = property_seed() + static_cast<std::uint64_t>(i);
    INFO("CONV2D_SEED=" << seed << " CONV2D_PROPERTY_RUNS=1");
    Rng rng(seed);
    act(rng);
  }
}

}  // namespace

TEST_CASE("property: the judge refuses no right result of any algorithm") {
  repeat(property_runs() / 16, [](Rng& rng) {
    const RandomProblem problem = random_real_problem(rng);
    for_each_result(problem, [&](Pass pass, const std::vector<float>& result) {
      const Verdict verdict = judge(problem.desc, pass, problem.tensors, result);
      INFO(to_string(pass) << ": " << verdict.sentence);
      CHECK((verdict || verdict.judgement == Judgement::cannot_tell));
    });
  });
}

TEST_CASE("property: the judge accepts no result that is 1 % off, or has one cell that is, or a NaN") {
  repeat(property_runs() / 32, [](Rng& rng) {
    const RandomProblem problem = random_real_problem(rng);
    for_each_result(problem, [&](Pass pass, const std::vector<float>& result) {
      const auto largest = static_cast<std::size_t>(
          std::ranges::max_element(result, {}, [](float value) { return std::abs(value); }) - result.begin());
      if (result[largest] == 0) return;
      const auto is_refused = [&](auto change) {
        std::vector<float> wrong = result;
        change(wrong);
        const Verdict verdict = judge(problem.desc, pass, problem.tensors, wrong);
        INFO(to_string(pass) << ": " << verdict.sentence);
        CHECK_FALSE(verdict);
      };
      is_refused([&](std::vector<float>& wrong) { wrong[largest] *= 1.01F; });
      is_refused([&](std::vector<float>& wrong) { wrong[largest] = std::nanf(""); });
      is_refused([&](std::vector<float>& wrong) {
        for (float& value : wrong) value *= 1.01F;
      });
    });
  });
}
