#pragma once

#include <cstddef>

/// The micro-kernels that read windows where they lie: a tile of a product whose rows are the windows of neighbouring
/// outputs, each given by the address of its first cell. Nothing of the image is copied into a panel.
namespace conv2d::micro_kernels {

/// The stretches of a window that are contiguous in memory, as two nested steps: `rows` x `cols` runs of `length`
/// floats, each >= 1. Steps count floats; `a` is the window, `b` the packed weights, where those of a row's runs follow
/// each other.
struct WindowRuns {
  std::ptrdiff_t first_a = 0;  ///< of the first run, from the window's address
  std::ptrdiff_t rows = 0, row_a = 0, row_b = 0;
  std::ptrdiff_t cols = 0, col_a = 0;
  std::ptrdiff_t length = 0;
};

/// Tiles of rows of outputs times a panel of columns:
///   out[r][j] = start[j] + sum over the runs of windows[r][d] * b[d][j],   b[d] being vectors * lanes floats
struct WindowTile {
  const float* const* windows = nullptr;  ///< one address per row
  float* const* out = nullptr;            ///< where each row's columns are written
  std::ptrdiff_t rows = 0;                ///< at least those of a tile; of the last ones some may be done twice
  const float* b = nullptr;
  const float* start = nullptr;  ///< vectors * lanes floats: the bias, or zeros
  std::ptrdiff_t first_out = 0;  ///< of the panel's first column, from the addresses in `out`
  std::ptrdiff_t columns = 0;    ///< 1 .. vectors * lanes; only these are written
  WindowRuns runs;
};

/// The same for very few columns, whose panel would leave most lanes empty. Here the lanes run along the depth: b holds
/// `lanes` floats of each column in turn. Runs are a multiple of the lanes long.
struct DotTile {
  const float* const* windows = nullptr;
  float* const* out = nullptr;
  std::ptrdiff_t rows = 0;  ///< as above
  const float* b = nullptr;
  const float* start = nullptr;  ///< `lanes` floats per column, whose sum it starts with
  std::ptrdiff_t first_out = 0;
  WindowRuns runs;
};

/// Rows of a tile at most. Where there are fewer windows, addresses may be repeated.
inline constexpr int kMaxWindowRows = 8;

/// Of the tile for the rows that others leave over, and of its panel.
inline constexpr int kLowWindowRows = 4;
inline constexpr int kLowWindowVectors = 2;

/// Rows, and registers of the panel, of the tile that is quick to begin and to end.
inline constexpr int kWideRows = 2;
inline constexpr int kWideVectors = 4;
/// Registers of the widest panel.
inline constexpr int kMaxPanelVectors = kWideVectors;

/// More columns than this are a panel's.
inline constexpr int kMaxDotColumns = 3;

using WindowTileFunction = void (*)(const WindowTile&) noexcept;
using DotTileFunction = void (*)(const DotTile&) noexcept;

}  // namespace conv2d::micro_kernels
