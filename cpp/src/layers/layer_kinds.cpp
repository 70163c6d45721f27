#include <algorithm>
#include <array>
#include <cstddef>

#include "base/errors.hpp"
#include "dcheck/dcheck.hpp"
#include "layers/layer_tables.hpp"

namespace conv2d {
namespace layers {
namespace {

constexpr auto kRules = std::apply([](auto... kind) { return std::array{&decltype(kind)::kRules...}; }, Kinds{});
// The linker leaves these out of a program that only describes layers.
constexpr auto kRunners = std::apply([](auto... kind) { return std::array{&decltype(kind)::kRunner...}; }, Kinds{});
constexpr auto kChecks = std::apply([](auto... kind) { return std::array{&decltype(kind)::kChecks...}; }, Kinds{});

/// The names of the fields of a layer, each followed by a space.
constexpr std::string_view kFields =
    "kind k kh kw stride_h stride_w dilation_h dilation_w groups padding padding_mode padding.top padding.bottom "
    "padding.left padding.right weights_layout output_padding_h output_padding_w options x w b y dy dx dw db winners "
    "workspace packed algorithm ";

/// The same with "layers[2]." before each name. The field of a Status has static storage.
using FieldTexts = std::array<char, kFields.size() + 11 * std::ranges::count(kFields, ' ')>;

std::array<FieldTexts, kMaxLayers> field_texts() noexcept {
  std::array<FieldTexts, kMaxLayers> texts{};
  for (std::size_t layer = 0; layer < kMaxLayers; ++layer) {
    const Message prefix = text("layers[", layer, "].");
    char* to = std::ranges::copy(prefix.view(), texts[layer].data()).out;
    for (std::size_t at = 0; at < kFields.size(); ++at) {
      *to++ = kFields[at];
      if (kFields[at] == ' ' && at + 1 < kFields.size()) to = std::ranges::copy(prefix.view(), to).out;
    }
  }
  return texts;
}

}  // namespace

std::size_t index_of(std::string_view kind) noexcept {
  std::size_t i = 0;
  while (i < kRules.size() && kRules[i]->name != kind) ++i;
  return i;
}

const Rules* rules_of(std::string_view kind) noexcept {
  const std::size_t i = index_of(kind);
  return i < kRules.size() ? kRules[i] : nullptr;
}

const Checks& checks_of(const LayerInfo& info) noexcept { return *kChecks[index_of(info.kind)]; }
const Runner& runner_of(const LayerInfo& info) noexcept { return *kRunners[index_of(info.kind)]; }

std::string_view field_of(std::size_t layer, std::string_view name) noexcept {
  CONV2D_DCHECK(layer < kMaxLayers);
  // Made at the first error: as data they would be 16 kB of a module.
  static const auto texts = field_texts();
  const std::size_t prefix = layer < 10 ? 10 : 11;
  const char* found = texts[layer].data();
  for (std::string_view left = kFields; !left.empty();) {
    const std::size_t length = left.find(' ');
    if (left.substr(0, length) == name) return {found, prefix + length};
    found += prefix + length + 1;
    left.remove_prefix(length + 1);
  }
  return {texts[layer].data(), prefix - 1};
}

Status in_layer(std::size_t i, std::string_view kind, const Status& status) noexcept {
  return {status.code, field_of(i, status.field), text("layers[", i, "] (", kind, "): ", status.message)};
}

}  // namespace layers

std::span<const std::string_view> layer_kinds() noexcept {
  static const auto names = [] {
    std::array<std::string_view, layers::kRules.size()> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = layers::kRules[i]->name;
    return all;
  }();
  return names;
}

std::span<const LayerOptionRule> layer_options(std::string_view kind) noexcept {
  const layers::Rules* rules = layers::rules_of(kind);
  return rules ? rules->options : std::span<const LayerOptionRule>{};
}

Operands operands_of(std::string_view kind, Pass pass) noexcept {
  const layers::Rules& rules = *layers::rules_of(kind);
  switch (pass) {
    case Pass::forward:
      return {.x = true, .w = rules.has_weights, .b = rules.has_weights};
    case Pass::backward_data:
      return rules.backward_data;
    case Pass::backward_weights:
      return {.x = rules.has_weights, .dy = rules.has_weights};
    case Pass::backward_bias:
      break;
  }
  return {.dy = rules.has_weights};
}

}  // namespace conv2d
