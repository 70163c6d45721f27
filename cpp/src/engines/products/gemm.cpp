#include "engines/products/gemm.hpp"

#include <algorithm>

#include "base/range.hpp"
#include "check/check.hpp"
#include "cost/constants.hpp"

namespace conv2d::engine {
namespace {

using micro_kernels::KernelSet;

// A panel of B (k x 16 floats) and one of A (k x 6) stay in a 32 kB L1: at k = 256, 22 kB.
constexpr std::int64_t kBlockK = 256;
// The block of A (rows x k) stays in L2: 96 x 256 floats are 96 kB.
constexpr std::int64_t kBlockRows = 96;

/// k in equal blocks: a small last block would load and store C for few multiply-adds.
std::int64_t block_of_k(std::int64_t k) noexcept { return even_part(k, kBlockK); }

std::int64_t block_of_rows(const KernelSet& kernels) noexcept {
  return kBlockRows / kernels.tile_rows * kernels.tile_rows;
}

/// Registers across the panel that begins at `column`: full panels, and a last one with as many as it needs.
std::int64_t panel_vectors(const KernelSet& kernels, std::int64_t n, std::int64_t column) noexcept {
  return std::min<std::int64_t>(kernels.tile_vectors, ceil_div(n - column, kernels.lanes));
}

/// Columns of B with the padding of the last panel.
std::int64_t padded_columns(const KernelSet& kernels, std::int64_t n) noexcept { return round_up(n, kernels.lanes); }

void pack_a_block(const KernelSet& kernels, const GemmProduct& p, std::int64_t first, std::int64_t rows,
                  std::int64_t first_k, std::int64_t k, float* packed) noexcept {
  for (std::int64_t r = 0; r < rows; r += kernels.tile_rows) {
    p.a({.first = p.first_row + first + r,
         .valid = std::min<std::int64_t>(kernels.tile_rows, rows - r),
         .width = kernels.tile_rows,
         .first_k = p.first_k + first_k,
         .k = k},
        packed + r * k);
  }
}

/// All tiles of one block of A and one block of k. The panels of B are the outer loop: a panel stays in L1 while the
/// block of A is read from L2.
void multiply_block(const KernelSet& kernels, const float* a, std::int64_t m, const float* b, std::int64_t k,
                    std::int64_t n, float* c, std::int64_t ldc, bool accumulate) noexcept {
  for (std::int64_t j = 0; j < n; j += kernels.tile_columns()) {
    const std::int64_t vectors = panel_vectors(kernels, n, j);
    micro_kernels::GemmTile tile{
        .b = b + j * k, .ldc = ldc, .k = k, .n = std::min(n - j, vectors * kernels.lanes), .accumulate = accumulate};
    for (std::int64_t r = 0; r < m; r += kernels.tile_rows) {
      tile.a = a + r * k;
      tile.c = c + r * ldc + j;
      tile.m = std::min<std::int64_t>(kernels.tile_rows, m - r);
      kernels.gemm_tile[vectors - 1](tile);
    }
  }
}

}  // namespace

CheckedInt Gemm::packed_b_floats(CheckedInt n, CheckedInt k) const noexcept { return (n + kernels_->lanes) * k; }

PackedB Gemm::pack_b(PanelSource b, std::int64_t n, std::int64_t first_k, std::int64_t k, float* out) const noexcept {
  const KernelSet& kernels = *kernels_;
  const std::int64_t block = block_of_k(k);
  float* panel = out;
  for (std::int64_t d = 0; d < k; d += block) {
    const std::int64_t block_k = std::min(block, k - d);
    for (std::int64_t j = 0; j < n; j += kernels.tile_columns()) {
      const std::int64_t width = panel_vectors(kernels, n, j) * kernels.lanes;
      b({.first = j, .valid = std::min(width, n - j), .width = width, .first_k = first_k + d, .k = block_k}, panel);
      panel += width * block_k;
    }
  }
  return {.data = out, .n = n, .k = k};
}

std::int64_t Gemm::packed_a_floats() noexcept { return kBlockRows * kBlockK; }
std::int64_t Gemm::preferred_rows() const noexcept { return block_of_rows(*kernels_); }
std::int64_t Gemm::preferred_k(std::int64_t k) noexcept { return block_of_k(k); }

void Gemm::multiply(const GemmProduct& p, float* packed_a) const noexcept {
  CONV2D_DCHECK(p.m >= 0 && p.b.n >= 0 && p.b.k >= 0);
  CONV2D_DCHECK(p.ldc >= p.b.n || p.m <= 1);
  const KernelSet& kernels = *kernels_;
  const std::int64_t block = block_of_k(p.b.k);
  if (p.b.k == 0 && !p.accumulate) {
    for (std::int64_t r = 0; r < p.m; ++r) std::fill_n(p.c + r * p.ldc, p.b.n, 0.0F);
  }
  for (std::int64_t d = 0; d < p.b.k; d += block) {
    const std::int64_t k = std::min(block, p.b.k - d);
    const float* b = p.b.data + padded_columns(kernels, p.b.n) * d;
    for (std::int64_t r = 0; r < p.m; r += block_of_rows(kernels)) {
      const std::int64_t rows = std::min(block_of_rows(kernels), p.m - r);
      pack_a_block(kernels, p, r, rows, d, k, packed_a);
      multiply_block(kernels, packed_a, rows, b, k, p.b.n, p.c + r * p.ldc, p.ldc, p.accumulate || d > 0);
    }
  }
}

double Gemm::cost(std::int64_t m, std::int64_t n, std::int64_t k) const noexcept {
  const KernelSet& kernels = *kernels_;
  const cost::Products& c = kernels.costs->products;
  const auto cycles_per_step = [&](std::int64_t vectors) {
    return static_cast<double>(kernels.tile_rows) *
           std::max(c.step_register * static_cast<double>(vectors), c.step_min);
  };
  const double overhead = c.tile * static_cast<double>(ceil_div(k, block_of_k(k)));
  const double steps = static_cast<double>(k);
  const std::int64_t vectors = ceil_div(n, kernels.lanes);
  const std::int64_t last = vectors % kernels.tile_vectors;
  const double full_tiles = static_cast<double>(vectors / kernels.tile_vectors);
  const double row_of_tiles = full_tiles * (overhead + steps * cycles_per_step(kernels.tile_vectors)) +
                              (last > 0 ? overhead + steps * cycles_per_step(last) : 0.0);
  return static_cast<double>(ceil_div(m, kernels.tile_rows)) * row_of_tiles;
}

}  // namespace conv2d::engine
