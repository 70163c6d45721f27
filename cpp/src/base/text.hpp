#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace conv2d {

/// Joins words and numbers into a sentence: text("x has ", 3, " channels").
template <class... Parts>
std::string text(const Parts&... parts) {
  std::string sentence;
  const auto append = [&sentence](const auto& part) {
    if constexpr (std::integral<std::remove_cvref_t<decltype(part)>>) {
      sentence += std::to_string(part);
    } else {
      sentence += std::string_view(part);
    }
  };
  (append(parts), ...);
  return sentence;
}

}  // namespace conv2d
