#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace conv2d {

/// A sentence that lies where it stands: writing and copying one allocates nothing and throws nothing, so that whatever
/// went wrong can be said, even that there was no memory. It is read like a std::string, and turns into one. What does
/// not fit is left out, and the sentence then ends in "...": the library's own words fit with any numbers, a name from
/// outside may be too long.
class Message {  // NOLINT(*-special-member-functions): to move one is to copy it
 public:
  static constexpr std::size_t kCapacity = 384;  ///< bytes of UTF-8

  Message() noexcept : length_(0) { text_[0] = '\0'; }  // NOLINT(*-member-init): no more of text_ is read
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
  /// Where `words` begin, or std::string_view::npos.
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
  char text_[kCapacity + 1];  ///< the first length_, and a zero
};

}  // namespace conv2d
