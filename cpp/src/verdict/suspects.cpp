#include "verdict/suspects.hpp"

#include <cmath>

#include "mistakes/layers.hpp"

namespace conv2d_check {
namespace {

using conv2d::mistakes::Mistake;

/// Terms of a whole result that are computed for one suspect.
constexpr std::int64_t kMostTerms = std::int64_t{1} << 26;
/// Terms of the samples of one suspect.
constexpr std::int64_t kMostSampled = std::int64_t{1} << 22;

conv2d::mistakes::LayerProblem layer_problem(const Problem& p) {
  using conv2d::LayerKind;
  return {.kind = p.layer == Layer::relu       ? LayerKind::relu
                  : p.layer == Layer::max_pool ? LayerKind::max_pool
                                               : LayerKind::average_pool,
          .geometry = p.geometry,
          .count_include_pad = p.count_include_pad,
          .x = p.in.x,
          .dy = p.in.dy};
}

const Mistake& row(const MistakeVariant& one) {
  return conv2d::mistakes::list()[static_cast<std::size_t>(one.mistake)];
}
const conv2d::mistakes::LayerMistake& layer_row(const MistakeVariant& one) {
  return conv2d::mistakes::layer_mistakes()[static_cast<std::size_t>(one.mistake)];
}

double layer_value(const MistakeVariant& one, const conv2d::mistakes::LayerProblem& problem, std::int64_t cell) {
  return layer_row(one).value(problem, cell);
}

}  // namespace

std::string_view name_of(const Problem& problem, const MistakeVariant& mistake) {
  return problem.layer == Layer::conv ? row(mistake).name : layer_row(mistake).name;
}

std::string sentence_of(const Problem& problem, Pass pass, const MistakeVariant& mistake) {
  const auto join = [](std::string_view title, std::string_view sentence) {
    return std::string(title) + ": " + std::string(sentence);
  };
  if (problem.layer != Layer::conv) return join(layer_row(mistake).title, layer_row(mistake).sentence);
  const Mistake& one = row(mistake);
  const auto& special = pass == Pass::forward ? one.forward : one.weights;
  const bool is_special = (pass == Pass::forward || pass == Pass::backward_weights) && !special.sentence.empty();
  return join(one.title, is_special ? special.sentence : one.sentence);
}

std::vector<Suspect> single_suspects(const Problem& problem, Pass pass) {
  std::vector<Suspect> all;
  if (problem.layer != Layer::conv) {
    const auto rows = conv2d::mistakes::layer_mistakes();
    const auto kind = layer_problem(problem).kind;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].kind == kind && rows[i].pass == pass) all.push_back({.first = {.mistake = static_cast<int>(i)}});
    }
    return all;
  }
  const auto rows = conv2d::mistakes::list();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int variants = rows[i].variants(problem.geometry, pass);
    for (int variant = 0; variant < variants; ++variant)
      all.push_back({.first = {.mistake = static_cast<int>(i), .variant = variant}});
  }
  return all;
}

std::vector<Suspect> double_suspects(const Problem&, Pass) { return {}; }

Sample sample_of(const Suspect& suspect, const Problem& problem, Pass pass, std::int64_t count) {
  const Expected all = expected_of(suspect, problem, pass);
  Sample sample{.expected = {.terms = all.terms}};
  const std::int64_t cells = std::ssize(all.values), chosen = std::min(cells, count);
  for (std::int64_t i = 0; i < chosen; ++i) {
    const std::int64_t cell = chosen == cells ? i : (cells - 1) * i / (chosen - 1);
    sample.cells.push_back(cell);
    sample.expected.values.push_back(all.values[static_cast<std::size_t>(cell)]);
    sample.expected.norms.push_back(all.norms[static_cast<std::size_t>(cell)]);
  }
  return sample;
}

Expected expected_of(const Suspect& suspect, const Problem& problem, Pass pass) {
  Expected expected{.terms = terms_of(problem, pass)};
  if (problem.layer != Layer::conv) {
    const auto of_layer = layer_problem(problem);
    for (std::int64_t cell = 0; cell < problem.geometry.result_size(pass); ++cell) {
      expected.values.push_back(layer_value(suspect.first, of_layer, cell));
      expected.norms.push_back(std::abs(expected.values.back()));
    }
    return expected;
  }
  if (problem.geometry.macs() > kMostTerms) return expected;
  const auto cells = conv2d::mistakes::compute(problem.geometry, pass, problem.in, &row(suspect.first), suspect.first.variant);
  for (const auto& cell : cells) {
    expected.values.push_back(cell.sum);
    expected.norms.push_back(cell.steps > 0 ? cell.magnitude / std::sqrt(static_cast<double>(cell.steps)) : cell.magnitude);
  }
  return expected;
}

}  // namespace conv2d_check
