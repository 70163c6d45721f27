#include "evidence/judged.hpp"

#include <algorithm>
#include <cctype>

#include "desc/geometry.hpp"
#include "verdict/formats.hpp"

namespace conv2d_check {
namespace {

/// Operands of a result, the same for a transposed convolution.
struct Needs {
  bool x, w, dy;
};

Needs needs_of(Role role, Layer layer) {
  if (layer != Layer::conv)
    return {.x = role == Role::y || layer != Layer::average_pool, .w = false, .dy = role != Role::y};
  switch (role) {
    case Role::y:
      return {.x = true, .w = true, .dy = false};
    case Role::dx:
      return {.x = false, .w = true, .dy = true};
    case Role::dw:
      return {.x = true, .w = false, .dy = true};
    default:
      return {.x = false, .w = false, .dy = true};
  }
}

constexpr std::array kInputs{Role::x, Role::w, Role::dy};

std::string_view words_of(DySource source) {
  switch (source) {
    case DySource::ones:
      return "1 (the loss y.sum())";
    case DySource::mean:
      return "1 / size (the loss y.mean())";
    case DySource::y:
      return "y (the loss (y * y).sum() / 2)";
    default:
      return "missing";
  }
}

/// y of a transposed convolution without its bias, which is not part of the dx that judges it.
const Tensor* without_bias(const Tensor& y, const Tensor& b, const Geometry& g, Store& store) {
  Tensor& plain = store.add({.name = y.name, .shape = y.shape, .is_text = y.is_text});
  plain.values = y.values;
  for (std::size_t i = 0; i < plain.values.size(); ++i) {
    const auto cell = static_cast<std::int64_t>(i);
    const std::int64_t channel = g.layout == Layout::nhwc ? cell % g.c : cell / (g.h * g.w) % g.c;
    plain.values[i] -= b.values[static_cast<std::size_t>(channel)];
  }
  plain.elements = Elements(std::span<const float>(plain.values));
  return &plain;
}

/// A sentence about dx of a convolution as one about y of its transpose. The explanation of a mistake keeps the names
/// of the convolution, and says so.
void rename(Verdict& verdict, Role from, Role to) {
  const std::string transposed =
      verdict.names.empty() ? "" : "As " + std::string(to_string(from)) + " of the convolution that it transposes: ";
  const std::string old(to_string(from)), name(to_string(to));
  const auto is_letter = [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; };
  std::string& text = verdict.sentence;
  for (std::size_t at = text.find(old); transposed.empty() && at != std::string::npos;
       at = text.find(old, at + name.size())) {
    const bool is_word =
        (at == 0 || !is_letter(text[at - 1])) && (at + old.size() == text.size() || !is_letter(text[at + old.size()]));
    if (is_word) text.replace(at, old.size(), name);
  }
  text = transposed + text;
}

/// Judges the results of one layer: takes their operands from the file or from the owner.
class LayerJudge {
 public:
  LayerJudge(const Known& known, const Tensors& tensors, const Owner& owner, const ArraysOptions& options, Store& store)
      : known_(known),
        tensors_(tensors),
        owner_(owner),
        options_(options),
        store_(store),
        geometry_(conv2d::resolve(known.desc)) {}

  TensorVerdict operator()(Role role, const std::vector<std::string>& formats) {
    TensorVerdict result{.name = std::string(to_string(role)), .array = tensors_[role]->name};
    Verdict& verdict = result.verdict;
    if (!geometry_.ok()) {
      verdict.judgement = Judgement::does_not_fit;
      verdict.sentence = geometry_.status().message;
      return result;
    }
    const Dims wanted = wanted_shape(known_, tensors_, role);
    const bool fits =
        role == Role::db ? is_list(tensors_[role]->shape, wanted.front()) : is_shape(tensors_[role]->shape, wanted);
    if (!fits) {
      verdict.judgement = Judgement::does_not_fit;
      verdict.sentence = misfit_sentence(known_, tensors_, role, wanted);
      verdict.reason = "shape";
      return result;
    }
    Tensors used = tensors_;
    for (const Role operand : kInputs) {
      if (!take(role, operand, used, result)) return result;
    }
    if (role == Role::y && !used.has(Role::b) && used[Role::w] == owner_.tensors[Role::w])
      used[Role::b] = owner_.tensors[Role::b];
    if (role == Role::y && used.has(Role::b)) {
      result.operands.push_back("b: " +
                                (used[Role::b] == owner_.tensors[Role::b] ? "of " + owner_.name : used[Role::b]->name));
    }
    const bool owned = std::ranges::any_of(
        kInputs, [&](Role input) { return used.has(input) && used[input] == owner_.tensors[input]; });
    judge_with(role, used, formats, owned, verdict);
    return result;
  }

 private:
  /// False, and a verdict that says so, if an operand is missing.
  bool take(Role role, Role operand, Tensors& used, TensorVerdict& result) const {
    const Needs needs = needs_of(role, known_.layer);
    if (!(operand == Role::x ? needs.x : operand == Role::w ? needs.w : needs.dy)) return true;
    if (operand == Role::dy && !used.has(Role::dy) && known_.dy.tensor != nullptr) {
      used[Role::dy] = known_.dy.tensor;
      result.operands.push_back("dy: " + std::string(words_of(known_.dy.source)));
      return true;
    }
    if (used.has(operand)) {
      result.operands.push_back(std::string(to_string(operand)) + ": " + used[operand]->name);
      return true;
    }
    const Dims wanted = wanted_shape(known_, tensors_, operand);
    const Tensor* offered = owner_.tensors[operand];
    // Without w and dw in the file, the geometry is that of the owner's w.
    if (offered != nullptr && (wanted.empty() || is_shape(offered->shape, wanted))) {
      used[operand] = offered;
      result.operands.push_back(std::string(to_string(operand)) + ": of " + owner_.name);
      return true;
    }
    const std::string name(to_string(operand));
    result.verdict.judgement = Judgement::cannot_tell;
    result.verdict.reason = name + " is missing";
    result.verdict.sentence =
        "Cannot tell: " + result.name + " follows from " + name + ", which the file does not have.";
    return false;
  }

  void judge_with(Role role, Tensors used, const std::vector<std::string>& formats, bool owned, Verdict& verdict) {
    const Tensor* result = used[role];
    Options options{.layer = known_.layer,
                    .count_include_pad = known_.count_include_pad,
                    .is_text = result->is_text,
                    .learning_rate = options_.learning_rate,
                    .formats = formats};
    Role role_here = role;
    ConvDesc desc = known_.desc;
    if (known_.is_transposed && role == Role::db) {
      // The sum over the windows of a 1 x 1 convolution with this y.
      const Geometry& g = geometry_.value();
      desc = {.layout = g.layout, .n = g.n, .h = g.h, .w = g.w, .c = g.c, .k = g.c};
    } else if (known_.is_transposed) {
      options.bias_in_dx = role == Role::y;
      const Tensor* bias = used[Role::b];
      used = exchanged(used);
      used[Role::b] = bias;
      role_here = exchanged(role);
    }
    const auto elements = [&](Role operand) { return used.has(operand) ? used[operand]->elements : Elements(); };
    Operands operands{.x = elements(Role::x), .w = elements(Role::w), .b = elements(Role::b), .dy = elements(Role::dy)};
    const bool reads_bias = options.bias_in_dx || (known_.layer == Layer::conv && role_here == Role::y);
    if (!reads_bias || known_.is_transposed != options.bias_in_dx) operands.b = {};
    verdict = judge(desc, pass_of(role_here), operands, result->elements, options);
    // The mistakes of dx have no bias.
    if (options.bias_in_dx && !operands.b.empty() && verdict.judgement > Judgement::mistake &&
        verdict.judgement != Judgement::cannot_tell) {
      const Tensor* alone = without_bias(*result, *used[Role::b], geometry_.value(), store_);
      options.bias_in_dx = false;
      operands.b = {};
      const Verdict other = judge(desc, pass_of(role_here), operands, alone->elements, options);
      if (other.judgement == Judgement::scaled || other.judgement == Judgement::mistake) verdict = other;
    }
    if (role_here != role) rename(verdict, role_here, role);
    if (owned) verdict.sentence += " This is with operands of " + owner_.name + ".";
  }

  const Known& known_;
  const Tensors& tensors_;
  const Owner& owner_;
  const ArraysOptions& options_;
  Store& store_;
  conv2d::Result<Geometry> geometry_;
};

}  // namespace

Tensors exchanged(const Tensors& t) noexcept {
  Tensors other;
  other[Role::x] = t[Role::dy];
  other[Role::dy] = t[Role::x];
  other[Role::y] = t[Role::dx];
  other[Role::dx] = t[Role::y];
  other[Role::w] = t[Role::w];
  other[Role::dw] = t[Role::dw];
  return other;
}

Role exchanged(Role role) noexcept {
  constexpr std::array kOther{Role::dy, Role::w, Role::b, Role::dx, Role::x, Role::y, Role::dw, Role::db};
  return kOther[index_of(role)];
}

std::vector<TensorVerdict> judge_results(const Known& known, const Tensors& tensors, const Owner& owner,
                                         const ArraysOptions& options, Store& store) {
  LayerJudge judge_one(known, tensors, owner, options, store);
  std::vector<TensorVerdict> verdicts;
  std::vector<std::string> formats;
  for (const Role role : kResults) {
    const auto printed = tensors.has(role) ? printed_format(floats_of(tensors[role]->elements)) : std::nullopt;
    if (printed) formats.push_back(name_of(*printed));
  }
  for (const Role role : kResults) {
    if (!tensors.has(role)) continue;
    verdicts.push_back(judge_one(role, formats));
    const Verdict& verdict = verdicts.back().verdict;
    if (verdict.judgement == Judgement::matches && verdict.format != "float32") formats.push_back(verdict.format);
  }
  // A format in which one result matches is a reason to try it for the others.
  for (TensorVerdict& verdict : verdicts) {
    if (formats.empty() || verdict.verdict.judgement <= Judgement::mistake || verdict.verdict.reason == "shape")
      continue;
    const auto role = static_cast<std::size_t>(std::ranges::find(kRoleNames, verdict.name) - kRoleNames.begin());
    verdict = judge_one(static_cast<Role>(role), formats);
  }
  return verdicts;
}

double explained(const std::vector<TensorVerdict>& verdicts) noexcept {
  double sum = 0;
  for (const TensorVerdict& one : verdicts) {
    switch (one.verdict.judgement) {
      case Judgement::matches:
        sum += kMatch;
        break;
      case Judgement::scaled:
      case Judgement::mistake:
        sum += kMistake;
        break;
      case Judgement::partly_wrong:
        sum += one.verdict.relation.empty() ? 1 : 2;
        break;
      case Judgement::differs:
        sum += one.verdict.relation.empty() ? 0 : 2;
        break;
      default:
        break;
    }
  }
  return sum;
}

}  // namespace conv2d_check
