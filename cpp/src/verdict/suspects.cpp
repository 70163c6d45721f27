#include "verdict/suspects.hpp"

#include <algorithm>
#include <cmath>

#include "mistakes/layers.hpp"

namespace conv2d_check {
namespace {

using conv2d::mistakes::Applied;
using conv2d::mistakes::Mistake;

/// Terms that are computed for one suspect: about half a second.
constexpr std::int64_t kMostTerms = std::int64_t{1} << 25;
/// Terms of the first cells of all pairs: about half a second.
constexpr std::int64_t kMostPairTerms = std::int64_t{1} << 25;

conv2d::mistakes::LayerProblem layer_problem(const Problem& p) {
  return {.kind = p.layer == Layer::relu       ? "relu"
                  : p.layer == Layer::max_pool ? "max_pool"
                                               : "average_pool",
          .options = {p.count_include_pad ? 1.0 : 0.0},
          .geometry = p.geometry,
          .x = p.in.x,
          .dy = p.in.dy};
}

const Mistake& row(const MistakeVariant& one) {
  return conv2d::mistakes::list()[static_cast<std::size_t>(one.mistake)];
}
const conv2d::mistakes::LayerMistake& layer_row(const MistakeVariant& one) {
  return conv2d::mistakes::layer_mistakes()[static_cast<std::size_t>(one.mistake)];
}

Applied applied(const MistakeVariant& one) {
  return {.mistake = one.mistake < 0 ? nullptr : &row(one), .variant = one.variant};
}

/// What pairs leave out: a divisor alone is a factor, which is tried with each mistake, and a mistake that reads y is
/// expensive.
bool is_left_out_of_pairs(const Mistake& m) {
  return m.reads_all || m.reads_all_groups ||
         (m.divisor != nullptr && m.changes == nullptr && m.omits == nullptr && m.changes_factors == nullptr &&
          m.reads_dy);
}

void add_cell(Sample& sample, std::int64_t index, double value, double norm) {
  sample.cells.push_back(index);
  sample.expected.values.push_back(value);
  sample.expected.norms.push_back(norm);
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

std::vector<Suspect> double_suspects(const Problem& problem, Pass pass) {
  if (problem.layer != Layer::conv) return {};
  // One of the two is a mistake that learners make most.
  const auto most = std::ssize(conv2d::mistakes::bugs());
  std::vector<Suspect> pairs;
  const std::vector<Suspect> singles = single_suspects(problem, pass);
  for (const auto& [common, none] : singles) {
    if (common.mistake >= most || is_left_out_of_pairs(row(common))) continue;
    for (const auto& [other, also_none] : singles) {
      if (other.mistake == common.mistake || is_left_out_of_pairs(row(other))) continue;
      // The order only matters where both change indices. Both orders of two common mistakes come from the outer loop.
      const bool is_ordered = row(common).changes != nullptr && row(other).changes != nullptr;
      const bool are_common = other.mistake < most;
      if (is_ordered || !are_common || common.mistake < other.mistake)
        pairs.push_back({.first = common, .second = other});
      if (is_ordered && !are_common) pairs.push_back({.first = other, .second = common});
    }
  }
  const std::int64_t cost = kFirstCells * terms_of(problem, pass) * std::ssize(pairs);
  return cost > kMostPairTerms ? std::vector<Suspect>{} : pairs;
}

Sample sample_of(const Suspect& suspect, const Problem& problem, Pass pass, std::int64_t count,
                 std::span<const std::int64_t> first) {
  Sample sample{.expected = {.terms = terms_of(problem, pass)}};
  if (problem.layer != Layer::conv) {
    const auto of_layer = layer_problem(problem);
    const std::int64_t cells = problem.geometry.result_size(pass), chosen = std::min(cells, count);
    const auto add = [&](std::int64_t cell) {
      const double value = layer_row(suspect.first).value(of_layer, cell);
      add_cell(sample, cell, value, std::abs(value));
    };
    if (chosen < cells) std::ranges::for_each(first, add);
    for (std::int64_t i = 0; i < chosen; ++i)
      add(chosen == cells ? i : (cells - 1) * i / std::max<std::int64_t>(chosen - 1, 1));
    sample.is_whole = chosen == cells;
    return sample;
  }
  const Applied both[]{applied(suspect.first), applied(suspect.second)};
  const std::span<const Applied> mistakes(both, suspect.second.mistake < 0 ? 1 : 2);
  const bool reads_all = std::ranges::any_of(mistakes, [](const Applied& one) { return one.mistake->reads_all; });
  const bool all_groups =
      std::ranges::any_of(mistakes, [](const Applied& one) { return one.mistake->reads_all_groups; });
  const std::int64_t times = all_groups ? problem.geometry.groups : 1, terms = problem.geometry.macs() * times;
  if (reads_all && terms > kMostTerms) return {};
  if (!std::ranges::all_of(mistakes, [&](const Applied& one) {
        return conv2d::mistakes::has_inputs(problem.geometry, problem.in, *one.mistake);
      }))
    return {};
  const bool is_cheap = terms <= count * terms_of(problem, pass) * times;
  const auto some = is_cheap
                        ? std::vector<conv2d::mistakes::IndexedCell>{}
                        : conv2d::mistakes::compute_some(problem.geometry, pass, problem.in, mistakes, count, first);
  for (const auto& [index, cell] : some) add_cell(sample, index, cell.sum, std::sqrt(cell.squares));
  if (!some.empty() || terms > (mistakes.size() == 1 ? kMostTerms : kMostPairTerms / 512)) return sample;
  const auto cells = conv2d::mistakes::compute(problem.geometry, pass, problem.in, mistakes);
  for (const auto& cell : cells) add_cell(sample, std::ssize(sample.cells), cell.sum, std::sqrt(cell.squares));
  sample.is_whole = true;
  return sample;
}

Sample whole_of(const Suspect& suspect, const Problem& problem, Pass pass) {
  const std::int64_t cells = problem.geometry.result_size(pass);
  if (problem.layer != Layer::conv || problem.geometry.macs() <= kMostTerms)
    return sample_of(suspect, problem, pass, cells);
  return sample_of(suspect, problem, pass, std::clamp(kMostTerms / terms_of(problem, pass), std::int64_t{64}, cells));
}

}  // namespace conv2d_check
