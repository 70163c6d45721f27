#pragma once

#include <algorithm>
#include <utility>

#include "cost/constants.hpp"
#include "micro_kernels/clamp_impl.hpp"
#include "micro_kernels/depthwise_products_impl.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "micro_kernels/outer_product_impl.hpp"
#include "micro_kernels/plane_rows_impl.hpp"
#include "micro_kernels/row_sums_impl.hpp"
#include "micro_kernels/window_tile_impl.hpp"
#include "micro_kernels/winograd_impl.hpp"

/// Included only by the instantiation files, one per instruction set. Each makes its KernelSet from these templates.
/// The file name decides the compiler flags.
namespace conv2d::micro_kernels {

template <class Arch, TileWidth kWidth, std::size_t... kRow>
constexpr void add_outer_products(KernelSet& set, std::index_sequence<kRow...>) {
  ((set.outer_product[kRow][static_cast<int>(kWidth)] = outer_product<Arch, kRow + 1, outer_vectors(kRow + 1, kWidth)>),
   ...);
}

template <class Arch, std::size_t... kRow>
constexpr void add_outer_triples(KernelSet& set, std::index_sequence<kRow...>) {
  ((set.outer_triple[kRow] = outer_product<Arch, kRow + 1, 1, kTripleSpans>), ...);
}

template <class Arch, int kVectors, int kRows>
constexpr void add_window_tile(KernelSet& set) {
  static_assert(kRows <= kMaxWindowRows);
  set.window_rows[kVectors - 1] = kRows;
  set.window_tile[kVectors - 1] = window_tile<Arch, kRows, kVectors>;
}

template <class Arch, int kVectors, int kRows>
constexpr void add_rest_tile(KernelSet& set) {
  set.rest_rows[kVectors - 1] = kRows;
  set.rest_tile[kVectors - 1] = window_tile<Arch, kRows, kVectors>;
}

template <class Arch, int kColumns, int kRows>
constexpr void add_dot_tile(KernelSet& set) {
  set.dot_rows[kColumns - 1] = kRows;
  set.dot_tile[kColumns - 1] = dot_tile<Arch, kRows, kColumns>;
}

/// All kernels of `Arch`: outer product tiles of kRows x kVectors registers, window tiles of kWindowRows1 x 1,
/// kWindowRows2 x 2 and kWindowRows3 x 3. Window tiles overlap at the edges. With kNarrowRows, outer product tiles of
/// one register have up to so many rows, and there are triples.
template <class Arch, int kRows, int kVectors, int kWindowRows1, int kWindowRows2, int kWindowRows3,
          int kNarrowRows = 0>
constexpr KernelSet make_kernel_set(std::string_view instruction_set, const cost::Constants& costs) {
  // 9, 21 and 35 lanes (3x3, 7x7 and 5x5 kernels over few channels) are divided into tiles of 4 and 5 rows.
  constexpr int kOuterRows = kRows < 5 ? 5 : kRows;
  static_assert(kRows <= kMaxTileRows && kNarrowRows <= kMaxNarrowRows && kVectors <= kMaxTileVectors);
  KernelSet set{.instruction_set = instruction_set,
                .costs = &costs,
                .lanes = simd::kLanes<Arch>,
                .tile_rows = kRows,
                .tile_vectors = kVectors,
                .winograd_2x2 = winograd_kernels<Arch, 2>(),
                .winograd_4x4 = winograd_kernels<Arch, 4>(),
                .in_order = kReadsInOrder<Arch>,
                .plane_rows = plane_rows<Arch>,
                .plane_copy = plane_copy<Arch>,
                .product_sum = product_sum<Arch>,
                .row_sum = row_sum<Arch>};
  if constexpr (kClampsTiles<Arch>) set.clamp = clamp_floats<Arch>;
  add_window_tile<Arch, 1, kWindowRows1>(set);
  add_window_tile<Arch, 2, kWindowRows2>(set);
  add_window_tile<Arch, 3, kWindowRows3>(set);
  if constexpr (kWindowRows1 > kRestRows1) add_rest_tile<Arch, 1, kRestRows1>(set);
  add_rest_tile<Arch, 2, kRestRows2>(set);
  set.window_tile_2x4 = window_tile<Arch, kTile2x4Rows, kTile2x4Vectors>;
  // The sums and their operands fit into 16 registers.
  add_dot_tile<Arch, 1, 6>(set);
  add_dot_tile<Arch, 2, 4>(set);
  add_dot_tile<Arch, 3, 3>(set);
  static_assert(kVectors == outer_vectors(kRows, TileWidth::two));
  set.outer_tile_rows = kOuterRows;
  set.outer_narrow_rows = std::max(kOuterRows, kNarrowRows);
  add_outer_products<Arch, TileWidth::one>(set, std::make_index_sequence<std::max(kOuterRows, kNarrowRows)>{});
  add_outer_products<Arch, TileWidth::two>(set, std::make_index_sequence<kOuterRows>{});
  add_outer_products<Arch, TileWidth::wide>(set, std::make_index_sequence<kOuterRows>{});
  if constexpr (kNarrowRows > 0) add_outer_triples<Arch>(set, std::make_index_sequence<kTripleRows>{});
  set.tap_kernels[0] = make_tap_kernels<Arch, 3, 3>();
  set.tap_kernels[1] = make_tap_kernels<Arch, 1, 3>();
  set.tap_kernels[2] = make_tap_kernels<Arch, 1, 1>();
  return set;
}

}  // namespace conv2d::micro_kernels
