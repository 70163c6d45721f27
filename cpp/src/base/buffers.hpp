#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/errors.hpp"

/// Checks of the tensors of a run: their lengths by shape, and that none overlaps the output.
namespace conv2d {

/// For a tensor with a shape.
inline Status shape_mismatch(std::string_view tensor, std::size_t actual, const std::array<std::int64_t, 4>& shape) {
  return length_mismatch(tensor, actual, shape[0] * shape[1] * shape[2] * shape[3],
                         text("its shape is [", shape[0], ", ", shape[1], ", ", shape[2], ", ", shape[3], "]"));
}

template <class T>
bool has_length(std::span<T> tensor, std::int64_t elements) noexcept {
  return tensor.size() == static_cast<std::uint64_t>(elements);
}

/// Memory of a run; null when the run does not have it.
struct Block {
  const char* name;
  const float* first;
  std::int64_t floats;
};

inline bool overlap(const Block& a, const Block& b) noexcept {
  const auto before_end = [](const Block& one, const Block& other) {
    return reinterpret_cast<std::uintptr_t>(one.first) <
           reinterpret_cast<std::uintptr_t>(other.first) + static_cast<std::uintptr_t>(other.floats) * sizeof(float);
  };
  return a.first && b.first && a.floats > 0 && b.floats > 0 && before_end(a, b) && before_end(b, a);
}

/// An error when `written` overlaps one of the others.
inline Status check_no_overlap(const Block& written, std::span<const Block> others) {
  for (const Block& other : others) {
    if (!overlap(written, other)) continue;
    return {ErrorCode::invalid_argument, written.name,
            text(written.name, " overlaps ", other.name, " in memory. Use a separate buffer for each.")};
  }
  return {};
}

}  // namespace conv2d
