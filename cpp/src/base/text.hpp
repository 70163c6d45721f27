#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "conv2d/message.hpp"

namespace conv2d {

/// Joins strings and numbers to one message, without allocating: text("x has ", 3, " channels").
template <class... Parts>
Message text(const Parts&... parts) noexcept {
  Message message;
  const auto append = [&message](const auto& part) {
    if constexpr (std::integral<std::remove_cvref_t<decltype(part)>>) {
      message += static_cast<std::int64_t>(part);
    } else {
      message += std::string_view(part);
    }
  };
  (append(parts), ...);
  return message;
}

}  // namespace conv2d
