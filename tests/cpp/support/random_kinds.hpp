#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "conv2d_teach/layers.hpp"
#include "support/rng.hpp"

namespace conv2d::test {

inline std::string_view random_kind(Rng& rng) {
  const auto kinds = layer_kinds();
  return kinds[static_cast<std::size_t>(rng.between(0, std::ssize(kinds) - 1))];
}

/// A value of each option of a kind; 0 where the range depends on the windows. `exact`: of few bits, and not the
/// lowest.
inline std::array<LayerOption, kMaxLayerOptions> random_options(Rng& rng, std::string_view kind, bool exact) {
  std::array<LayerOption, kMaxLayerOptions> options{};
  std::size_t i = 0;
  for (const LayerOptionRule& rule : layer_options(kind)) {
    const double share = rule.most > 1   ? 0
                         : exact         ? static_cast<double>(rng.between(1, 4)) / 4
                         : rng.one_in(2) ? 0
                                         : static_cast<double>(std::abs(rng.real()));
    options[i++] = {.name = rule.name, .value = rule.lowest + share * (rule.most - rule.lowest)};
  }
  return options;
}

}  // namespace conv2d::test
