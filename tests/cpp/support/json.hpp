#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace conv2d::test {

/// Malformed JSON, or a value of an unexpected kind.
class JsonError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A parsed JSON value. Numbers keep their text, so 64-bit integers stay exact. All accessors throw JsonError for a
/// value of another kind.
class Json {
 public:
  enum class Kind { null, boolean, number, string, array, object };

  /// Parses a whole text (RFC 8259); throws JsonError with the offset of the error.
  static Json parse(std::string_view text);
  /// Reads and parses a file; also throws JsonError if it cannot be read.
  static Json read(const std::string& path);

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] bool is_null() const noexcept { return kind_ == Kind::null; }
  [[nodiscard]] bool is_string() const noexcept { return kind_ == Kind::string; }
  [[nodiscard]] bool is_array() const noexcept { return kind_ == Kind::array; }
  [[nodiscard]] bool is_object() const noexcept { return kind_ == Kind::object; }

  [[nodiscard]] bool as_bool() const;
  [[nodiscard]] double as_double() const;
  [[nodiscard]] std::int64_t as_int() const;  ///< also throws for fractions and integers beyond 64 bits
  [[nodiscard]] const std::string& as_string() const;
  [[nodiscard]] const std::vector<Json>& items() const;
  [[nodiscard]] const std::vector<std::pair<std::string, Json>>& members() const;

  [[nodiscard]] const Json* find(std::string_view key) const;  ///< null when there is no such member
  [[nodiscard]] const Json& at(std::string_view key) const;    ///< throws when there is no such member

 private:
  friend class JsonParser;
  Kind kind_ = Kind::null;
  std::string text_;  ///< of a number or string; "true" or "false"
  std::vector<Json> items_;
  std::vector<std::pair<std::string, Json>> members_;

  void expect(Kind kind, const char* name) const;
};

}  // namespace conv2d::test
