#pragma once

#include <cstddef>

#include "micro_kernels/kernel_set.hpp"

/// How the tiles of the micro-kernels cover the rows of a product.
namespace conv2d::engine {

/// The tallest tiles first, then 4x2 tiles for the remaining rows: 16 rows take two tiles of 6 and one of 4, and not
/// three of 6, which compute two rows twice.
struct WindowCover {
  std::ptrdiff_t main_rows = 0, rest_rows = 0;    ///< rows of one tile
  std::ptrdiff_t main_tiles = 0, rest_tiles = 0;  ///< number of tiles

  /// The cover that computes the fewest rows, for `rows` rows and a panel of `vectors` registers.
  WindowCover(const micro_kernels::KernelSet& kernels, std::ptrdiff_t rows, std::ptrdiff_t vectors) noexcept;
  /// Rows that the tiles compute; some may be computed twice.
  [[nodiscard]] constexpr std::ptrdiff_t done() const noexcept {
    return main_tiles * main_rows + rest_tiles * rest_rows;
  }
};

/// Multiplies `rows` rows of `tiles` with a panel of `vectors` registers. Precondition: `tiles` has at least
/// micro_kernels::kMaxWindowRows addresses; those past the last row repeat it.
void multiply_windows(const micro_kernels::KernelSet& kernels, micro_kernels::WindowTile tiles, std::ptrdiff_t rows,
                      std::ptrdiff_t vectors) noexcept;

}  // namespace conv2d::engine
