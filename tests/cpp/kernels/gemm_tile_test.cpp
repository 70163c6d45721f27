#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "kernels/tested_sets.hpp"
#include "support/fenced.hpp"
#include "support/matchers.hpp"

using namespace conv2d::micro_kernels;
using namespace conv2d::test;

namespace {

/// One GemmTile against the sum of its contract.
Failure wrong_tile(const KernelSet& k, int vectors, GemmTile tile, const Trial& trial, Rng& rng) {
  const std::ptrdiff_t width = vectors * k.lanes;
  const std::vector<float> a = numbers(tile.depth * k.tile_rows, trial.data, rng);
  const std::vector<float> b = numbers(tile.depth * width, trial.data, rng);
  const std::vector<float> before = numbers(tile.rows * tile.columns, trial.data, rng);
  Fenced in_a(a, trial.guard), in_b(b, trial.guard);
  Written c((tile.rows - 1) * tile.row_stride + tile.columns, trial.data);
  for (std::ptrdiff_t r = 0; r < tile.rows; ++r) {
    for (std::ptrdiff_t j = 0; j < tile.columns; ++j) {
      const float first = before[static_cast<std::size_t>(r * tile.columns + j)];
      Sum sum;
      if (tile.accumulate) sum.add(first);
      for (std::ptrdiff_t d = 0; d < tile.depth; ++d) {
        sum.add(a[static_cast<std::size_t>(d * k.tile_rows + r)], b[static_cast<std::size_t>(d * width + j)]);
      }
      const std::ptrdiff_t cell = r * tile.row_stride + j;
      c.begin(cell, tile.accumulate ? first : std::numeric_limits<float>::quiet_NaN());
      c.expect(cell, sum);
    }
  }
  tile.a = in_a.data();
  tile.b = in_b.data();
  tile.c = c.data();
  k.gemm_tile[vectors - 1](tile);
  return c.wrong();
}

}  // namespace

TEST_CASE("gemm_tile: all depths, rows and columns, written or added", "[micro]") {
  Rng rng(41);
  for_each_set([&](const TestedSet& set) {
    const KernelSet& k = *set.kernels;
    Failures failures;
    for (int vectors = 1; vectors <= k.tile_vectors; ++vectors) {
      const std::ptrdiff_t width = vectors * k.lanes;
      const auto check = [&](GemmTile tile) {
        for (const bool accumulate : {false, true}) {
          tile.accumulate = accumulate;
          for (const Trial& trial : kTrials) {
            failures.add(wrong_tile(k, vectors, tile, trial, rng),
                         set.name() + " registers, rows, columns, depth, added:", vectors, tile.rows, tile.columns,
                         tile.depth, accumulate);
          }
        }
      };
      for (std::ptrdiff_t depth = 0; depth <= 10; ++depth) {
        check({.row_stride = width + depth % 3, .depth = depth, .rows = k.tile_rows, .columns = width});
      }
      for (std::ptrdiff_t rows = 1; rows <= k.tile_rows; ++rows) {
        for (std::ptrdiff_t columns = 1; columns <= width; ++columns) {
          const std::ptrdiff_t depth = 1 + (rows + columns) % 5;
          check({.row_stride = columns + rows % 4, .depth = depth, .rows = rows, .columns = columns});
        }
      }
      exercised(set.name()).kernels.insert("gemm_tile of " + std::to_string(vectors));
    }
    CHECK_THAT(failures, NothingWrong());
  });
}
