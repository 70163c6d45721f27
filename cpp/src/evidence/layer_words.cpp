#include <algorithm>

#include "desc/geometry.hpp"
#include "evidence/layer.hpp"

namespace conv2d_check {
namespace {

std::string number(std::int64_t count) {
  std::string digits = std::to_string(count);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string pair_of(std::int64_t row, std::int64_t column) {
  return row == column ? std::to_string(row) : std::to_string(row) + " x " + std::to_string(column);
}

std::string padding_words(const ConvDesc& d, bool is_1d) {
  const conv2d::Padding& pad = d.padding;
  const auto text = [](std::int64_t value) { return std::to_string(value); };
  if (is_1d) return pad.left == pad.right ? text(pad.left) : "left " + text(pad.left) + ", right " + text(pad.right);
  if (pad.top == pad.bottom && pad.left == pad.right) return pair_of(pad.top, pad.left);
  return "top " + text(pad.top) + ", bottom " + text(pad.bottom) + ", left " + text(pad.left) + ", right " +
         text(pad.right);
}

std::string names(const std::vector<Role>& results, bool is_transposed) {
  std::vector<Role> known;
  std::string text;
  for (Role result : results) {
    if (is_transposed) result = exchanged(result);
    if (std::ranges::find(known, result) != known.end()) continue;
    text += (known.empty() ? "" : " and ") + std::string(to_string(result));
    known.push_back(result);
  }
  return text;
}

std::string w_order_of(const Reading& reading, bool is_transposed) {
  if (!is_transposed) return reading.w_order;
  // O is x of a transposed convolution, I its y.
  std::string order = reading.w_order;
  for (char& letter : order) letter = letter == 'O' ? 'I' : letter == 'I' ? 'O' : letter;
  return order;
}

bool has_orders(const Solution& solution) {
  const auto& all = solution.fitting.empty() ? solution.plausible : solution.fitting;
  return solution.space.parts.size() > 1 || std::ranges::any_of(all, [&](const Candidate& one) {
           return one.reading.w_order != all.front().reading.w_order ||
                  one.reading.x_order != all.front().reading.x_order;
         });
}

void explain_fitting(const Solution& solution, bool is_transposed, const std::string& words, bool orders,
                     LayerVerdict& layer) {
  const std::size_t fitting = solution.fitting.size();
  const std::string by = solution.by.empty() ? "the results" : names(solution.by, is_transposed);

  if (solution.space.size == 1) {
    layer.evidence = words + ": the only geometry that these sizes allow";
    if (!solution.by.empty()) layer.evidence += ", and it gives " + by;
  } else if (fitting == 1) {
    layer.evidence = words + ": the only one of " + number(solution.tried) + " that gives " + by;
  } else {
    layer.evidence = words + ": the likeliest of " + number(static_cast<std::int64_t>(fitting)) + " geometries, of " +
                     number(solution.tried) + ", that give " + by;
    constexpr std::size_t kShown = 6;
    for (std::size_t i = 1; i < std::min(fitting, kShown); ++i) {
      const Candidate& other = solution.fitting[i];
      layer.alternatives.push_back(words_of(other, orders));
      layer.choices.push_back({.words = layer.alternatives.back(),
                               .has_geometry = true,
                               .geometry = geometry_of(other.desc(), other.reading, is_transposed)});
    }
    if (fitting > kShown)
      layer.alternatives.push_back("and " + number(static_cast<std::int64_t>(fitting - kShown)) + " more");
    layer.told_apart_by =
        "All of them give the same values here. Other values of x and w would tell them apart, random and without "
        "zeros, or a larger x.";
  }
}

}  // namespace

std::string words_of(const Candidate& candidate, bool orders) {
  const ConvDesc d = candidate.desc();
  const bool is_1d = candidate.reading.is_1d;
  std::string text = "stride " + (is_1d ? std::to_string(d.stride_w) : pair_of(d.stride_h, d.stride_w));
  text += ", padding " + padding_words(d, is_1d);
  if (d.dilation_h > 1 || d.dilation_w > 1) {
    text += ", dilation " + (is_1d ? std::to_string(d.dilation_w) : pair_of(d.dilation_h, d.dilation_w));
  }
  if (d.groups > 1) text += ", " + std::to_string(d.groups) + " groups";
  if (orders) text += ", x " + candidate.reading.x_order + ", w " + candidate.reading.w_order;
  return text;
}

LayerGeometry geometry_of(const ConvDesc& d, const Reading& reading, bool is_transposed) {
  LayerGeometry g{.kernel = {d.kh, d.kw},
                  .stride = {d.stride_h, d.stride_w},
                  .padding = {d.padding.top, d.padding.bottom, d.padding.left, d.padding.right},
                  .dilation = {d.dilation_h, d.dilation_w},
                  .groups = d.groups,
                  .x_order = reading.x_order,
                  .w_order = w_order_of(reading, is_transposed)};
  const auto resolved = conv2d::resolve(d);
  if (is_transposed && resolved.ok()) g.output_padding = {resolved.value().remainder_h, resolved.value().remainder_w};
  return g;
}

void explain(const Solution& solution, const Candidate& chosen, const std::vector<Given>& given, bool is_transposed,
             bool says_arguments, LayerVerdict& layer) {
  const bool orders = !is_transposed && has_orders(solution);
  const std::string words = words_of(chosen, orders);
  if (!solution.fitting.empty()) {
    explain_fitting(solution, is_transposed, words, orders, layer);
    if (solution.in_some_filters) layer.evidence += " in some filters";
  } else {
    const bool has_results = std::ranges::any_of(
        layer.tensors, [](const TensorVerdict& one) { return one.verdict.judgement != Judgement::cannot_tell; });
    const bool has_y =
        is_transposed || std::ranges::any_of(layer.tensors, [](const TensorVerdict& one) { return one.name == "y"; });
    const std::string what = has_y ? "y" : "the results";
    layer.evidence =
        "None of " + number(solution.tried) + " geometries gives " + what + ". " + words + " is the likeliest";
    const bool is_explained = std::ranges::any_of(
        layer.tensors, [](const TensorVerdict& one) { return one.verdict.judgement <= Judgement::mistake; });
    if (is_explained) layer.evidence += ", and explains the most results";
    if (solution.tried == 0) {
      layer.evidence = "The sizes leave " + number(solution.space.size) + " geometries, and no values decide. " +
                       words + " is the likeliest";
    }
    if (solution.space.size == 1)
      layer.evidence = words + ": the only geometry that these sizes allow, but it does not give " + what;
    if (!has_results) {
      layer.evidence = words + (solution.space.size == 1
                                    ? ": the only geometry that these sizes allow"
                                    : ": the likeliest of " + number(solution.space.size) + " that these sizes allow");
    }
  }
  if (given.empty() || !says_arguments) return;
  layer.evidence += ". The file says " + given.front().words;
  if (solution.fitting.empty()) {
    layer.evidence += chosen.is_given() ? "" : ", but its sizes do not agree";
  } else {
    layer.evidence += solution.contradicts_given ? ", but the values do not agree" : ", and the values agree";
  }
}

}  // namespace conv2d_check
