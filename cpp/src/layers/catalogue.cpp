#include <array>
#include <cstddef>

#include "base/errors.hpp"
#include "dcheck/dcheck.hpp"
#include "layers/entry.hpp"

namespace conv2d {
namespace layers {
namespace {

constexpr const Rules* kRules[] = {&kConv, &kRelu, &kMaxPool, &kAveragePool};
static_assert(std::size(kRules) == kLayerKinds);

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

const Rules* rules_of(LayerKind kind) noexcept {
  for (const Rules* rules : kRules) {
    if (rules->kind == kind) return rules;
  }
  return nullptr;
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

Status in_layer(std::size_t i, LayerKind kind, const Status& status) noexcept {
  return {status.code, field_of(i, status.field), text("layers[", i, "] (", to_string(kind), "): ", status.message)};
}

}  // namespace layers

std::string_view to_string(LayerKind kind) noexcept {
  const layers::Rules* rules = layers::rules_of(kind);
  return rules == nullptr ? "unknown" : rules->name;
}

Operands operands_of(LayerKind kind, Pass pass) noexcept {
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
