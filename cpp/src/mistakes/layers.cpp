#include "mistakes/layers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/errors.hpp"
#include "mistakes/layers/average_pool.hpp"
#include "mistakes/layers/conv_transpose.hpp"
#include "mistakes/layers/leaky_relu.hpp"
#include "mistakes/layers/max_pool.hpp"
#include "mistakes/layers/relu.hpp"

namespace conv2d::mistakes {
namespace {

/// A kind with its mistakes.
struct Kind {
  std::string_view name;
  double (*right)(const LayerProblem& p, Pass pass, std::int64_t cell);
  std::span<const LayerMistake> mistakes;
  /// What the rounding of a value is relative to; null: the value.
  double (*magnitude)(const LayerProblem& p, Pass pass, std::int64_t cell) = nullptr;
};

constexpr Kind kKinds[] = {
    {"conv_transpose", conv_transpose::right, conv_transpose::kMistakes, conv_transpose::magnitude},
    {"relu", relu::right, relu::kMistakes},
    {"leaky_relu", leaky_relu::right, leaky_relu::kMistakes},
    {"max_pool", max_pool::right, max_pool::kMistakes},
    {"average_pool", average_pool::right, average_pool::kMistakes}};

/// Null if there is no such kind.
const Kind* kind_of(std::string_view name) noexcept {
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

constexpr std::size_t count() noexcept {
  std::size_t all = 0;
  for (const Kind& kind : kKinds) all += kind.mistakes.size();
  return all;
}

/// The mistakes of all kinds.
constexpr auto kMistakes = [] {
  std::array<LayerMistake, count()> all{};
  std::size_t i = 0;
  for (const Kind& kind : kKinds) {
    for (const LayerMistake& mistake : kind.mistakes) {
      all[i] = mistake;
      all[i++].kind = kind.name;
    }
  }
  return all;
}();

/// A value with the magnitude that its rounding is relative to, and a bound of the terms of all sums of this layer.
Cell cell_of(const LayerProblem& p, Pass pass, std::int64_t cell, double value) {
  const Geometry& g = p.geometry;
  const auto magnitude = kind_of(p.kind)->magnitude;
  return {.sum = value,
          .magnitude = magnitude ? magnitude(p, pass, cell) : std::abs(value),
          .steps = g.kh * g.kw * (p.is_transposed ? std::max(g.group_c, g.group_k) : 1)};
}

}  // namespace

Status check_problem(const LayerProblem& p, Pass pass, std::int64_t cell) {
  if (!kind_of(p.kind)) {
    return {ErrorCode::invalid_argument, "kind", text("there are no mistakes of layers of kind ", p.kind)};
  }
  if (pass != Pass::forward && pass != Pass::backward_data) {
    return {ErrorCode::invalid_argument, "pass", "the layer has only y and dx"};
  }
  Status status = check_lengths({{"x", p.x.size(), p.result_size(Pass::backward_data)},
                                 {"dy", p.dy.size(), pass == Pass::forward ? -1 : p.result_size(Pass::forward)},
                                 {"w", p.w.size(), p.is_transposed ? p.geometry.w_size : -1},
                                 {"b", p.b.size(), p.is_transposed && !p.b.empty() ? p.geometry.c : -1}});
  if (!status.ok()) return status;
  if (cell < 0 || cell >= p.result_size(pass)) {
    return {ErrorCode::invalid_argument, "cell", "cell is outside the result"};
  }
  return {};
}

double right_value(const LayerProblem& p, Pass pass, std::int64_t cell) {
  return kind_of(p.kind)->right(p, pass, cell);
}

std::span<const LayerMistake> layer_mistakes() noexcept { return kMistakes; }

Result<Diagnosis> diagnose(const LayerProblem& problem, Pass pass, std::int64_t cell, const WrittenValue& written) {
  if (Status status = check_problem(problem, pass, cell); !status.ok()) return status;
  const Cell right = cell_of(problem, pass, cell, right_value(problem, pass, cell));
  Diagnosis diagnosis{.right = matches(written, right), .explanations = {}, .rounded = false};
  for (std::size_t i = 0; !diagnosis.right && i < std::size(kMistakes); ++i) {
    const LayerMistake& mistake = kMistakes[i];
    if (mistake.kind != problem.kind || mistake.pass != pass) continue;
    if (matches(written, cell_of(problem, pass, cell, mistake.value(problem, cell)))) {
      diagnosis.explanations.push_back(static_cast<int>(i));
    }
  }
  diagnosis.rounded = !diagnosis.right && diagnosis.explanations.empty() && nearly_matches(written, right);
  return diagnosis;
}

}  // namespace conv2d::mistakes
