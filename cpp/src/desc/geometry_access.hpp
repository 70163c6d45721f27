#pragma once

#include <cstdint>

#include "conv2d/conv_desc.hpp"

namespace conv2d {

/// The only friend of Geometry. Only this room includes it.
struct GeometryAccess {
  /// Windows of `dilated` cells that fit into `padded` cells, `stride` apart.
  static constexpr std::int64_t windows(std::int64_t padded, std::int64_t dilated, std::int64_t stride) noexcept {
    return (padded - dilated) / stride + 1;
  }

  /// A geometry with `padding` instead of the padding of the description. The caller has checked every size and every
  /// product of sizes.
  static Geometry make(const ConvDesc& checked, const Padding& padding) noexcept { return {checked, padding}; }
};

}  // namespace conv2d
