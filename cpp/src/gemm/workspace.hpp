#pragma once

#include <cstdint>

#include "base/checked.hpp"

/// The caller's scratch memory, cut into pieces that begin on a cache line: a load of a full AVX-512 register that
/// crosses two lines costs double.
namespace conv2d::gemm {

inline constexpr std::int64_t kLineFloats = 16;

/// Adds up the pieces that a Workspace will be asked for.
class WorkspaceSize {
 public:
  WorkspaceSize& add(CheckedInt floats) noexcept {
    total_ = total_ + floats + kLineFloats;
    return *this;
  }
  /// -1 when the sum overflows.
  [[nodiscard]] std::int64_t floats() const noexcept { return total_.value_or(-1); }

 private:
  CheckedInt total_ = 0;
};

/// Hands the pieces out, in the same order and sizes.
class Workspace {
 public:
  explicit Workspace(float* memory) noexcept : next_(memory) {}

  float* take(std::int64_t floats) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(next_) / sizeof(float);
    float* piece = next_ + (kLineFloats - address % kLineFloats) % kLineFloats;
    next_ = piece + floats;
    return piece;
  }

 private:
  float* next_;
};

}  // namespace conv2d::gemm
