#pragma once

#include <span>
#include <string_view>

#include "micro_kernels/depthwise_row.hpp"
#include "micro_kernels/gemm_tile.hpp"
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

/// The micro-kernels of one instruction set, and the sizes that packing must respect.
struct KernelSet {
  std::string_view instruction_set;
  const cost::Constants* costs = nullptr;                    ///< of the processors that run it
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

/// The micro-kernels that all of the library works with: the fastest set that this machine can run, chosen at the first
/// call. CONV2D_INSTRUCTION_SET=sse2 (or avx2, avx512) in the environment asks for another, so that one machine can
/// test and measure them all; one that is not there is an error of plan().
const KernelSet& kernels() noexcept;

/// What CONV2D_INSTRUCTION_SET asked for when kernels() could not give it; empty: all is well.
std::string_view refused_wish() noexcept;

struct CompiledSet {
  const KernelSet* kernels = nullptr;
  bool (*runs_here)() noexcept = nullptr;  ///< whether this processor, and its operating system, can run them
};

/// All sets of this architecture, the fastest first. The last one needs no check: every processor has it.
std::span<const CompiledSet> compiled_sets() noexcept;

/// Of those that run here, the fastest with the name `wish`, or of any name when it is empty; null: there is none.
const KernelSet* fastest_set(std::string_view wish) noexcept;

/// For tests: makes kernels() return `set` until the next call; null: it chooses again. A plan must run on the set that
/// it was made with.
void use_kernels(const KernelSet* set) noexcept;

}  // namespace conv2d::micro_kernels
