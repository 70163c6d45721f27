#pragma once

#include <cstddef>

#include "micro_kernels/clamp.hpp"

/// The transforms of Winograd's minimal filtering F(m x m, 3 x 3), m = 2 or 4, after A. Lavin and S. Gray, "Fast
/// Algorithms for Convolutional Neural Networks" (2015), section 4: a tile of m x m outputs is
///   A^T [ (G w G^T) * (B^T d B) ] A
/// where d are the (m + 2) x (m + 2) cells under it and * multiplies element by element. Lanes run over channels, so
/// that the products of all tiles and channels are (m + 2)^2 matrix products. The gradient of w is the same sum,
/// written for its other factor: with u, the m x m values of dy of a tile, it is
///   G^T [ (A u A^T) * (B^T d B) ] G
namespace conv2d::micro_kernels {

/// A square of `lanes`-wide cells in memory; steps in floats. Every transform reads one and writes another, for `count`
/// floats, a multiple of the lanes.
struct WinogradTransform {
  const float* from = nullptr;
  std::ptrdiff_t from_row = 0, from_col = 0;
  float* to = nullptr;
  std::ptrdiff_t to_row = 0, to_col = 0;
  std::ptrdiff_t count = 0;
  const float* start = nullptr;  ///< output transform only: `count` floats, added to each output
  const Clamp* clamp = nullptr;  ///< output transform only: of the outputs; null: none
  bool accumulate = false;       ///< transform of the products of gradients only: added to what is in `to`
};

using WinogradFunction = void (*)(const WinogradTransform&) noexcept;

struct WinogradKernels {
  int outputs = 0;                        ///< m
  WinogradFunction cells = nullptr;       ///< B^T d B: (m + 2)^2 to (m + 2)^2
  WinogradFunction weights = nullptr;     ///< G w G^T: 3^2 to (m + 2)^2
  WinogradFunction outputs_of = nullptr;  ///< A^T m A + start: (m + 2)^2 to m^2
  WinogradFunction gradients = nullptr;   ///< A u A^T: m^2 to (m + 2)^2
  WinogradFunction weights_of = nullptr;  ///< G^T m G: (m + 2)^2 to 3^2
};

}  // namespace conv2d::micro_kernels
