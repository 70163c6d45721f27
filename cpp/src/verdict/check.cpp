#include "conv2d_check/check.hpp"

#include <array>
#include <ostream>

#include "base/errors.hpp"
#include "desc/geometry.hpp"
#include "verdict/formats.hpp"
#include "verdict/judge.hpp"
#include "verdict/words.hpp"

namespace conv2d_check {
namespace {

Verdict misfit(std::string reason, Pass pass) {
  Verdict verdict;
  verdict.judgement = Judgement::does_not_fit;
  verdict.reason = std::move(reason);
  verdict.sentence = sentence_of(verdict, Geometry(), pass);
  return verdict;
}

/// The description with the channels of a layer without weights.
ConvDesc described(ConvDesc desc, Layer layer) {
  if (layer == Layer::conv) return desc;
  desc.k = desc.groups = desc.c;
  desc.dilation_h = desc.dilation_w = 1;
  if (layer == Layer::relu) {
    desc.kh = desc.kw = desc.stride_h = desc.stride_w = 1;
    desc.padding_mode = conv2d::PaddingMode::valid;
  }
  return desc;
}

struct NamedOperand {
  const char* name;
  const Elements* elements;
  std::int64_t needed;
};

}  // namespace

std::string_view to_string(Judgement judgement) noexcept {
  constexpr std::array kNames{"matches", "scaled", "mistake", "partly_wrong", "differs", "cannot_tell", "does_not_fit"};
  return kNames[static_cast<std::size_t>(judgement)];
}

std::ostream& operator<<(std::ostream& out, const Verdict& verdict) { return out << verdict.sentence; }

Verdict judge(const ConvDesc& desc, Pass pass, const Operands& operands, const Elements& result,
              const Options& options) {
  const auto geometry = conv2d::resolve(described(desc, options.layer));
  if (!geometry.ok()) return misfit(std::string(geometry.status().message.view()), pass);
  const Geometry& g = *geometry;
  const bool has_weights = options.layer == Layer::conv;
  if (!has_weights && pass != Pass::forward && pass != Pass::backward_data)
    return misfit("the layer has no weights", pass);
  conv2d::PassTensors reads = conv2d::tensors_of(pass);
  if (!has_weights) reads.w = reads.b = false;
  // ReLU and max_pool decide by x which cells of dy count.
  if (!has_weights && pass == Pass::backward_data && options.layer != Layer::average_pool) reads.x = true;
  const std::array<NamedOperand, 3> needed{{{"x", &operands.x, reads.x ? g.x_size : -1},
                                            {"w", &operands.w, reads.w ? g.w_size : -1},
                                            {"dy", &operands.dy, reads.dy ? g.y_size : -1}}};
  for (const auto& [name, elements, size] : needed) {
    if (size <= 0 || std::cmp_equal(elements->size(), size)) continue;
    if (!elements->empty())
      return misfit(
          name + (" has " + std::to_string(elements->size())) + " elements, but needs " + std::to_string(size), pass);
    Verdict missing;
    missing.reason = std::string(name) + " is missing";
    missing.sentence = sentence_of(missing, g, pass);
    return missing;
  }
  if (reads.b && !operands.b.empty() && std::cmp_not_equal(operands.b.size(), g.k))
    return misfit(
        "b has " + std::to_string(operands.b.size()) + " elements, but w has " + std::to_string(g.k) + " filters",
        pass);
  if (std::cmp_not_equal(result.size(), g.result_size(pass)))
    return misfit(
        "it has " + std::to_string(result.size()) + " elements, but needs " + std::to_string(g.result_size(pass)),
        pass);
  const auto x = floats_of(operands.x), w = floats_of(operands.w), b = floats_of(operands.b),
             dy = floats_of(operands.dy);
  const Problem problem{.layer = options.layer,
                        .count_include_pad = options.count_include_pad,
                        .geometry = g,
                        .in = {.x = x, .w = w, .b = b, .dy = dy}};
  const auto values = floats_of(result);
  Verdict verdict = Judge(problem, pass, values, options).verdict();
  verdict.sentence = sentence_of(verdict, g, pass);
  return verdict;
}

}  // namespace conv2d_check
