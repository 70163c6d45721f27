#pragma once

#include <cstddef>

#include "micro_kernels/kernel_set.hpp"

/// How the rows of a product are covered by the tiles of the micro-kernels.
namespace conv2d::engine {

/// Tall tiles, and then low ones for what is left over: 16 rows are two of 6 and one of 4, not three of 6 that do two
/// rows twice.
struct WindowCover {
  std::ptrdiff_t tall_rows = 0, low_rows = 0;  ///< of a tile
  std::ptrdiff_t tall = 0, low = 0;            ///< tiles

  /// With the fewest rows done, for `rows` rows and a panel of `vectors` registers.
  WindowCover(const micro_kernels::KernelSet& kernels, std::ptrdiff_t rows, std::ptrdiff_t vectors) noexcept;
  /// Rows that the tiles do; some of them are done twice.
  [[nodiscard]] constexpr std::ptrdiff_t done() const noexcept { return tall * tall_rows + low * low_rows; }
};

/// Multiplies `rows` rows of `tiles` with a panel of `vectors` registers. The addresses of the last row are repeated up
/// to micro_kernels::kMaxWindowRows of them.
void multiply_windows(const micro_kernels::KernelSet& kernels, micro_kernels::WindowTile tiles, std::ptrdiff_t rows,
                      std::ptrdiff_t vectors) noexcept;

}  // namespace conv2d::engine
