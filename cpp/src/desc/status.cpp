#include "conv2d/status.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "conv2d/conv_desc.hpp"
#include "conv2d/plan_options.hpp"

namespace conv2d {
namespace {

/// Whether `byte` is a continuation byte of UTF-8.
constexpr bool continues(char byte) noexcept { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// The name of an enumerator, from the names of all in their order.
template <class Enum, std::size_t kCount>
constexpr std::string_view name_in(const char* const (&names)[kCount], Enum enumerator) noexcept {
  const auto index = static_cast<std::size_t>(enumerator);
  return index < kCount ? names[index] : "unknown";
}

}  // namespace

Message::Message(const Message& other) noexcept : length_(other.length_) {  // NOLINT(*-member-init): see Message()
  std::memcpy(text_, other.text_, length_ + 1);
}

Message& Message::operator=(const Message& other) noexcept {
  if (this == &other) return *this;
  length_ = other.length_;
  std::memcpy(text_, other.text_, length_ + 1);
  return *this;
}

Message& Message::operator+=(std::string_view words) noexcept {
  const bool fits = words.size() <= kCapacity - length_;
  length_ += words.copy(text_ + length_, kCapacity - length_);
  text_[length_] = '\0';
  if (fits) return *this;
  // Text that is added later does not fit either, and leaves the dots in place.
  std::size_t end = kCapacity - 3;
  while (end > 0 && continues(text_[end])) --end;
  std::fill(text_ + end, text_ + kCapacity, '.');
  return *this;
}

Message& Message::operator+=(std::int64_t number) noexcept {
  char digits[20];  // enough for any number with its sign
  char* first = std::end(digits);
  const bool negative = number < 0;
  auto left = negative ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
  do {
    *--first = static_cast<char>('0' + left % 10);
    left /= 10;
  } while (left > 0);
  if (negative) *--first = '-';
  return *this += std::string_view(first, static_cast<std::size_t>(std::end(digits) - first));
}

std::string_view to_string(ErrorCode code) noexcept {
  static constexpr const char* kNames[] = {"ok",
                                           "invalid_size",
                                           "invalid_stride",
                                           "invalid_dilation",
                                           "invalid_padding",
                                           "invalid_groups",
                                           "channel_mismatch",
                                           "kernel_too_large",
                                           "input_size_mismatch",
                                           "length_mismatch",
                                           "overflow",
                                           "out_of_memory",
                                           "unknown_algorithm",
                                           "unsupported",
                                           "invalid_argument",
                                           "cancelled"};
  static_assert(name_in(kNames, ErrorCode::cancelled) == "cancelled");
  return name_in(kNames, code);
}

std::string_view to_string(WeightsLayout layout) noexcept {
  static constexpr const char* kNames[] = {"automatic", "hwio", "oihw", "ohwi"};
  return name_in(kNames, layout);
}

std::string_view to_string(Pass pass) noexcept {
  static constexpr const char* kNames[] = {"forward", "backward_data", "backward_weights", "backward_bias"};
  return name_in(kNames, pass);
}

std::string_view to_string(Accuracy accuracy) noexcept {
  static constexpr const char* kNames[] = {"fast", "standard", "strict"};
  return name_in(kNames, accuracy);
}

}  // namespace conv2d
