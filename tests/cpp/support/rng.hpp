#pragma once

#include <cstdint>

namespace conv2d::test {

/// splitmix64: the same numbers on every platform, unlike the distributions of the standard library.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// An integer in [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }

  bool one_in(std::int64_t n) { return between(1, n) == 1; }

  /// A real in [-1, 1), exact in float.
  float real() { return static_cast<float>(next() >> 40) / 8388608.0f - 1.0f; }

 private:
  std::uint64_t state_;
};

}  // namespace conv2d::test
