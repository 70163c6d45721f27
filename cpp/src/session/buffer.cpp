#include "session/buffer.hpp"

#include <cassert>
#include <limits>

#include "base/checked.hpp"
#include "base/errors.hpp"

namespace conv2d::session {
namespace {

constexpr std::uint32_t next(std::uint32_t state) noexcept { return 1664525U * state + 1013904223U; }

}  // namespace

Status not_allocated(std::int64_t count, std::size_t element_size, std::string_view name) {
  if (count < 0) return {ErrorCode::invalid_argument, name, text(name, " cannot have ", count, " elements")};
  const CheckedInt bytes = CheckedInt(count) * static_cast<std::int64_t>(element_size);
  return {ErrorCode::out_of_memory, name,
          text(name, " needs ", bytes.value_or(std::numeric_limits<std::int64_t>::max()),
               " bytes, more memory than is available")};
}

void random_values(std::uint32_t seed, std::span<float> out) noexcept {
  for (float& value : out) {
    seed = next(seed);
    value = static_cast<float>(static_cast<std::int32_t>(((seed >> 8U) * 9U) >> 24U) - 4);
  }
}

void values_of_pixels(std::span<const std::uint8_t> rgba, int channels, std::span<float> out) noexcept {
  assert(rgba.size() / 4 * static_cast<std::size_t>(channels) == out.size());
  const std::size_t pixels = rgba.size() / 4;
  for (std::size_t i = 0; i < pixels; ++i) {
    const auto r = static_cast<float>(rgba[4 * i]);
    const auto g = static_cast<float>(rgba[4 * i + 1]);
    const auto b = static_cast<float>(rgba[4 * i + 2]);
    if (channels == 1) {
      out[i] = (0.299F * r + 0.587F * g + 0.114F * b) / 255.0F;
    } else {
      out[3 * i] = r / 255.0F;
      out[3 * i + 1] = g / 255.0F;
      out[3 * i + 2] = b / 255.0F;
    }
  }
}

}  // namespace conv2d::session
