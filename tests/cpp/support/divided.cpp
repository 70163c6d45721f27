#include "support/divided.hpp"

#include "support/compare.hpp"
#include "support/run.hpp"

namespace conv2d::test {

namespace {

Failure failure_of(const Plan& plan, const TensorValues& tensors, const std::vector<float>& expected,
                   const Team& team) {
  const Outcome outcome = run(plan, tensors, {}, team);
  if (!outcome.status.ok()) return "does not run: " + outcome.status.message;
  if (outcome.stray_write) return outcome.stray_write;
  return difference_of_bits(outcome.out, expected);
}

}  // namespace

Failures failures_when_divided(const ConvDesc& d, const TensorValues& tensors, const Team& team,
                               std::set<std::string>& divided, std::initializer_list<int> threads) {
  const Geometry g = resolve(d).value();
  Failures failures;
  for (const Pass pass : kPasses) {
    for (const AlgorithmInfo& info : algorithms(g, pass)) {
      if (!info.supported) continue;
      const std::string name = std::string(to_string(pass)).append(" ").append(info.name);
      std::vector<float> expected;
      for (const int most : threads) {
        const Plan planned = plan(g, pass, {.algorithm = info.name, .threads = most, .macs_per_thread = 0}).value();
        if (planned.threads() < 1) failures.add("has no threads", to_string(d), name);
        if (planned.threads() <= 1) continue;
        divided.insert(name);
        if (expected.empty()) expected = run(plan(g, pass, {.algorithm = info.name}).value(), tensors).out;
        failures.add(failure_of(planned, tensors, expected, team), to_string(d), name, planned.threads(), "shares");
      }
    }
  }
  return failures;
}

Team reversed_team() {
  const auto run = [](void*, int count, void (*task)(void*, int) noexcept, void* argument) noexcept {
    for (int i = count - 1; i >= 0; --i) task(argument, i);
  };
  return {.threads = 64, .run = run, .context = nullptr};
}

}  // namespace conv2d::test
