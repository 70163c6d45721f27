#include "evidence/names.hpp"

#include <algorithm>
#include <cctype>
#include <span>

namespace conv2d_check {
namespace {

struct Word {
  std::string_view text;
  Role role;
};

/// Names without their separators, in lower case. `d`, `grad` and other marks of gradients are below.
constexpr Word kWords[]{
    // PyTorch, CS231n, Keras, ONNX, MLX, Flux, JAX
    {"x", Role::x},
    {"input", Role::x},
    {"inputs", Role::x},
    {"inp", Role::x},
    {"image", Role::x},
    {"images", Role::x},
    {"img", Role::x},
    {"w", Role::w},
    {"weight", Role::w},
    {"weights", Role::w},
    {"kernel", Role::w},
    {"kernels", Role::w},
    {"filter", Role::w},
    {"filters", Role::w},
    {"depthwisekernel", Role::w},
    {"depthwiseweights", Role::w},
    {"pointwisekernel", Role::w},
    {"k", Role::w},
    {"b", Role::b},
    {"bias", Role::b},
    {"biases", Role::b},
    {"y", Role::y},
    {"out", Role::y},
    {"output", Role::y},
    {"outputs", Role::y},
    // Coursera
    {"aprev", Role::x},
    {"z", Role::y},
    // oneDNN, Caffe, cuDNN
    {"src", Role::x},
    {"wei", Role::w},
    {"dst", Role::y},
    {"bottom", Role::x},
    {"top", Role::y},
    // Books
    {"xin", Role::x},
    {"lastinput", Role::x},
    {"inputdata", Role::x},
    {"features", Role::x},
    {"theta", Role::w},
    {"conv", Role::y},
    {"outputdata", Role::y},
    {"result", Role::y},
    {"ypred", Role::y},
    // Upstream gradients with a name of their own
    {"delta", Role::dy},
    {"error", Role::dy},
    {"upstream", Role::dy},
    {"upstreamgrad", Role::dy},
    {"upstreamgradient", Role::dy},
    {"dvalues", Role::dy},
    {"cotangent", Role::dy},
    {"ct", Role::dy},
    {"cot", Role::dy},
    {"grad", Role::dy},
    {"gradient", Role::dy},
};

/// "dx", "d_out", "grad_w", "gx", "diff_src", "dL_dw", "nabla_w", "grads.weight". The longest first.
constexpr std::string_view kGradientBefore[]{"gradients", "gradient", "partial", "dlossd", "gradwrt", "gradof", "nabla",
                                             "grads",     "dcost",    "dloss",   "grad",   "diff",    "dld",    "djd",
                                             "dcd",       "ded",      "dl",      "d",      "g"};

/// "x.grad", "filter_backprop", "w_bar".
constexpr std::string_view kGradientAfter[]{"gradients", "gradient", "backprop", "grads", "grad", "diff", "bar"};

/// Parts before the tensor's own that say that it is a gradient ("grads/conv/w"), and those that say nothing.
constexpr std::string_view kGradientTrees[]{"grads", "gradients", "grad", "gradient"};
constexpr std::string_view kTrees[]{"params", "parameters", "variables", "state"};
constexpr std::string_view kDeconvs[]{"deconv", "convtranspose", "transposeconv", "transposedconv", "upconv"};

const Word* word(std::string_view text) {
  const auto found = std::ranges::find(kWords, text, &Word::text);
  return found == std::end(kWords) ? nullptr : found;
}

bool is_one_of(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

std::string_view without_digits(std::string_view text) {
  while (!text.empty() && std::isdigit(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

/// A word, perhaps with a number, and perhaps marked as a gradient.
struct Reading {
  Role role;
  std::string_view number;
};

std::optional<Reading> plain(std::string_view text) {
  const std::string_view base = without_digits(text);
  const Word* found = word(base);
  if (found == nullptr) return std::nullopt;
  return Reading{found->role, text.substr(base.size())};
}

std::optional<Reading> gradient(std::string_view text) {
  std::optional<Reading> found = plain(text);
  if (!found || found->role > Role::y) return std::nullopt;
  found->role = gradient_of(found->role);
  return found;
}

std::optional<Reading> read_word(std::string_view text) {
  if (const auto found = plain(text)) return found;
  const std::string_view base = without_digits(text);
  for (const std::string_view mark : kGradientAfter) {
    // "x1.grad" and "x.grad1".
    if (base.size() <= mark.size() || !base.ends_with(mark)) continue;
    if (auto found = gradient(base.substr(0, base.size() - mark.size()))) {
      if (base.size() < text.size()) found->number = text.substr(base.size());
      return found;
    }
  }
  for (const std::string_view mark : kGradientBefore) {
    if (!text.starts_with(mark)) continue;
    if (const auto found = gradient(text.substr(mark.size()))) return found;
  }
  return std::nullopt;
}

}  // namespace

std::vector<NamePart> parts_of(std::string_view name) {
  if (name.ends_with(":0")) name.remove_suffix(2);
  constexpr std::string_view kSeparators = "./_- :[]()'\"";
  std::vector<NamePart> parts;
  bool is_open = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto letter = static_cast<unsigned char>(name[i]);
    if (kSeparators.find(name[i]) != std::string_view::npos) {
      is_open = false;
      continue;
    }
    const bool is_camel =
        i > 0 && std::isupper(letter) != 0 && std::islower(static_cast<unsigned char>(name[i - 1])) != 0;
    if (!is_open || is_camel) parts.push_back({.text = "", .begin = i});
    is_open = true;
    parts.back().text += static_cast<char>(std::tolower(letter));
  }
  return parts;
}

std::optional<TensorName> read_name(std::string_view name) {
  const std::vector<NamePart> parts = parts_of(name);
  // The longest end of the name that is a tensor's.
  for (std::size_t first = 0; first < parts.size(); ++first) {
    std::string text;
    for (std::size_t i = first; i < parts.size(); ++i) text += parts[i].text;
    const auto found = read_word(text);
    if (!found) continue;
    TensorName result{.role = found->role};
    std::string layer_text;
    for (std::size_t i = 0; i < first; ++i) {
      const bool is_gradient = is_one_of(parts[i].text, kGradientTrees);
      if (is_gradient && result.role <= Role::y) result.role = gradient_of(result.role);
      if (is_gradient || is_one_of(parts[i].text, kTrees)) continue;
      const std::size_t end = i + 1 < parts.size() ? parts[i + 1].begin : name.size();
      result.layer += name.substr(parts[i].begin, end - parts[i].begin);
      layer_text += parts[i].text;
    }
    result.is_deconv =
        std::ranges::any_of(kDeconvs, [&](std::string_view one) { return layer_text.find(one) != std::string::npos; });
    constexpr std::string_view kEnds = "./_- :[]()'\"";
    while (!result.layer.empty() && kEnds.find(result.layer.back()) != std::string_view::npos) result.layer.pop_back();
    if (!found->number.empty()) result.layer += (result.layer.empty() ? "" : ".") + std::string(found->number);
    return result;
  }
  return std::nullopt;
}

bool is_unnamed(std::string_view name) {
  const std::vector<NamePart> parts = parts_of(name);
  if (parts.empty()) return true;
  const std::string_view first = without_digits(parts.front().text);
  const bool is_array = first.empty() || first == "arr" || first == "array" || first == "tensor" || first == "var";
  return is_array && std::ranges::all_of(parts.begin() + 1, parts.end(),
                                         [](const NamePart& part) { return without_digits(part.text).empty(); });
}

}  // namespace conv2d_check
