#pragma once

#include <cstdint>

#include "desc/windows.hpp"

namespace conv2d {

/// One of the parts into which a pass is divided for several threads.
struct Share {
  int index = 0;
  int count = 1;

  /// Its part of `units` units: neighbours, and in each share as many but for one. The last share has the most.
  [[nodiscard]] constexpr Range of(std::int64_t units) const noexcept {
    return {units * index / count, units * (index + 1) / count};
  }
};

}  // namespace conv2d
