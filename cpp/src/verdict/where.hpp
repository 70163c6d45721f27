#pragma once
#include <optional>
#include <span>
#include <string>

#include "verdict/exact.hpp"

namespace conv2d_check {
struct Where {
  std::string where, relation;
};
inline std::optional<Where> describe(const Problem&, Pass, std::span<const double>, std::span<const double>,
                                     std::span<const double>, std::span<const char>) {
  return std::nullopt;
}
inline std::string relation_of(const Problem&, Pass, std::span<const double>, std::span<const double>,
                               std::span<const double>, std::span<const char>) {
  return "";
}
}  // namespace conv2d_check
