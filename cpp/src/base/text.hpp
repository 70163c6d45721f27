#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "conv2d/message.hpp"

namespace conv2d {

/// Joins words and numbers into a sentence, without allocating: text("x has ", 3, " channels").
template <class... Parts>
Message text(const Parts&... parts) noexcept {
  Message sentence;
  const auto append = [&sentence](const auto& part) {
    if constexpr (std::integral<std::remove_cvref_t<decltype(part)>>) {
      sentence += static_cast<std::int64_t>(part);
    } else {
      sentence += std::string_view(part);
    }
  };
  (append(parts), ...);
  return sentence;
}

}  // namespace conv2d
