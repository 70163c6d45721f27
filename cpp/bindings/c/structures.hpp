#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "conv2d.h"
#include "conv2d/status.hpp"

/// Structures of the C API: those that begin with their size, and tensors.
namespace conv2d::c {

inline Status invalid(std::string_view field, Message message) noexcept {
  return {ErrorCode::invalid_argument, field, message};
}

inline Status missing(std::string_view field) noexcept {
  Message message(field);
  message += " is NULL";
  return invalid(field, message);
}

/// Whether a member is one of the numbers 0 to `last`.
inline Status check_number(std::string_view field, std::int32_t value, std::int32_t last) noexcept {
  if (value >= 0 && value <= last) return {};
  Message message(field);
  message += " is ";
  message += std::int64_t{value};
  message += ", but must be a number from 0 to ";
  return invalid(field, message += std::int64_t{last});
}

/// A larger size is a number that was never set.
inline constexpr std::size_t kLargestStructure = 4096;

/// Whether the size of a structure is at least `first`, that of the first version, and of its members after `own`
/// bytes, which this version does not know, all bytes are 0.
inline Status check_size(const void* structure, std::string_view name, std::size_t size, std::size_t first,
                         std::size_t own) noexcept {
  Message message(name);
  if (size < first || size > kLargestStructure) {
    message += ".size is ";
    message += static_cast<std::int64_t>(size);
    message += ", but must be its sizeof, here ";
    message += static_cast<std::int64_t>(own);
    return invalid("size", message);
  }
  const auto* bytes = static_cast<const unsigned char*>(structure);
  if (std::all_of(bytes + std::min(size, own), bytes + size, [](unsigned char byte) { return byte == 0; })) return {};
  message += " has members that this version of the library does not know";
  return invalid("size", message);
}

/// Reads a structure of the caller over the defaults in `own`. `first`: its size in the first version.
template <class T>
Status read_structure(const T* given, std::string_view name, std::size_t first, T& own) noexcept {
  if (!given) return missing(name);
  if (Status status = check_size(given, name, given->size, first, sizeof(T)); !status.ok()) return status;
  std::memcpy(&own, given, std::min(given->size, sizeof(T)));
  return {};
}

/// Writes as many members as the structure of the caller has, and 0 into those that this version does not know.
template <class T>
Status write_structure(const T& own, std::string_view name, std::size_t first, T* given) noexcept {
  if (!given) return missing(name);
  const std::size_t size = given->size;
  if (Status status = check_size(given, name, size, first, size); !status.ok()) return status;
  auto* bytes = reinterpret_cast<unsigned char*>(given);
  const std::size_t known = std::min(size, sizeof(T));
  std::memcpy(bytes, &own, known);
  std::fill(bytes + known, bytes + size, static_cast<unsigned char>(0));
  given->size = size;
  return {};
}

/// The elements of a tensor. A count without memory, or a negative one, is an error.
template <class Float>
Status to_span(Float* data, std::int64_t count, std::string_view name, std::span<Float>& span) noexcept {
  if (count < 0 || (!data && count > 0)) {
    Message message(name);
    message += data ? ".count is negative" : ".data is NULL, but its count is ";
    if (!data) message += count;
    return invalid(name, message);
  }
  span = {data, static_cast<std::size_t>(count)};
  return {};
}

/// The first error of several checks; later checks do not run.
template <class... Checks>
Status first_error(Checks... checks) noexcept {
  Status status;
  static_cast<void>(((status = checks()).ok() && ...));
  return status;
}

}  // namespace conv2d::c
