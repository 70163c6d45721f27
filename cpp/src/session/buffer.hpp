#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/scratch.hpp"
#include "conv2d/status.hpp"

/// The memory of sessions, and initial values of tensors.
namespace conv2d::session {

/// The error of a buffer that could not be allocated: invalid_argument (negative count) or out_of_memory.
Status not_allocated(std::int64_t count, std::size_t element_size, std::string_view name);

/// A block of memory of exactly `length` elements, aligned to 64 bytes: a tensor of a session.
template <class T>
class Buffer {
 public:
  /// Allocates `length` elements with unspecified contents. The old block is freed first, to keep the peak at one
  /// block, so the buffer is empty after an error. Errors: those of `not_allocated`.
  Status reserve(std::int64_t length, std::string_view name) {
    if (length == std::ssize(span())) return {};
    release();
    return length == 0 || memory_.allocate(length) ? Status{} : not_allocated(length, sizeof(T), name);
  }

  /// Like reserve, but keeps a block that has at least `length` elements.
  Status reserve_at_least(std::int64_t length, std::string_view name) {
    return length >= 0 && length <= std::ssize(span()) ? Status{} : reserve(length, name);
  }

  void release() noexcept { memory_.release(); }

  [[nodiscard]] std::span<T> span() const noexcept { return memory_.span(); }

 private:
  Scratch<T> memory_;
};

/// A value for each enumerator of `Key`.
template <class Key, class Value, std::size_t kCount>
class EnumArray : public std::array<Value, kCount> {
 public:
  Value& operator[](Key key) noexcept { return this->data()[static_cast<std::size_t>(key)]; }
  const Value& operator[](Key key) const noexcept { return this->data()[static_cast<std::size_t>(key)]; }
};

/// The error of every call before set_problem().
inline Status no_problem(std::string_view field = "desc") {
  return {ErrorCode::invalid_argument, field, "no problem has been set in this session"};
}

/// Integers from -4 to 4. The same seed gives the same values on every machine:
/// state = 1664525 * state + 1013904223 (mod 2^32), starting at the seed; value = floor((state >> 8) * 9 / 2^24) - 4.
void random_values(std::uint32_t seed, std::span<float> out) noexcept;

/// Converts pixels (r, g, b, a in 0..255; alpha is ignored) to values in 0..1: [pixel][channel] for 3 channels, or gray
/// = 0.299 r + 0.587 g + 0.114 b (ITU-R BT.601) for 1. Precondition: rgba.size() / 4 * channels == out.size().
void values_of_pixels(std::span<const std::uint8_t> rgba, int channels, std::span<float> out) noexcept;

}  // namespace conv2d::session
