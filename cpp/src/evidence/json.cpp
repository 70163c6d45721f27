#include <array>
#include <charconv>
#include <cmath>

#include "conv2d_check/arrays.hpp"

namespace conv2d_check {
namespace {

/// A text in quotes. Bytes of UTF-8 stay.
std::string quoted(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      out += '\\';
      out += letter;
    } else if (letter == '\n') {
      out += "\\n";
    } else if (code < 0x20) {
      out += "\\u00";
      out += kDigits[code >> 4U];
      out += kDigits[code & 15U];
    } else {
      out += letter;
    }
  }
  return out + "\"";
}

/// JSON has no NaN and no infinities: they are texts.
std::string number(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), end.ptr};
}

template <class Items, class Write>
std::string list(const Items& items, Write write) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ',';
    out += write(item);
  }
  return out + "]";
}

/// The members of an object. Empty texts and lists are left out where they say nothing.
class Object {
 public:
  Object& raw(std::string_view name, const std::string& value) {
    if (!text_.empty()) text_ += ',';
    text_ += quoted(name);
    text_ += ':';
    text_ += value;
    return *this;
  }
  Object& text(std::string_view name, std::string_view value) { return raw(name, quoted(value)); }
  Object& some_text(std::string_view name, std::string_view value) { return value.empty() ? *this : text(name, value); }
  Object& texts(std::string_view name, const std::vector<std::string>& values) {
    return raw(name, list(values, [](const std::string& value) { return quoted(value); }));
  }
  template <class Numbers>
  Object& numbers(std::string_view name, const Numbers& values) {
    return raw(name, list(values, [](std::int64_t value) { return std::to_string(value); }));
  }
  [[nodiscard]] std::string str() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

std::string tensor(const TensorVerdict& one) {
  const Verdict& v = one.verdict;
  Object object;
  object.text("verdict", to_string(v.judgement));
  if (!v.names.empty()) object.texts("names", v.names);
  if (v.in_sequence) object.raw("in_sequence", "true");
  object.raw("factor", number(v.factor)).some_text("factor_reason", v.factor_reason).text("format", v.format);
  object.some_text("where", v.where).some_text("relation", v.relation).some_text("reason", v.reason);
  if (v.cells > 0) object.raw("cells", std::to_string(v.cells)).raw("differing", std::to_string(v.differing));
  if (v.worst >= 0) {
    object.raw("worst", std::to_string(v.worst)).raw("yours", number(v.yours)).raw("right", number(v.right));
  }
  object.text("array", one.array).texts("operands", one.operands).text("sentence", v.sentence);
  return object.str();
}

std::string geometry(const LayerGeometry& g, std::string_view kind) {
  Object object;
  object.numbers("kernel", g.kernel)
      .numbers("stride", g.stride)
      .numbers("padding", g.padding)
      .numbers("dilation", g.dilation);
  object.raw("groups", std::to_string(g.groups));
  if (kind == "conv_transpose") object.numbers("output_padding", g.output_padding);
  Object order;
  order.text("x", g.x_order).some_text("w", g.w_order);
  return object.raw("order", order.str()).str();
}

std::string layer(const LayerVerdict& one) {
  Object object;
  object.text("name", one.name).text("kind", one.kind);
  object.raw("geometry", one.has_geometry ? geometry(one.geometry, one.kind) : "null").text("evidence", one.evidence);
  if (!one.alternatives.empty())
    object.texts("alternatives", one.alternatives).text("told_apart_by", one.told_apart_by);
  object.text("dy", to_string(one.dy));
  Object tensors;
  for (const TensorVerdict& verdict : one.tensors) tensors.raw(verdict.name, tensor(verdict));
  return object.raw("tensors", tensors.str()).str();
}

std::string join(const Join& one) {
  return Object()
      .text("from", one.from)
      .text("to", one.to)
      .text("tensors", one.tensors)
      .text("relation", one.relation)
      .str();
}

}  // namespace

std::string to_json(const ArraysVerdict& verdict, std::string_view file) {
  Object object;
  object.some_text("file", file).text("verdict", to_string(verdict.verdict)).text("sentence", verdict.sentence);
  object.raw("layers", list(verdict.layers, layer)).texts("unused", verdict.unused);
  object.some_text("arguments", verdict.arguments);
  if (!verdict.joins.empty()) object.raw("joins", list(verdict.joins, join));
  object.some_text("first_wrong_forward", verdict.first_wrong_forward);
  object.some_text("first_wrong_backward", verdict.first_wrong_backward);
  return object.str();
}

}  // namespace conv2d_check
