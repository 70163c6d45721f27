#include "conv2d_check/arrays.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>

#include "evidence/group.hpp"
#include "evidence/joins.hpp"
#include "evidence/names.hpp"
#include "verdict/formats.hpp"

namespace conv2d_check {
namespace {

Tensor tensor_of(const Array& array) {
  Tensor tensor{.name = array.name,
                .shape = array.shape,
                .elements = array.values,
                .values = floats_of(array.values),
                .is_text = array.is_text};
  return tensor;
}

bool is_whole(const Tensor& tensor) {
  return std::ranges::all_of(tensor.shape, [](std::int64_t size) { return size >= 0; }) &&
         count_of(tensor.shape) == std::ssize(tensor.values);
}

bool is_right(const TensorVerdict& one) { return one.verdict.judgement == Judgement::matches; }
bool is_open(const TensorVerdict& one) { return one.verdict.judgement == Judgement::cannot_tell; }
bool is_wrong(const TensorVerdict& one) { return !is_right(one) && !is_open(one); }

std::vector<LayerArray> arrays_of(const Tensors& tensors) {
  std::vector<LayerArray> arrays;
  for (std::size_t role = 0; role < kRoles; ++role) {
    const Tensor* tensor = tensors.of[role];
    if (tensor != nullptr && tensor->index >= 0) {
      arrays.push_back({.tensor = std::string(kRoleNames[role]), .index = static_cast<std::size_t>(tensor->index)});
    }
  }
  return arrays;
}

class File {
 public:
  File(std::span<const Array> arrays, const ArraysOptions& options) : options_(options) {
    for (const Array& array : options.operands) operands_.push_back(tensor_of(array));
    // Metadata of a file may have other entries.
    std::ranges::copy_if(options.arguments, std::back_inserter(arguments_),
                         [](const Argument& argument) { return is_argument(argument.name); });
    tensors_.reserve(arrays.size());
    for (const Array& array : arrays) {
      Tensor tensor = tensor_of(array);
      tensor.index = &array - arrays.data();
      if (const auto argument = argument_of(array, tensor.values)) {
        arguments_.push_back(*argument);
      } else if (is_whole(tensor)) {
        tensors_.push_back(std::move(tensor));
      } else {
        result_.unused.push_back(array.name);
      }
    }
  }

  ArraysVerdict run() {
    Context context{.options = options_, .arguments = arguments_, .owner = owner(), .store = store_};
    Grouping grouping = group_by_names(tensors_);
    std::vector<Attempt> attempts = judge_layers(grouping, context);
    const std::vector<Join> joins = joins_of(grouping.layers);
    const std::vector<std::size_t> order = forward_order(grouping.layers, joins);
    bool contradicts = false;
    for (const std::size_t i : order) {
      contradicts = contradicts || attempts[i].contradicts_given;
      result_.layers.push_back(std::move(attempts[i].layer));
      result_.layers.back().arrays = arrays_of(grouping.layers[i].tensors);
    }
    if (result_.layers.empty()) describe_inputs(grouping, context);
    result_.joins = joins;
    for (const Tensor* tensor : grouping.rest) result_.unused.push_back(tensor->name);
    if (!arguments_.empty() && options_.says_arguments) describe_arguments(contradicts);
    decide();
    return std::move(result_);
  }

 private:
  [[nodiscard]] Owner owner() const {
    Owner found{.name = options_.owner};
    for (const Tensor& tensor : operands_) {
      const auto name = read_name(tensor.name);
      if (name && is_whole(tensor)) found.tensors[name->role] = &tensor;
    }
    return found;
  }

  std::vector<Attempt> judge_layers(Grouping& grouping, const Context& context) const {
    if (grouping.layers.size() > 1) {
      std::vector<Attempt> attempts;
      attempts.reserve(grouping.layers.size());
      for (const LayerArrays& layer : grouping.layers) attempts.push_back(judge_layer(layer, context));
      return attempts;
    }
    if (grouping.layers.empty()) {
      grouping.layers.emplace_back();
    } else {
      grouping.inputs = grouping.layers.front();
    }
    const LayerArrays named = grouping.layers.front();
    std::vector<const Tensor*> open, rest;
    // Arrays with a name that says nothing; others only if the layer cannot be judged without them.
    const bool has_names = named.tensors.any({Role::x, Role::w, Role::y, Role::dx, Role::dw, Role::dy});
    const bool is_judged = can_be_judged(named);
    for (const Tensor* tensor : grouping.rest) {
      // The weights of layers without results stay weights.
      const bool is_open = is_unnamed(tensor->name) || (!read_name(tensor->name) && (!is_judged || !has_names));
      (is_open ? open : rest).push_back(tensor);
    }
    std::vector<Grouping> assignments{{.layers = {named}, .rest = open}};
    if (!open.empty()) assignments = assignments_of(named, open, true);
    Context quick = context;
    quick.only_by_values = assignments.size() > 1;
    Attempt best = judge_assignments(assignments, quick, grouping);
    if (quick.only_by_values && !best.by_values) {
      constexpr std::size_t kJudged = 6;
      assignments.resize(std::min(assignments.size(), kJudged));
      best = judge_assignments(assignments, context, grouping);
    }
    grouping.rest.insert(grouping.rest.end(), rest.begin(), rest.end());
    // Two arrays without names are not taken for a wrong ReLU or pooling.
    const bool is_guess = !has_names && !best.by_values && !grouping.layers.front().tensors.any({Role::w, Role::dw});
    if (best.layer.tensors.empty() || is_guess) {
      for (const Tensor* tensor : grouping.layers.front().tensors.of) {
        if (tensor != nullptr) grouping.rest.push_back(tensor);
      }
      grouping.layers.clear();
      return {};
    }
    std::vector<Attempt> attempts;
    attempts.push_back(std::move(best));
    return attempts;
  }

  /// The attempts of the assignments. After a first look, those that can explain the most are judged first, and those
  /// that cannot explain as much are not.
  static std::vector<Attempt> attempts_of(const std::vector<Grouping>& assignments, const Context& context) {
    std::vector<Attempt> attempts;
    attempts.reserve(assignments.size());
    Context with = context;
    if (context.only_by_values) with.enough = std::numeric_limits<double>::infinity();
    for (const Grouping& one : assignments) attempts.push_back(judge_layer(one.layers.front(), with));
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < attempts.size(); ++i) {
      if (!attempts[i].is_judged) order.push_back(i);
    }
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return attempts[i].score; });
    with.enough = 0;
    for (const std::size_t i : order) {
      if (attempts[i].score < with.enough) break;
      attempts[i] = judge_layer(assignments[i].layers.front(), with);
      if (attempts[i].is_judged && attempts[i].by_values) with.enough = std::max(with.enough, attempts[i].score);
    }
    return attempts;
  }

  /// The assignment that explains the most. Others that explain as much, with the arrays in other roles, are
  /// alternatives.
  static Attempt judge_assignments(const std::vector<Grouping>& assignments, const Context& context, Grouping& chosen) {
    std::vector<Attempt> attempts = attempts_of(assignments, context);
    Attempt best;
    std::vector<const Grouping*> equal;
    for (std::size_t i = 0; i < attempts.size(); ++i) {
      Attempt& attempt = attempts[i];
      const Grouping& one = assignments[i];
      if (!attempt.is_judged) continue;
      const bool is_better = attempt.by_values != best.by_values ? attempt.by_values : attempt.score > best.score;
      const bool is_equal = attempt.by_values && best.by_values && attempt.score == best.score;
      if (is_equal) equal.push_back(&one);
      if (!is_better && i > 0) continue;
      best = std::move(attempt);
      equal.clear();
      chosen.layers = one.layers;
      chosen.rest = one.rest;
    }
    for (const Grouping* other : equal) {
      std::string words;
      for (std::size_t role = 0; role < kRoles; ++role) {
        const Tensor* tensor = other->layers.front().tensors.of[role];
        if (tensor != nullptr)
          words += (words.empty() ? "" : ", ") + std::string(kRoleNames[role]) + " is " + tensor->name;
      }
      best.layer.alternatives.push_back(words);
      Choice& choice = best.layer.choices.emplace_back();
      choice.words = words;
      choice.arrays = arrays_of(other->layers.front().tensors);
      best.layer.told_apart_by = "Names of the arrays, such as x, w and y, would tell them apart.";
    }
    return best;
  }

  /// What the arrays would be the inputs of.
  void describe_inputs(const Grouping& grouping, const Context& context) {
    const LayerArrays& inputs = grouping.inputs;
    std::vector<LayerArray> arrays = arrays_of(inputs.tensors);
    if (arrays.empty()) return;
    LayerVerdict& layer = result_.inputs.emplace_back(attempt_conv(inputs, context, false).layer);
    layer.name = inputs.name;
    layer.kind = "conv";
    layer.tensors.clear();
    layer.arrays = std::move(arrays);
  }

  void describe_arguments(bool contradicts) {
    const auto given = given_for("", arguments_);
    std::string words = given.empty() ? "" : given.front().words;
    for (const Argument& argument : arguments_) {
      if (words.find(argument.name) == std::string::npos) words += (words.empty() ? "" : ", ") + argument.name;
    }
    result_.arguments = words + (contradicts ? ": the values do not agree" : "");
  }

  void decide() {
    std::size_t right = 0, wrong = 0, open = 0;
    for (const LayerVerdict& layer : result_.layers) {
      right += static_cast<std::size_t>(std::ranges::count_if(layer.tensors, is_right));
      wrong += static_cast<std::size_t>(std::ranges::count_if(layer.tensors, is_wrong));
      open += static_cast<std::size_t>(std::ranges::count_if(layer.tensors, is_open));
    }
    const std::vector<Join> broken = broken_joins(result_.joins);
    result_.verdict = wrong > 0 || !broken.empty() ? FileVerdict::wrong
                      : right > 0 && open == 0     ? FileVerdict::right
                                                   : FileVerdict::cannot_tell;
    name_first_wrong(broken);
    if (wrong > 0) {
      result_.sentence = std::to_string(wrong) + " of " + std::to_string(wrong + right) +
                         (wrong + right == 1 ? " result" : " results") + (wrong == 1 ? " is" : " are") + " wrong";
      if (!result_.first_wrong_forward.empty())
        result_.sentence += "; the first wrong layer forwards is " + result_.first_wrong_forward;
      if (!result_.first_wrong_backward.empty())
        result_.sentence += "; the first wrong layer backwards is " + result_.first_wrong_backward;
      result_.sentence += ".";
    } else if (right > 0 && open > 0) {
      result_.sentence = std::to_string(right) + " of " + std::to_string(right + open) +
                         " results are right. The others cannot be judged.";
    } else if (right > 0) {
      result_.sentence = right == 1 ? "The result is right." : "All " + std::to_string(right) + " results are right.";
    } else {
      result_.sentence = result_.layers.empty() ? "The file has no results of a layer that can be judged."
                                                : "No result can be judged.";
    }
    if (wrong > 0 || broken.empty()) return;
    const Join& join = *std::ranges::find(broken, result_.first_wrong_backward, &Join::from);
    result_.sentence += " But dy of " + join.from + " is not dx of " + join.to +
                        (is_through_relu(join) ? " where ReLU passes it." : ".");
  }

  /// Whether x is y behind a ReLU.
  [[nodiscard]] bool is_through_relu(const Join& join) const {
    return std::ranges::any_of(result_.joins, [&](const Join& one) {
      return one.from == join.from && one.to == join.to && one.relation == "relu";
    });
  }

  void name_first_wrong(const std::vector<Join>& broken) {
    if (result_.layers.size() < 2) return;
    const auto has_wrong = [](const LayerVerdict& layer, bool forward) {
      return std::ranges::any_of(
          layer.tensors, [&](const TensorVerdict& one) { return is_wrong(one) && (one.name == "y") == forward; });
    };
    for (const LayerVerdict& layer : result_.layers) {
      if (result_.first_wrong_forward.empty() && has_wrong(layer, true)) result_.first_wrong_forward = layer.name;
      // Backwards, the last layer comes first. A gradient that changes on the way is dy of the layer before.
      if (has_wrong(layer, false) || std::ranges::find(broken, layer.name, &Join::from) != broken.end())
        result_.first_wrong_backward = layer.name;
    }
  }

  const ArraysOptions& options_;
  std::vector<Argument> arguments_;
  std::vector<Tensor> tensors_, operands_;
  Store store_;
  ArraysVerdict result_;
};

}  // namespace

std::string_view to_string(DySource source) noexcept {
  constexpr std::array<std::string_view, 6> kNames{"file", "ones", "mean", "y", "owner", "missing"};
  return kNames[static_cast<std::size_t>(source)];
}

std::string_view to_string(FileVerdict verdict) noexcept {
  constexpr std::array<std::string_view, 3> kNames{"right", "wrong", "cannot_tell"};
  return kNames[static_cast<std::size_t>(verdict)];
}

ArraysVerdict judge_arrays(std::span<const Array> arrays, const ArraysOptions& options) {
  return File(arrays, options).run();
}

}  // namespace conv2d_check
