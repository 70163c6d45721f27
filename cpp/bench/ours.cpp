#include <stdexcept>

#include "problem.hpp"

namespace conv2d::bench {
namespace {

void must(const Status& status) {
  if (!status.ok()) {
    throw std::runtime_error(status.message);
  }
}

Status run(const Plan& plan, const Problem& problem, std::span<float> output, std::span<float> workspace) noexcept {
  switch (plan.pass) {
    case Pass::forward:
      return forward(plan, problem.x, problem.w, problem.b, output, workspace);
    case Pass::backward_data:
      return backward_data(plan, problem.dy, problem.w, output, workspace);
    case Pass::backward_weights:
      return backward_weights(plan, problem.x, problem.dy, output, workspace);
    case Pass::backward_bias:
      return backward_bias(plan, problem.dy, output, workspace);
  }
  return {};
}

Runner prepare(const Problem& problem, std::string_view algorithm) {
  const Result<Plan> planned = plan(problem.geometry, problem.pass, {.algorithm = algorithm});
  must(planned.status());
  const auto output = std::make_shared<std::vector<float>>(output_size(problem.geometry, problem.pass));
  const auto workspace = std::make_shared<std::vector<float>>(planned->workspace_floats);
  return {
      .run = [plan = *planned, &problem, output, workspace] { must(bench::run(plan, problem, *output, *workspace)); },
      .output = [output] { return std::span<const float>(*output); },
      .workspace_floats = planned->workspace_floats};
}

}  // namespace

std::vector<Contender> ours(const Geometry& geometry, Pass pass) {
  const Result<Plan> chosen = plan(geometry, pass);
  must(chosen.status());
  // The choice's name travels in the contender's: Google Benchmark's output has no other place for a word.
  std::vector<Contender> contenders{
      {"ours/plan:" + std::string(chosen->algorithm), [](const Problem& problem) { return prepare(problem, {}); }}};
  for (const AlgorithmInfo& info : algorithms(geometry, pass)) {
    if (info.supported) {
      contenders.push_back({"ours/" + std::string(info.name), [name = std::string(info.name)](const Problem& problem) {
                              return prepare(problem, name);
                            }});
    }
  }
  return contenders;
}

}  // namespace conv2d::bench
