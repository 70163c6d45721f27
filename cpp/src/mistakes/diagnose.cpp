#include "mistakes/diagnose.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace conv2d::mistakes {
namespace {

/// Somebody who writes down fewer digits than three has not computed the number.
constexpr double kThreeDigits = 0.005;

}  // namespace

Status check_problem(const Geometry& g, Pass pass, const Inputs& in) {
  const auto wrong_length = [](std::span<const float> tensor, std::int64_t size) {
    return tensor.size() != static_cast<std::size_t>(size);
  };
  const bool reads_x = pass == Pass::forward || pass == Pass::backward_weights;
  const bool reads_w = pass == Pass::forward || pass == Pass::backward_data;
  const auto mismatch = [](std::string_view field) {
    return Status{ErrorCode::length_mismatch, field, "does not have the length that its shape gives"};
  };
  if (reads_x && wrong_length(in.x, g.x_size)) return mismatch("x");
  if (reads_w && wrong_length(in.w, g.w_size)) return mismatch("w");
  if (pass != Pass::forward && wrong_length(in.dy, g.y_size)) return mismatch("dy");
  if (pass == Pass::forward && !in.b.empty() && wrong_length(in.b, g.k)) return mismatch("b");
  if (g.macs() > kMostTerms)
    return {ErrorCode::unsupported, "", "more than a million multiply-adds are too many to look for a mistake in"};
  return {};
}

bool says(const Written& written, const Cell& cell) noexcept {
  const double digits = std::min(written.precision, kThreeDigits * std::abs(cell.sum));
  return std::abs(written.value - cell.sum) <= digits + kRounding * cell.magnitude;
}

std::vector<Number> numbers(const Geometry& g, Pass pass, const Inputs& inputs, std::int64_t cell) {
  std::vector<Number> found;
  const std::span<const Mistake> known = list();
  for (std::size_t i = 0; i < known.size(); ++i) {
    const int ways = known[i].ways(g, pass);
    for (int way = 0; way < ways; ++way) {
      const Cell number = compute(g, pass, inputs, &known[i], way)[static_cast<std::size_t>(cell)];
      // Who forgets the padding has no such cell of y at all; a cell of dx that nobody reads is 0.
      if (number.steps > 0 || pass == Pass::backward_data) {
        found.push_back({.mistake = static_cast<int>(i), .way = way, .cell = number});
      }
    }
  }
  return found;
}

Diagnosis judge(const Cell& right, const std::vector<Number>& numbers, const Written& written) {
  Diagnosis diagnosis{.right = says(written, right), .explanations = {}};
  if (diagnosis.right) return diagnosis;
  for (const Number& number : numbers) {
    const bool told = !diagnosis.explanations.empty() && diagnosis.explanations.back() == number.mistake;
    if (!told && says(written, number.cell)) diagnosis.explanations.push_back(number.mistake);
  }
  return diagnosis;
}

Result<Diagnosis> diagnose(const Geometry& g, Pass pass, const Inputs& inputs, std::int64_t cell,
                           const Written& written) {
  if (Status status = check_problem(g, pass, inputs); !status.ok()) return status;
  if (cell < 0 || cell >= g.result_size(pass))
    return Status{ErrorCode::invalid_argument, "cell", "the result has no cell of this number"};
  const Cell right = compute(g, pass, inputs, nullptr, 0)[static_cast<std::size_t>(cell)];
  return judge(right, numbers(g, pass, inputs, cell), written);
}

}  // namespace conv2d::mistakes
