#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "conv2d/message.hpp"
#include "conv2d/status.hpp"

/// Messages, and checks of the lengths of buffers.
namespace conv2d {

/// Adds one part to a message. Not inlined, and with arguments in registers: there are hundreds of calls.
[[gnu::noinline]] inline void append(Message& message, const char* words) noexcept { message += words; }
[[gnu::noinline]] inline void append(Message& message, const std::string_view& words) noexcept { message += words; }
inline void append(Message& message, const Message& words) noexcept { append(message, words.view()); }
inline void append(Message& message, std::integral auto number) noexcept {
  message += static_cast<std::int64_t>(number);
}

/// Joins strings and numbers to one message, without allocating: text("x has ", 3, " channels"). Inlined: nearly every
/// call has its own types of parts, and a function for each would be larger.
template <class... Parts>
[[gnu::always_inline]] inline Message text(const Parts&... parts) noexcept {
  Message message;
  (append(message, parts), ...);
  return message;
}

/// The error of a buffer with `actual` elements. `why` explains the number that it needs, unless empty.
[[gnu::noinline]] inline Status length_mismatch(std::string_view name, std::size_t actual, std::int64_t needed,
                                                std::string_view why = {}) noexcept {
  return {ErrorCode::length_mismatch, name,
          text(name, " has ", actual, " elements, but needs ", needed, why.empty() ? "" : ": ", why)};
}

/// An error unless `value` is one of the enumerators 0 to `last`.
[[gnu::noinline]] inline Status check_enumerator(std::string_view field, int value, int last) noexcept {
  if (value >= 0 && value <= last) return {};
  return {ErrorCode::invalid_argument, field,
          text(field, " is ", value, ", but must be an enumerator, from 0 to ", last)};
}
template <class Enum>
Status check_enumerator(std::string_view field, Enum value, Enum last) noexcept {
  return check_enumerator(field, static_cast<int>(value), static_cast<int>(last));
}

/// Actual and needed number of elements of a buffer; needed < 0: the buffer is not read.
struct Length {
  std::string_view name;
  std::size_t actual;
  std::int64_t needed;
};

/// The error of the first buffer with a wrong length.
[[gnu::noinline]] inline Status check_lengths(std::initializer_list<Length> lengths) noexcept {
  for (const auto& [name, actual, needed] : lengths) {
    if (needed >= 0 && actual != static_cast<std::uint64_t>(needed)) return length_mismatch(name, actual, needed);
  }
  return {};
}

}  // namespace conv2d
