#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "kernels/tested_sets.hpp"
#include "support/checked_memory.hpp"
#include "support/matchers.hpp"

using namespace conv2d::micro_kernels;
using namespace conv2d::test;

namespace {

struct Size {
  int rows;  ///< of each span
  TileWidth width;
  int spans;  ///< 1, or those of a triple
  std::ptrdiff_t images, lines, pixels, gap, tiles;
};

/// Compares one OuterProduct with the sum of its contract; `gap` floats separate the rows that it accesses, and half a
/// line the spans.
Failure wrong_product(const KernelSet& k, const Size& s, bool accumulate, const Trial& trial, Rng& rng) {
  const std::ptrdiff_t width = outer_vectors(s.rows, s.width) * k.lanes;
  const std::ptrdiff_t rows = s.spans * s.rows;
  const std::ptrdiff_t a_span = s.pixels * (s.rows + s.gap) / 2 + 1;
  const Loop pixels{.count = s.pixels, .a_step = s.rows + s.gap, .b_step = width + s.gap};
  const Loop lines{.count = s.lines, .a_step = s.pixels * pixels.a_step + 1, .b_step = s.pixels * pixels.b_step + 2};
  const Loop images{.count = s.images, .a_step = s.lines * lines.a_step, .b_step = s.lines * lines.b_step + 3};
  const auto end = [&](std::int64_t Loop::*step, std::ptrdiff_t floats) -> std::int64_t {
    if (s.images * s.lines * s.pixels == 0) return 0;
    return (s.images - 1) * images.*step + (s.lines - 1) * lines.*step + (s.pixels - 1) * pixels.*step + floats;
  };
  const std::ptrdiff_t next_a = 3, next_b = 2;
  const std::ptrdiff_t more_a = (s.tiles - 1) * next_a, more_b = (s.tiles - 1) * next_b;
  const std::vector<float> a = numbers(end(&Loop::a_step, more_a + (s.spans - 1) * a_span + s.rows), trial.data, rng);
  const std::vector<float> b = numbers(end(&Loop::b_step, more_b + width), trial.data, rng);
  const std::vector<float> before = numbers(s.tiles * rows * width, trial.data, rng);
  GuardedInput in_a(a, trial.guard), in_b(b, trial.guard);
  const std::ptrdiff_t row_stride = width + s.gap;
  CheckedOutput c((s.tiles * rows - 1) * row_stride + width, trial.data);
  for (std::ptrdiff_t row = 0; row < s.tiles * rows; ++row) {
    const std::ptrdiff_t tile = row / rows, r = row % rows;
    for (std::ptrdiff_t j = 0; j < width; ++j) {
      const float first = before[static_cast<std::size_t>(row * width + j)];
      Sum sum;
      if (accumulate) sum.add(first);
      for (std::ptrdiff_t n = 0; n < s.images; ++n) {
        for (std::ptrdiff_t i = 0; i < s.lines; ++i) {
          for (std::ptrdiff_t p = 0; p < s.pixels; ++p) {
            const std::ptrdiff_t at_a = tile * next_a + n * images.a_step + i * lines.a_step + p * pixels.a_step +
                                        r / s.rows * a_span + r % s.rows;
            const std::ptrdiff_t at_b = tile * next_b + n * images.b_step + i * lines.b_step + p * pixels.b_step + j;
            sum.add(a[static_cast<std::size_t>(at_a)], b[static_cast<std::size_t>(at_b)]);
          }
        }
      }
      c.set_initial(row * row_stride + j, accumulate ? first : std::numeric_limits<float>::quiet_NaN());
      c.expect(row * row_stride + j, sum);
    }
  }
  const OuterProductFunction kernel =
      s.spans == 1 ? k.outer_product[s.rows - 1][static_cast<int>(s.width)] : k.outer_triple[s.rows - 1];
  kernel({.a = in_a.data(),
          .b = in_b.data(),
          .c = c.data(),
          .images = images,
          .lines = lines,
          .pixels = pixels,
          .a_span = a_span,
          .row_stride = row_stride,
          .accumulate = accumulate,
          .tiles = s.tiles,
          .next_a = next_a,
          .next_b = next_b,
          .next_c = rows * row_stride});
  return c.failure();
}

/// The same for any number of images, lines, pixels and tiles.
void check_all_counts(const TestedSet& set, int rows, TileWidth width, int spans, Rng& rng, Failures& failures) {
  for (const std::ptrdiff_t images : {0, 1, 2}) {
    for (const std::ptrdiff_t lines : {0, 1, 3}) {
      for (const std::ptrdiff_t pixels : {0, 1, 2, 5}) {
        const Size size{
            rows, width, spans, images, lines, pixels, (rows + pixels) % 3, 1 + (rows + lines + pixels) % 3};
        for (const bool accumulate : {false, true}) {
          for (const Trial& trial : kTrials) {
            failures.add(wrong_product(*set.kernels, size, accumulate, trial, rng),
                         set.name() + " rows, width, spans, images, lines, pixels, tiles, added:", rows,
                         static_cast<int>(width), spans, images, lines, pixels, size.tiles, accumulate);
          }
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("outer_product: all rows and widths, with any number of images, lines, pixels and tiles", "[micro]") {
  Rng rng(42);
  for_each_set([&](const TestedSet& set) {
    const KernelSet& k = *set.kernels;
    Failures failures;
    for (int rows = 1; rows <= k.outer_narrow_rows; ++rows) {
      for (int width = 0; width < (rows <= k.outer_tile_rows ? kTileWidths : 1); ++width) {
        check_all_counts(set, rows, TileWidth{static_cast<std::uint8_t>(width)}, 1, rng, failures);
        exercised(set.name())
            .kernels.insert("outer_product of " + std::to_string(rows) + ", width " + std::to_string(width));
      }
    }
    for (int rows = 1; rows <= (k.outer_triple[0] ? kTripleRows : 0); ++rows) {
      check_all_counts(set, rows, TileWidth::one, kTripleSpans, rng, failures);
      exercised(set.name()).kernels.insert("outer_triple of " + std::to_string(rows));
    }
    CHECK_THAT(failures, NoFailure());
  });
}
