#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "kernels/tested_sets.hpp"
#include "support/checked_memory.hpp"
#include "support/matchers.hpp"

using namespace conv2d::micro_kernels;
using namespace conv2d::test;

namespace {

/// Compares one GemmTile with the sum of its contract.
Failure wrong_tile(const KernelSet& k, int vectors, GemmTile tile, const Trial& trial, Rng& rng) {
  const std::ptrdiff_t width = vectors * k.lanes;
  const std::vector<float> a = numbers(tile.k * k.tile_rows, trial.data, rng);
  const std::vector<float> b = numbers(tile.k * width, trial.data, rng);
  const std::vector<float> before = numbers(tile.m * tile.n, trial.data, rng);
  GuardedInput in_a(a, trial.guard), in_b(b, trial.guard);
  CheckedOutput c((tile.m - 1) * tile.ldc + tile.n, trial.data);
  for (std::ptrdiff_t r = 0; r < tile.m; ++r) {
    for (std::ptrdiff_t j = 0; j < tile.n; ++j) {
      const float first = before[static_cast<std::size_t>(r * tile.n + j)];
      Sum sum;
      if (tile.accumulate) sum.add(first);
      for (std::ptrdiff_t d = 0; d < tile.k; ++d) {
        sum.add(a[static_cast<std::size_t>(d * k.tile_rows + r)], b[static_cast<std::size_t>(d * width + j)]);
      }
      const std::ptrdiff_t cell = r * tile.ldc + j;
      c.set_initial(cell, tile.accumulate ? first : std::numeric_limits<float>::quiet_NaN());
      c.expect(cell, sum);
    }
  }
  tile.a = in_a.data();
  tile.b = in_b.data();
  tile.c = c.data();
  k.gemm_tile[vectors - 1](tile);
  return c.failure();
}

}  // namespace

TEST_CASE("gemm_tile: all depths, rows and columns, overwriting or accumulating", "[micro]") {
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
                         set.name() + " registers, rows, columns, depth, added:", vectors, tile.m, tile.n, tile.k,
                         accumulate);
          }
        }
      };
      for (std::ptrdiff_t depth = 0; depth <= 10; ++depth) {
        check({.ldc = width + depth % 3, .k = depth, .m = k.tile_rows, .n = width});
      }
      for (std::ptrdiff_t rows = 1; rows <= k.tile_rows; ++rows) {
        for (std::ptrdiff_t columns = 1; columns <= width; ++columns) {
          const std::ptrdiff_t depth = 1 + (rows + columns) % 5;
          check({.ldc = columns + rows % 4, .k = depth, .m = rows, .n = columns});
        }
      }
      exercised(set.name()).kernels.insert("gemm_tile of " + std::to_string(vectors));
    }
    CHECK_THAT(failures, NoFailure());
  });
}
