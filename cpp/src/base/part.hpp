#pragma once

#include <cstdint>

#include "base/range.hpp"

namespace conv2d {

/// Whether there can be several threads. WebAssembly has none unless it was built for them. The constant lets the
/// compiler drop all code about parts from a module without threads.
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
inline constexpr bool kThreads = false;
#else
inline constexpr bool kThreads = true;
#endif

/// The share of a pass that one thread computes: the outermost level of division (see engines/README.md).
struct Part {
  int index = 0;
  int count = 1;

  [[nodiscard]] constexpr bool whole() const noexcept { return !kThreads || count == 1; }
  /// Its range of `units` units. Ranges are contiguous and differ by at most one unit. The last part has the most.
  [[nodiscard]] constexpr Range of(std::int64_t units) const noexcept {
    return whole() ? Range{0, units} : Range{units * index / count, units * (index + 1) / count};
  }
};

}  // namespace conv2d
