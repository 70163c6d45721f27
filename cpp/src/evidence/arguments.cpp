#include "evidence/arguments.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "evidence/names.hpp"

namespace conv2d_check {
namespace {

/// Values tell the order of the axes, whatever a file says with "nchw"; the caller chooses one by x_order and w_order.
enum class Kind { stride, padding, dilation, groups, order, x_order, w_order };

struct ArgumentWord {
  std::string_view text;
  Kind kind;
  bool is_onnx = false;  ///< four numbers are top, left, bottom, right
};

constexpr ArgumentWord kArgumentWords[]{
    {"stride", Kind::stride},
    {"strides", Kind::stride},
    {"step", Kind::stride},
    {"pad", Kind::padding},
    {"padding", Kind::padding},
    {"pads", Kind::padding, true},
    {"paddings", Kind::padding},
    {"autopad", Kind::padding},
    {"dilation", Kind::dilation},
    {"dilations", Kind::dilation},
    {"dilationrate", Kind::dilation},
    {"rhsdilation", Kind::dilation},
    {"windowstrides", Kind::stride},
    {"group", Kind::groups},
    {"groups", Kind::groups},
    {"numgroups", Kind::groups},
    {"featuregroupcount", Kind::groups},
    {"nchw", Kind::order},
    {"xorder", Kind::x_order},
    {"worder", Kind::w_order},
};

struct ReadArgument {
  ArgumentWord word;
  std::string_view layer;
};

/// The longest end of the name that is an argument's.
std::optional<ReadArgument> read_argument(std::string_view name) {
  const std::vector<NamePart> parts = parts_of(name);
  for (std::size_t first = 0; first < parts.size(); ++first) {
    std::string text;
    for (std::size_t i = first; i < parts.size(); ++i) text += parts[i].text;
    const auto found = std::ranges::find(kArgumentWords, text, &ArgumentWord::text);
    if (found == std::end(kArgumentWords)) continue;
    std::string_view layer = name.substr(0, parts[first].begin);
    while (!layer.empty() && std::string_view("./_- :[]()'\"").find(layer.back()) != std::string_view::npos) {
      layer.remove_suffix(1);
    }
    return ReadArgument{*found, layer};
  }
  return std::nullopt;
}

using Values = std::vector<std::int64_t>;

/// The value of an axis of a pair; TensorFlow has four strides, [1, rows, columns, 1] or [1, 1, rows, columns].
std::int64_t of_axis(const Values& values, std::size_t axis) {
  if (values.size() == 4) return values[axis + (values.back() == 1 ? 1 : 2)];
  return values[std::min(values.size() - 1, axis)];
}

void set_pads(Given& given, std::int64_t top, std::int64_t bottom, std::int64_t left, std::int64_t right) {
  given.row.before = top, given.row.after = bottom;
  given.column.before = left, given.column.after = right;
}

bool is_word(const std::string& text, std::initializer_list<std::string_view> words) {
  std::string lower;
  for (const char letter : text) {
    if (std::isalpha(static_cast<unsigned char>(letter)) != 0)
      lower += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return std::ranges::find(words, lower) != words.end();
}

std::string words_of(const Argument& argument) {
  std::string name = argument.name;
  if (!argument.text.empty()) return name + " " + argument.text;
  if (argument.values.size() == 1) return name + " " + std::to_string(argument.values.front());
  return name + " " + to_string(argument.values);
}

void add_padding(std::vector<Given>& all, const Argument& argument, bool is_onnx) {
  const Values& v = argument.values;
  const std::vector<Given> before = all;
  for (Given& given : all) {
    if (is_word(argument.text, {"same", "sameupper"})) given.same = true;
    if (is_word(argument.text, {"valid"})) set_pads(given, 0, 0, 0, 0);
    if (v.size() == 1) set_pads(given, v[0], v[0], v[0], v[0]);
    // Of a convolution along one axis, ONNX gives both sides.
    if (v.size() == 2 && is_onnx) {
      given.row.before = given.row.after = std::nullopt;
      given.column.before = v[0], given.column.after = v[1];
    } else if (v.size() == 2) {
      set_pads(given, v[0], v[0], v[1], v[1]);
    }
    if (v.size() == 4 && is_onnx) set_pads(given, v[0], v[2], v[1], v[3]);
    if (v.size() == 4 && !is_onnx) set_pads(given, v[0], v[1], v[2], v[3]);
    if (v.size() == 8) set_pads(given, v[2], v[3], v[4], v[5]);
  }
  if (v.size() != 4) return;
  // The orders of torch.nn.functional.pad, of ONNX, and of this project.
  for (Given given : before) {
    set_pads(given, v[2], v[3], v[0], v[1]);
    all.push_back(given);
    if (is_onnx) set_pads(given, v[0], v[1], v[2], v[3]);
    if (!is_onnx) set_pads(given, v[0], v[2], v[1], v[3]);
    all.push_back(given);
  }
}

}  // namespace

bool is_argument(std::string_view name) { return read_argument(name).has_value(); }

std::optional<Argument> argument_of(const Array& array, const std::vector<float>& values) {
  constexpr std::size_t kMostValues = 8;
  constexpr float kMost = 4096;
  const bool is_whole = std::ranges::all_of(
      values, [](float value) { return value >= 0 && value <= kMost && value == std::floor(value); });
  if (!is_argument(array.name) || values.empty() || values.size() > kMostValues || !is_whole) return std::nullopt;
  Argument argument{.name = array.name};
  for (const float value : values) argument.values.push_back(static_cast<std::int64_t>(value));
  return argument;
}

std::vector<Given> given_for(std::string_view layer, std::span<const Argument> arguments) {
  std::vector<Given> all(1);
  std::string words;
  // Those of the layer itself replace those of the file.
  for (const bool is_own : {false, true}) {
    for (const Argument& argument : arguments) {
      const auto read = read_argument(argument.name);
      if (!read || (read->layer.empty() == is_own) || (is_own && read->layer != layer)) continue;
      if (read->word.kind == Kind::order || (argument.values.empty() && argument.text.empty())) continue;
      words += (words.empty() ? "" : ", ") + words_of(argument);
      if (read->word.kind == Kind::padding) {
        add_padding(all, argument, read->word.is_onnx);
        continue;
      }
      for (Given& given : all) {
        if (read->word.kind == Kind::x_order) given.x_order = argument.text;
        if (read->word.kind == Kind::w_order) given.w_order = argument.text;
      }
      if (argument.values.empty()) continue;
      for (Given& given : all) {
        for (const int axis : {0, 1}) {
          GivenAxis& sizes = axis == 0 ? given.row : given.column;
          if (read->word.kind == Kind::stride)
            sizes.stride = std::max<std::int64_t>(1, of_axis(argument.values, static_cast<std::size_t>(axis)));
          if (read->word.kind == Kind::dilation)
            sizes.dilation = std::max<std::int64_t>(1, of_axis(argument.values, static_cast<std::size_t>(axis)));
        }
        if (read->word.kind == Kind::groups) given.groups = argument.values.front();
      }
    }
  }
  if (words.empty()) return {};
  for (Given& given : all) given.words = words;
  return all;
}

}  // namespace conv2d_check
