#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <optional>
#include <string>
#include <vector>

#include "conv2d_check/arrays.hpp"

/// The module "check", loaded with the first arrays that are judged. Used alone: it shares no state with the library
/// module.

namespace {

using emscripten::val;

std::vector<std::int64_t> integers(const val& numbers) {
  std::vector<std::int64_t> list;
  for (const double number : emscripten::convertJSArrayToNumberVector<double>(numbers))
    list.push_back(static_cast<std::int64_t>(number));
  return list;
}

std::string text_of(const val& object, const char* member) { return object[member].as<std::string>(); }

/// Arrays and the memory of their values.
struct OwnedArrays {
  explicit OwnedArrays(const val& list) {
    const auto count = list["length"].as<unsigned>();
    memory.reserve(count);
    for (unsigned i = 0; i < count; ++i) {
      const val array = list[i];
      memory.push_back(emscripten::convertJSArrayToNumberVector<float>(array["values"]));
      arrays.push_back({.name = text_of(array, "name"),
                        .shape = integers(array["shape"]),
                        .values = memory.back(),
                        .is_text = array["is_text"].as<bool>()});
    }
  }

  std::vector<std::vector<float>> memory;
  std::vector<conv2d_check::Array> arrays;
};

/// See judge_arrays and to_json. `arrays`, `operands`: {name, shape, values: Float32Array, is_text}[]; `arguments`:
/// {name, values, text}[].
std::string judge_arrays(const val& arrays, const val& arguments, const val& operands, const std::string& owner,
                         const std::string& file, std::optional<double> learning_rate) {
  const OwnedArrays given(arrays);
  OwnedArrays of_owner(operands);
  conv2d_check::ArraysOptions options{
      .learning_rate = learning_rate.value_or(0), .operands = of_owner.arrays, .owner = owner};
  const auto count = arguments["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) {
    const val argument = arguments[i];
    options.arguments.push_back(
        {.name = text_of(argument, "name"), .values = integers(argument["values"]), .text = text_of(argument, "text")});
  }
  return conv2d_check::to_json(conv2d_check::judge_arrays(given.arrays, options), file);
}

}  // namespace

EMSCRIPTEN_BINDINGS(conv2d_check) {
  emscripten::register_optional<double>();
  emscripten::function("judge_arrays", &judge_arrays);
}
