#pragma once

#include <span>
#include <string_view>

#include "micro_kernels/clamp.hpp"
#include "micro_kernels/depthwise_row.hpp"
#include "micro_kernels/outer_product.hpp"
#include "micro_kernels/plane_rows.hpp"
#include "micro_kernels/row_sums.hpp"
#include "micro_kernels/window_tile.hpp"
#include "micro_kernels/winograd.hpp"

namespace conv2d::cost {
struct Constants;
}

namespace conv2d::micro_kernels {

/// Floats of the widest register of all sets.
inline constexpr int kMaxLanes = 16;

/// The largest tiles of all sets: rows of an outer product tile, those of one register across, and registers across a
/// window tile.
inline constexpr int kMaxTileRows = 12;
inline constexpr int kMaxNarrowRows = 27;
inline constexpr int kMaxTileVectors = 3;

/// The micro-kernels of one instruction set, and the sizes that packing must use.
struct KernelSet {
  std::string_view instruction_set;
  const cost::Constants* costs = nullptr;                ///< cost coefficients of its processors
  int lanes = 0;                                         ///< floats per register
  int tile_rows = 0;                                     ///< rows of the usual outer product tile
  int tile_vectors = 0;                                  ///< registers across it
  int window_rows[kMaxTileVectors] = {};                 ///< of a window tile, by [vectors - 1]; <= kMaxWindowRows
  WindowTileFunction window_tile[kMaxTileVectors] = {};  ///< of window_rows rows
  int rest_rows[kMaxTileVectors] = {};                   ///< of a lower tile for the remaining rows, by [vectors - 1]
  WindowTileFunction rest_tile[kMaxTileVectors] = {};    ///< of rest_rows rows; null if the set has none
  WindowTileFunction window_tile_2x4 = nullptr;          ///< of kTile2x4Rows rows and kTile2x4Vectors registers
  int dot_rows[kMaxDotColumns] = {};                     ///< of a dot tile, by [columns - 1]; <= kMaxWindowRows
  DotTileFunction dot_tile[kMaxDotColumns] = {};         ///< of dot_rows rows
  WinogradKernels winograd_2x2, winograd_4x4;            ///< F(2x2, 3x3) and F(4x4, 3x3)
  int outer_tile_rows = 0;                               ///< most rows of an outer product tile
  int outer_narrow_rows = 0;                             ///< the same for tiles of one register across
  OuterProductFunction outer_product[kMaxNarrowRows][kTileWidths] = {};  ///< [rows - 1][TileWidth]
  OuterProductFunction outer_triple[kTripleRows] = {};                   ///< [rows - 1]; null with too few registers
  TapKernels tap_kernels[kTapKernels] = {};                              ///< from most taps to one
  bool in_order = false;                                                 ///< see reads_in_order()
  PlaneRowsFunction plane_rows = nullptr;
  PlaneCopyFunction plane_copy = nullptr;
  ProductSumFunction product_sum = nullptr;
  RowSumFunction row_sum = nullptr;
  ClampFunction clamp = nullptr;  ///< null: no kernel of the set clamps

  /// Whether tap_kernels read memory in order: sums all channels of a few pixels at a time, and products whole lines of
  /// pixels, with those at the edges. Known to the compiler where no set does.
  [[nodiscard]] constexpr bool reads_in_order() const noexcept { return kSomeReadInOrder && in_order; }
  [[nodiscard]] constexpr int tile_columns() const noexcept { return lanes * tile_vectors; }
};

/// A row of the table of instruction sets.
struct CompiledSet {
  const KernelSet* kernels = nullptr;
  /// The extensions of x86-64 that it is compiled with, by the names of compiler flags ("avx512vl" of -mavx512vl).
  std::span<const std::string_view> extensions;

  /// Whether this processor and its operating system can run it.
  [[nodiscard]] bool runs_here() const noexcept;
};

/// All sets of this architecture, the fastest first. Every processor can run the last one.
std::span<const CompiledSet> compiled_sets() noexcept;

/// Further sets, which only their names select. Empty, but a test program links its own definition.
std::span<const CompiledSet> test_sets() noexcept;

/// The set of that name, or the fastest for an empty name. Null if this machine does not have it.
const KernelSet* select(std::string_view name) noexcept;

}  // namespace conv2d::micro_kernels
