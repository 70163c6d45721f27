#include "verdict/words.hpp"

#include <array>
#include <cmath>
#include <cstdio>

#include "desc/geometry.hpp"

namespace conv2d_check {
namespace {

std::string result_name(Pass pass) { return conv2d::tensors_of(pass).out; }

/// "dw[0, 1, 2, 2]" in memory order, "db[3]".
std::string cell_text(const Geometry& g, Pass pass, std::int64_t cell) {
  const std::string name = result_name(pass);
  if (pass == Pass::backward_bias) return name + "[" + std::to_string(cell) + "]";
  const conv2d::Shape shape = conv2d::result_shape(g, pass);
  std::string indices;
  for (auto size = shape.rbegin(); size != shape.rend(); ++size) {
    indices = std::to_string(cell % *size) + (indices.empty() ? "" : ", ") + indices;
    cell /= *size;
  }
  return name + "[" + indices + "]";
}

std::string counted(const Verdict& verdict, Pass pass) {
  if (verdict.cells == 1) return "The value of " + result_name(pass);
  return "All " + std::to_string(verdict.cells) + " values of " + result_name(pass);
}

std::string values_differ(const Verdict& verdict, Pass pass) {
  const std::string name = result_name(pass);
  if (verdict.cells == 1) return "The value of " + name + " differs";
  return std::to_string(verdict.differing) + " of " + std::to_string(verdict.cells) + " values of " + name +
         (verdict.differing == 1 ? " differs" : " differ");
}

std::string worst_text(const Verdict& verdict, const Geometry& g, Pass pass) {
  if (verdict.worst < 0) return "";
  return " Largest error at " + cell_text(g, pass, verdict.worst) + ": yours " + number_text(verdict.yours) +
         ", right " + number_text(verdict.right) + ".";
}

std::string in_format(const Verdict& verdict) {
  return verdict.format == "float32" ? "" : " (values in " + verdict.format + ")";
}

std::string factor_text(const Verdict& verdict) {
  return verdict.factor == 1 ? "" : number_text(verdict.factor) + " times ";
}

std::string mistake_sentence(const Verdict& verdict, const Geometry& g, Pass pass) {
  const std::string name = result_name(pass);
  if (verdict.names.front() == "weight_decay" || verdict.names.front() == "input_added") {
    const bool is_bias = pass == Pass::backward_bias;
    const std::string added = pass == Pass::backward_data ? "x" : is_bias ? "b" : "w";
    const std::string why = pass == Pass::backward_data ? "" : " (weight decay, an L2 penalty)";
    return name + " is the right one plus " + number_text(verdict.factor) + " " + added + why + "." +
           worst_text(verdict, g, pass);
  }
  std::string start = counted(verdict, pass) + (verdict.cells == 1 ? " is " : " are ") + factor_text(verdict) + "what ";
  const bool is_sure = verdict.names.size() == 1 || verdict.in_sequence;
  start += verdict.in_sequence ? "two mistakes one after the other give"
           : is_sure           ? "this mistake gives"
                               : "each of these mistakes gives; it could be any of them";
  const std::string because = verdict.factor_reason.empty() ? "" : " (" + verdict.factor_reason + ")";
  return start + because + in_format(verdict) + ". " + verdict.reason;
}

}  // namespace

std::string rounding_words(Pass pass, const InputRounding& rounding, const Storage& storage, bool rounds_inputs) {
  constexpr std::array<std::array<const char*, 2>, 4> kOperands{{{"x", "w"}, {"dy", "w"}, {"dy", "x"}, {"dy", ""}}};
  const auto& [first, second] = kOperands[static_cast<std::size_t>(pass)];
  std::string words;
  if (rounds_inputs) {
    const bool has_first = rounding.first.kind != FormatKind::exact,
               has_second = rounding.second.kind != FormatKind::exact;
    words = has_first ? first : "";
    if (has_second && second[0] != '\0') words += std::string(words.empty() ? "" : " and ") + second;
    const Format& format = has_first ? rounding.first : rounding.second;
    words += (format.mode == Mode::zero ? " cut off to " : " rounded to ") + name_of(format);
  }
  for (const Format& format : storage) {
    const bool is_printed = format.kind == FormatKind::decimals || format.kind == FormatKind::digits;
    words += (words.empty() ? "" : ", ") + result_name(pass) + (is_printed ? " printed with " : " stored in ") +
             name_of(format);
  }
  return words;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  std::array<char, 40> digits{};
  std::snprintf(digits.data(), digits.size(), "%.6g", value);
  return digits.data();
}

std::string sentence_of(const Verdict& verdict, const Geometry& g, Pass pass) {
  const std::string name = result_name(pass);
  switch (verdict.judgement) {
    case Judgement::matches:
      if (verdict.format == "float32")
        return counted(verdict, pass) + (verdict.cells == 1 ? " is" : " are") + " right, within float32 rounding.";
      return counted(verdict, pass) + (verdict.cells == 1 ? " is" : " are") + " right: " + verdict.reason + ".";
    case Judgement::scaled: {
      const std::string why = verdict.factor_reason.empty() ? "" : " (" + verdict.factor_reason + ")";
      return name + " is " + number_text(verdict.factor) + " times the right one" + why + in_format(verdict) + "." +
             worst_text(verdict, g, pass);
    }
    case Judgement::mistake:
      return mistake_sentence(verdict, g, pass);
    case Judgement::partly_wrong: {
      const std::string there = verdict.relation.empty() ? "" : " There " + name + " is " + verdict.relation + ".";
      return values_differ(verdict, pass) + in_format(verdict) + ": " + verdict.where + "." + there +
             worst_text(verdict, g, pass);
    }
    case Judgement::differs: {
      const std::string why = verdict.reason.empty() ? "" : ": " + verdict.reason;
      const std::string relation = verdict.relation.empty() ? "" : " They are " + verdict.relation + ".";
      return values_differ(verdict, pass) + in_format(verdict) + why + "." + relation + worst_text(verdict, g, pass);
    }
    case Judgement::cannot_tell:
      return "Cannot tell whether " + name + " is right: " + verdict.reason + "." + worst_text(verdict, g, pass);
    case Judgement::does_not_fit:
      return name + " does not fit: " + verdict.reason + ".";
  }
  return "";
}

}  // namespace conv2d_check
