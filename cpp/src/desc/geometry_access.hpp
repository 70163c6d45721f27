#pragma once

#include <cstdint>

#include "conv2d/conv_desc.hpp"

namespace conv2d {

/// The one friend of Geometry. Nothing outside this room includes it.
struct GeometryAccess {
  /// Windows of `dilated` cells that fit into `padded` cells, `stride` apart.
  static constexpr std::int64_t windows(std::int64_t padded, std::int64_t dilated, std::int64_t stride) noexcept {
    return (padded - dilated) / stride + 1;
  }

  /// With `padding` in place of the description's. Every number, and every product of them, was checked.
  static Geometry make(const ConvDesc& checked, const Padding& padding) noexcept { return {checked, padding}; }
};

}  // namespace conv2d
