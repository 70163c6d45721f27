#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/scratch.hpp"
#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"

namespace conv2d::algorithm {

/// A cache line in front of packed weights that identifies the plans that can read them: for another instruction set,
/// the same number of floats has another order.
class PackedTag {
 public:
  static constexpr std::int64_t kFloats = kCacheLineFloats;

  PackedTag() = default;
  PackedTag(const Geometry& g, Pass pass, std::string_view algorithm, std::string_view instruction_set) noexcept;

  void write(float* packed) const noexcept;
  /// Error invalid_argument (field "packed") for weights with another tag, or without one. Reads kFloats.
  [[nodiscard]] Status check(const float* packed) const noexcept;

 private:
  std::array<char, 56> plan_{};  ///< "w for forward by implicit_gemm on avx2", for error messages
  std::uint64_t hash_ = 0;       ///< of plan_ and all sizes of the geometry
};

}  // namespace conv2d::algorithm
