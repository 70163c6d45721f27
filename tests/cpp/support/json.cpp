#include "support/json.hpp"

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace conv2d::test {

/// Recursive descent over one text.
class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  Json document() {
    Json json = value(0);
    skip_space();
    if (at_ != text_.size()) fail("text after the end");
    return json;
  }

 private:
  static constexpr int kDeepest = 64;

  [[noreturn]] void fail(const std::string& what) const {
    throw JsonError("JSON offset " + std::to_string(at_) + ": " + what);
  }

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
  }

  void take(char expected) {
    if (at_ >= text_.size() || text_[at_] != expected) fail(std::string("expected '") + expected + "'");
    ++at_;
  }

  bool take_if(char wanted) {
    skip_space();
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  static Json leaf(Json::Kind kind, std::string_view text) {
    Json json;
    json.kind_ = kind;
    json.text_ = text;
    return json;
  }

  Json word(std::string_view expected, Json::Kind kind) {
    if (text_.substr(at_, expected.size()) != expected) fail("unknown word");
    at_ += expected.size();
    return leaf(kind, expected);
  }

  Json value(int depth) {
    if (depth > kDeepest) fail("nested too deeply");
    skip_space();
    switch (peek()) {
      case 'n':
        return word("null", Json::Kind::null);
      case 't':
        return word("true", Json::Kind::boolean);
      case 'f':
        return word("false", Json::Kind::boolean);
      case '[':
        return array(depth);
      case '{':
        return object(depth);
      case '"':
        return leaf(Json::Kind::string, string());
      default:
        return number();
    }
  }

  Json array(int depth) {
    Json json;
    json.kind_ = Json::Kind::array;
    take('[');
    if (take_if(']')) return json;
    do json.items_.push_back(value(depth + 1));
    while (take_if(','));
    take(']');
    return json;
  }

  Json object(int depth) {
    Json json;
    json.kind_ = Json::Kind::object;
    take('{');
    if (take_if('}')) return json;
    do {
      skip_space();
      std::string key = string();
      skip_space();
      take(':');
      json.members_.emplace_back(std::move(key), value(depth + 1));
    } while (take_if(','));
    take('}');
    return json;
  }

  void digits() {
    if (peek() < '0' || peek() > '9') fail("expected a value");
    while (peek() >= '0' && peek() <= '9') ++at_;
  }

  Json number() {
    const std::size_t start = at_;
    if (peek() == '-') ++at_;
    if (peek() == '0')
      ++at_;
    else
      digits();
    if (peek() == '.') ++at_, digits();
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      digits();
    }
    return leaf(Json::Kind::number, text_.substr(start, at_ - start));
  }

  std::string string() {
    take('"');
    std::string out;
    for (;;) {
      if (at_ >= text_.size()) fail("unterminated string");
      const char c = text_[at_++];
      if (c == '"') return out;
      if (static_cast<unsigned char>(c) < 0x20) fail("control character in a string");
      if (c == '\\')
        escape(out);
      else
        out += c;
    }
  }

  void escape(std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    if (peek() == 'u') return unicode(out);
    const std::size_t which = kLetters.find(peek());
    if (at_ >= text_.size() || which == std::string_view::npos) fail("unknown escape");
    out += kMeanings[which];
    ++at_;
  }

  /// One UTF-16 unit as UTF-8. Surrogate halves stay separate: names of cases are printed, never compared.
  void unicode(std::string& out) {
    unsigned unit = 0;
    const std::string_view hex = text_.substr(at_ + 1, 4);
    const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), unit, 16);
    if (hex.size() != 4 || error != std::errc{} || end != hex.data() + 4) fail("expected four hex digits");
    at_ += 5;
    if (unit >= 0x800) out += static_cast<char>(0xE0 | unit >> 12);
    if (unit >= 0x80) out += static_cast<char>(unit < 0x800 ? 0xC0 | unit >> 6 : 0x80 | (unit >> 6 & 0x3F));
    out += static_cast<char>(unit < 0x80 ? unit : 0x80 | (unit & 0x3F));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Json Json::parse(std::string_view text) { return JsonParser(text).document(); }

Json Json::read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw JsonError("cannot open " + path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) throw JsonError("cannot read " + path);
  return parse(text);
}

void Json::expect(Kind kind, const char* name) const {
  if (kind_ != kind) throw JsonError(std::string("expected ") + name);
}

bool Json::as_bool() const {
  expect(Kind::boolean, "true or false");
  return text_ == "true";
}

double Json::as_double() const {
  expect(Kind::number, "a number");
  return std::strtod(text_.c_str(), nullptr);
}

std::int64_t Json::as_int() const {
  expect(Kind::number, "a number");
  std::int64_t value = 0;
  const char* last = text_.data() + text_.size();
  const auto [end, error] = std::from_chars(text_.data(), last, value);
  if (error != std::errc{} || end != last) throw JsonError("expected a 64-bit integer, found " + text_);
  return value;
}

const std::string& Json::as_string() const {
  expect(Kind::string, "a string");
  return text_;
}

const std::vector<Json>& Json::items() const {
  expect(Kind::array, "an array");
  return items_;
}

const std::vector<std::pair<std::string, Json>>& Json::members() const {
  expect(Kind::object, "an object");
  return members_;
}

const Json* Json::find(std::string_view key) const {
  for (const auto& [name, value] : members()) {
    if (name == key) return &value;
  }
  return nullptr;
}

const Json& Json::at(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) throw JsonError("no field \"" + std::string(key) + "\"");
  return *value;
}

}  // namespace conv2d::test
