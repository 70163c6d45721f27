#pragma once

#include <string_view>

#include "micro_kernels/depthwise_row.hpp"
#include "micro_kernels/gemm_tile.hpp"
#include "micro_kernels/outer_product.hpp"
#include "micro_kernels/plane_rows.hpp"
#include "micro_kernels/row_sums.hpp"
#include "micro_kernels/window_tile.hpp"
#include "micro_kernels/winograd.hpp"

namespace conv2d::micro_kernels {

/// The micro-kernels of one instruction set, and the sizes that packing must respect.
struct KernelSet {
  std::string_view instruction_set;
  int lanes = 0;                                             ///< floats per register
  int tile_rows = 0;                                         ///< rows of a GEMM tile
  int tile_vectors = 0;                                      ///< registers across the widest GEMM tile
  GemmTileFunction gemm_tile[kMaxTileVectors] = {};          ///< [vectors - 1], of tile_rows rows
  int window_rows[kMaxTileVectors] = {};                     ///< of a window tile, by [vectors - 1]; <= kMaxWindowRows
  WindowTileFunction window_tile[kMaxTileVectors] = {};      ///< of window_rows rows
  WindowTileFunction low_window_tile = nullptr;              ///< of kLowWindowRows rows and kLowWindowVectors registers
  WindowTileFunction wide_window_tile = nullptr;             ///< of kWideRows rows and kWideVectors registers
  int dot_rows[kMaxDotColumns] = {};                         ///< of a dot tile, by [columns - 1]; <= kMaxWindowRows
  DotTileFunction dot_tile[kMaxDotColumns] = {};             ///< of dot_rows rows
  WinogradKernels winograd_2x2, winograd_4x4;                ///< by the outputs of a tile
  int outer_rows = 0;                                        ///< rows of the tallest outer product
  OuterProductFunction outer_product[kMaxTileRows][2] = {};  ///< [rows - 1][wide]
  TapKernels tap_kernels[kTapKernels] = {};                  ///< from most taps to one
  void (*tap_block)(const TapBlock&) noexcept = nullptr;
  PlaneRowsFunction plane_rows = nullptr;
  PlaneCopyFunction plane_copy = nullptr;
  ProductSumFunction product_sum = nullptr;
  RowSumFunction row_sum = nullptr;

  [[nodiscard]] constexpr int tile_columns() const noexcept { return lanes * tile_vectors; }
};

/// The fastest set that this machine can run. Chosen once; CONV2D_INSTRUCTION_SET=sse2 (or avx2, avx512) in the
/// environment chooses another one that it can run, so that one machine can test and measure them all.
const KernelSet& kernels() noexcept;

}  // namespace conv2d::micro_kernels
