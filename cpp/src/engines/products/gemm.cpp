#include "engines/products/gemm.hpp"

#include <algorithm>

#include "base/range.hpp"
#include "check/check.hpp"
#include "cost/constants.hpp"

namespace conv2d::engine {
namespace {

using micro_kernels::KernelSet;

// A panel of B (depth x 16 floats) and one of A (depth x 6) stay in a 32 kB L1: at 256, 22 kB.
constexpr std::int64_t kDepthBlock = 256;
// The block of A (rows x depth) stays in L2: 96 x 256 floats are 96 kB.
constexpr std::int64_t kRowBlock = 96;

/// Depth cut into equal blocks, so that the last one is not a sliver that loads and stores C for little work.
std::int64_t depth_block(std::int64_t depth) noexcept { return even_part(depth, kDepthBlock); }

std::int64_t row_block(const KernelSet& k) noexcept { return kRowBlock / k.tile_rows * k.tile_rows; }

/// Registers across the panel that begins at `column`: full panels, and a last one just wide enough.
std::int64_t panel_vectors(const KernelSet& k, std::int64_t columns, std::int64_t column) noexcept {
  return std::min<std::int64_t>(k.tile_vectors, ceil_div(columns - column, k.lanes));
}

/// Columns of B with the last panel's padding.
std::int64_t padded_columns(const KernelSet& k, std::int64_t columns) noexcept { return round_up(columns, k.lanes); }

void pack_a_block(const KernelSet& k, const GemmProduct& p, std::int64_t first, std::int64_t rows,
                  std::int64_t depth_first, std::int64_t depth, float* packed) noexcept {
  for (std::int64_t r = 0; r < rows; r += k.tile_rows) {
    p.a({.first = p.first_row + first + r,
         .valid = std::min<std::int64_t>(k.tile_rows, rows - r),
         .width = k.tile_rows,
         .depth_first = p.depth_first + depth_first,
         .depth = depth},
        packed + r * depth);
  }
}

/// All tiles of one block of A and one block of depth of B. The panel of B is the outer loop: it stays in L1 while the
/// block of A passes by from L2.
void multiply_block(const KernelSet& k, const float* a, std::int64_t rows, const float* b, std::int64_t depth,
                    std::int64_t columns, float* c, std::int64_t row_stride, bool accumulate) noexcept {
  for (std::int64_t j = 0; j < columns; j += k.tile_columns()) {
    const std::int64_t vectors = panel_vectors(k, columns, j);
    micro_kernels::GemmTile tile{.b = b + j * depth,
                                 .row_stride = row_stride,
                                 .depth = depth,
                                 .columns = std::min(columns - j, vectors * k.lanes),
                                 .accumulate = accumulate};
    for (std::int64_t r = 0; r < rows; r += k.tile_rows) {
      tile.a = a + r * depth;
      tile.c = c + r * row_stride + j;
      tile.rows = std::min<std::int64_t>(k.tile_rows, rows - r);
      k.gemm_tile[vectors - 1](tile);
    }
  }
}

}  // namespace

CheckedInt Gemm::packed_b_floats(CheckedInt columns, CheckedInt depth) const noexcept {
  return (columns + kernels_->lanes) * depth;
}

PackedB Gemm::pack_b(PanelSource b, std::int64_t columns, std::int64_t depth_first, std::int64_t depth,
                     float* out) const noexcept {
  const KernelSet& k = *kernels_;
  const std::int64_t block = depth_block(depth);
  float* panel = out;
  for (std::int64_t d = 0; d < depth; d += block) {
    const std::int64_t block_depth = std::min(block, depth - d);
    for (std::int64_t j = 0; j < columns; j += k.tile_columns()) {
      const std::int64_t width = panel_vectors(k, columns, j) * k.lanes;
      b({.first = j,
         .valid = std::min(width, columns - j),
         .width = width,
         .depth_first = depth_first + d,
         .depth = block_depth},
        panel);
      panel += width * block_depth;
    }
  }
  return {.data = out, .columns = columns, .depth = depth};
}

std::int64_t Gemm::packed_a_floats() noexcept { return kRowBlock * kDepthBlock; }
std::int64_t Gemm::preferred_rows() const noexcept { return row_block(*kernels_); }
std::int64_t Gemm::preferred_depth(std::int64_t depth) noexcept { return depth_block(depth); }

void Gemm::multiply(const GemmProduct& p, float* packed_a) const noexcept {
  CONV2D_CHECK(p.rows >= 0 && p.b.columns >= 0 && p.b.depth >= 0);
  CONV2D_CHECK(p.row_stride >= p.b.columns || p.rows <= 1);
  const KernelSet& k = *kernels_;
  const std::int64_t block = depth_block(p.b.depth);
  if (p.b.depth == 0 && !p.accumulate) {
    for (std::int64_t r = 0; r < p.rows; ++r) std::fill_n(p.c + r * p.row_stride, p.b.columns, 0.0F);
  }
  for (std::int64_t d = 0; d < p.b.depth; d += block) {
    const std::int64_t depth = std::min(block, p.b.depth - d);
    const float* b = p.b.data + padded_columns(k, p.b.columns) * d;
    for (std::int64_t r = 0; r < p.rows; r += row_block(k)) {
      const std::int64_t rows = std::min(row_block(k), p.rows - r);
      pack_a_block(k, p, r, rows, d, depth, packed_a);
      multiply_block(k, packed_a, rows, b, depth, p.b.columns, p.c + r * p.row_stride, p.row_stride,
                     p.accumulate || d > 0);
    }
  }
}

double Gemm::cost(std::int64_t rows, std::int64_t columns, std::int64_t depth) const noexcept {
  const KernelSet& k = *kernels_;
  const cost::Products& c = k.costs->products;
  const auto cycles_per_step = [&](std::int64_t vectors) {
    return static_cast<double>(k.tile_rows) * std::max(c.step_register * static_cast<double>(vectors), c.step_least);
  };
  const double overhead = c.tile * static_cast<double>(ceil_div(depth, depth_block(depth)));
  const double steps = static_cast<double>(depth);
  const std::int64_t vectors = ceil_div(columns, k.lanes);
  const std::int64_t last = vectors % k.tile_vectors;
  const double full_tiles = static_cast<double>(vectors / k.tile_vectors);
  const double row_of_tiles = full_tiles * (overhead + steps * cycles_per_step(k.tile_vectors)) +
                              (last > 0 ? overhead + steps * cycles_per_step(last) : 0.0);
  return static_cast<double>(ceil_div(rows, k.tile_rows)) * row_of_tiles;
}

}  // namespace conv2d::engine
