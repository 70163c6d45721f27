#include <array>
#include <cstddef>

#include "base/errors.hpp"
#include "dcheck/dcheck.hpp"
#include "layers/entry.hpp"

namespace conv2d {
namespace layers {
namespace {

constexpr auto kRules = Kinds::tables<Rules>([](auto kind) constexpr->const Rules& { return decltype(kind)::kRules; });

// The text of every field of every layer, since the field of a Status has static storage.
constexpr std::string_view kFields[] = {"",
                                        "kind",
                                        "k",
                                        "kh",
                                        "kw",
                                        "stride_h",
                                        "stride_w",
                                        "dilation_h",
                                        "dilation_w",
                                        "groups",
                                        "padding",
                                        "padding_mode",
                                        "padding.top",
                                        "padding.bottom",
                                        "padding.left",
                                        "padding.right",
                                        "weights_layout",
                                        "options",
                                        "x",
                                        "w",
                                        "b",
                                        "y",
                                        "dy",
                                        "dx",
                                        "dw",
                                        "db",
                                        "winners",
                                        "workspace",
                                        "packed",
                                        "algorithm"};

struct FieldText {
  std::array<char, 28> text{};
  std::size_t length = 0;

  void add(std::string_view words) noexcept {
    for (const char letter : words) text[length++] = letter;
  }
};

using FieldTexts = std::array<std::array<FieldText, std::size(kFields)>, kMaxLayers>;

FieldTexts field_texts() noexcept {
  FieldTexts texts;
  for (std::size_t layer = 0; layer < kMaxLayers; ++layer) {
    for (std::size_t f = 0; f < std::size(kFields); ++f) {
      FieldText& to = texts[layer][f];
      to.add("layers[");
      if (layer >= 10) to.text[to.length++] = static_cast<char>('0' + layer / 10);
      to.text[to.length++] = static_cast<char>('0' + layer % 10);
      to.add("]");
      if (!kFields[f].empty()) to.add(".");
      to.add(kFields[f]);
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

std::string_view field_of(std::size_t layer, std::string_view name) noexcept {
  CONV2D_DCHECK(layer < kMaxLayers);
  std::size_t f = std::size(kFields) - 1;
  while (f > 0 && kFields[f] != name) --f;
  // Made at the first error: as data they would be 16 kB of a module.
  static const FieldTexts texts = field_texts();
  const FieldText& found = texts[layer][f];
  return {found.text.data(), found.length};
}

Status in_layer(std::size_t i, std::string_view kind, const Status& status) noexcept {
  return {status.code, field_of(i, status.field), text("layers[", i, "] (", kind, "): ", status.message)};
}

}  // namespace layers

std::span<const std::string_view> layer_kinds() noexcept {
  static const auto names = [] {
    std::array<std::string_view, layers::Kinds::kSize> all;
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
