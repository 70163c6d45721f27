#include "mistakes/diagnose.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/errors.hpp"
#include "desc/geometry.hpp"

namespace conv2d::mistakes {
namespace {

/// Relative precision of three digits: fewer digits do not count as the value.
constexpr double kThreeDigits = 0.005;

/// Relative precision of one digit: 1 for 1.5.
constexpr double kOneDigit = 1.0 / 3.0;

bool is_within(const WrittenValue& written, const Cell& cell, double relative_precision) noexcept {
  const double digits = std::min(written.precision, relative_precision * std::abs(cell.sum));
  return std::abs(written.value - cell.sum) <= digits + kRounding * cell.magnitude;
}

/// Number of passes that a diagnosis computes.
std::int64_t pass_count(const Geometry& g, Pass pass) {
  std::int64_t times = 1;
  for (const Mistake& mistake : list()) times += mistake.variants(g, pass) * (mistake.reads_all ? 2 : 1);
  return times;
}

}  // namespace

Status check_problem(const Geometry& g, Pass pass, const Inputs& in) {
  const PassTensors reads = tensors_of(pass);
  Status status = check_lengths({{"x", in.x.size(), reads.x ? g.x_size : -1},
                                 {"w", in.w.size(), reads.w ? g.w_size : -1},
                                 {"dy", in.dy.size(), reads.dy ? g.y_size : -1},
                                 {"b", in.b.size(), reads.b && !in.b.empty() ? g.k : -1}});
  if (!status.ok()) return status;
  if (g.macs() > kMostTerms || g.macs() * pass_count(g, pass) > kMostTermsInAll)
    return {ErrorCode::unsupported, "", "the problem is too large to look for mistakes; try a smaller one"};
  return {};
}

bool matches(const WrittenValue& written, const Cell& cell) noexcept { return is_within(written, cell, kThreeDigits); }

bool nearly_matches(const WrittenValue& written, const Cell& cell) noexcept {
  return is_within(written, cell, kOneDigit);
}

std::vector<Candidate> candidates(const Geometry& g, Pass pass, const Inputs& inputs, std::int64_t cell) {
  std::vector<Candidate> found;
  const std::span<const Mistake> known = of_numbers();
  for (std::size_t i = 0; i < known.size(); ++i) {
    const int variants = known[i].variants(g, pass);
    for (int variant = 0; variant < variants; ++variant) {
      const Cell value = compute(g, pass, inputs, &known[i], variant)[static_cast<std::size_t>(cell)];
      // Without padding y has fewer cells, so this cell may not exist. A cell of dx that no window reads is 0.
      if (value.steps > 0 || pass == Pass::backward_data) {
        found.push_back({.mistake = static_cast<int>(i), .variant = variant, .cell = value});
      }
    }
  }
  return found;
}

Diagnosis diagnose(const Cell& right, const std::vector<Candidate>& candidates, const WrittenValue& written) {
  Diagnosis diagnosis{.right = matches(written, right), .explanations = {}, .rounded = false};
  if (diagnosis.right) return diagnosis;
  for (const Candidate& candidate : candidates) {
    const bool listed = !diagnosis.explanations.empty() && diagnosis.explanations.back() == candidate.mistake;
    if (!listed && matches(written, candidate.cell)) diagnosis.explanations.push_back(candidate.mistake);
  }
  diagnosis.rounded = diagnosis.explanations.empty() && nearly_matches(written, right);
  return diagnosis;
}

Result<Diagnosis> diagnose(const Geometry& g, Pass pass, const Inputs& inputs, std::int64_t cell,
                           const WrittenValue& written) {
  if (Status status = check_problem(g, pass, inputs); !status.ok()) return status;
  if (cell < 0 || cell >= g.result_size(pass))
    return Status{ErrorCode::invalid_argument, "cell", "cell is outside the result"};
  const Cell right = compute(g, pass, inputs, nullptr, 0)[static_cast<std::size_t>(cell)];
  return diagnose(right, candidates(g, pass, inputs, cell), written);
}

}  // namespace conv2d::mistakes
