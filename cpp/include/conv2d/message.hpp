#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "conv2d/config.hpp"

namespace conv2d {

/// A string of at most kCapacity bytes, stored inline. Creating and copying it does not allocate or throw, so that
/// errors can be reported without memory. Reads like a std::string and converts to one. Text that does not fit is cut
/// and ends in "...": all messages of the library fit, names that a caller passes may not.
class CONV2D_API Message {  // NOLINT(*-special-member-functions): a move is a copy
 public:
  static constexpr std::size_t kCapacity = 384;  ///< bytes of UTF-8

  Message() noexcept : length_(0) { text_[0] = '\0'; }  // NOLINT(*-member-init): the rest of text_ is not read
  Message(std::string_view sentence) noexcept : Message() { *this += sentence; }   // NOLINT(*-explicit-*)
  Message(const char* sentence) noexcept : Message(std::string_view(sentence)) {}  // NOLINT(*-explicit-*)
  Message(const Message& other) noexcept;
  Message& operator=(const Message& other) noexcept;
  ~Message() = default;

  Message& operator+=(std::string_view words) noexcept;
  Message& operator+=(std::int64_t number) noexcept;

  [[nodiscard]] const char* c_str() const noexcept { return text_; }
  [[nodiscard]] std::string_view view() const noexcept { return {text_, length_}; }
  [[nodiscard]] std::size_t size() const noexcept { return length_; }
  [[nodiscard]] bool empty() const noexcept { return length_ == 0; }
  /// Offset of the first occurrence of `words`, or std::string_view::npos.
  [[nodiscard]] std::size_t find(std::string_view words) const noexcept { return view().find(words); }
  [[nodiscard]] bool ends_with(std::string_view words) const noexcept { return view().ends_with(words); }

  operator std::string_view() const noexcept { return view(); }  // NOLINT(*-explicit-*)
  operator std::string() const { return std::string(view()); }   // NOLINT(*-explicit-*)

  friend bool operator==(const Message& a, std::string_view b) noexcept { return a.view() == b; }
  friend std::string operator+(std::string_view a, const Message& b) { return std::string(a).append(b.view()); }
  friend std::string operator+(const Message& a, std::string_view b) { return std::string(a.view()).append(b); }
  template <class Traits>
  friend std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Message& message) {
    return out << message.view();
  }

 private:
  std::size_t length_;
  char text_[kCapacity + 1];  ///< length_ bytes and a terminating zero
};

}  // namespace conv2d
