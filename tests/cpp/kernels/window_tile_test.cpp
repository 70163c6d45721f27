#include <catch2/catch_test_macros.hpp>

#include "kernels/tested_sets.hpp"
#include "support/checked_memory.hpp"
#include "support/matchers.hpp"

using namespace conv2d::micro_kernels;
using namespace conv2d::test;

namespace {

/// Windows, weights and outputs for a tile of `rows` rows; `width` floats of weights per float of a window.
struct Problem {
  std::ptrdiff_t rows, columns, width;
  WindowSpans spans;

  /// Windows overlap, as in an image. The first one starts and the last one ends with the memory.
  [[nodiscard]] std::ptrdiff_t window(std::ptrdiff_t r) const { return 2 + r * 3; }
  [[nodiscard]] std::ptrdiff_t x_floats() const {
    return window(rows - 1) + spans.first_a + (spans.rows - 1) * spans.row_a + (spans.cols - 1) * spans.col_a +
           spans.length;
  }
  [[nodiscard]] std::ptrdiff_t b_floats() const {
    return (spans.rows - 1) * spans.row_b + spans.cols * spans.length * width;
  }
  [[nodiscard]] std::ptrdiff_t out(std::ptrdiff_t r) const { return r * (columns + kFirstOut + 1); }
  [[nodiscard]] std::ptrdiff_t out_floats() const { return out(rows - 1) + kFirstOut + columns; }

  /// Calls visit(index in the window, index in b) for every float of a window's spans; b is `width` floats per float.
  template <class Visit>
  void for_each_float(Visit&& visit) const {
    for (std::ptrdiff_t i = 0; i < spans.rows; ++i) {
      for (std::ptrdiff_t j = 0; j < spans.cols; ++j) {
        for (std::ptrdiff_t d = 0; d < spans.length; ++d) {
          visit(spans.first_a + i * spans.row_a + j * spans.col_a + d,
                i * spans.row_b + (j * spans.length + d) * width);
        }
      }
    }
  }

  static constexpr std::ptrdiff_t kFirstOut = 3;
};

WindowSpans spans_of(std::ptrdiff_t rows, std::ptrdiff_t cols, std::ptrdiff_t length, std::ptrdiff_t width) {
  return {.first_a = -2,
          .rows = rows,
          .row_a = cols * (length + 2) + 5,
          .row_b = cols * length * width + 4,  // weights of another group are in between
          .cols = cols,
          .col_a = length + 2,
          .length = length};
}

/// Runs a WindowTile or a DotTile on the problem. `start` is the start that the kernel reads, `first(r, j)` the initial
/// value of row r and column j, and weight(b, j) the weight of column j for the float d of the windows with weights at
/// b.
template <class Tile, class First, class Weight>
Failure wrong_tile(void (*kernel)(const Tile&) noexcept, const Problem& p, Tile tile, const std::vector<float>& start,
                   First first, Weight weight, const Trial& trial, Rng& rng) {
  const std::vector<float> x = numbers(p.x_floats(), trial.data, rng), b = numbers(p.b_floats(), trial.data, rng);
  GuardedInput in_x(x, trial.guard), in_b(b, trial.guard), in_start(start, trial.guard);
  CheckedOutput out(p.out_floats(), trial.data);
  std::vector<const float*> windows;
  std::vector<float*> rows;
  for (std::ptrdiff_t r = 0; r < p.rows; ++r) {
    windows.push_back(in_x.data() + p.window(r));
    rows.push_back(out.data() + p.out(r));
    for (std::ptrdiff_t j = 0; j < p.columns; ++j) {
      Sum sum = first(r, j);
      p.for_each_float([&](std::ptrdiff_t in_window, std::ptrdiff_t in_weights) {
        sum.add(x[static_cast<std::size_t>(p.window(r) + in_window)],
                b[static_cast<std::size_t>(weight(in_weights, j))]);
      });
      out.expect(p.out(r) + Problem::kFirstOut + j, sum);
    }
  }
  tile.windows = windows.data();
  tile.out = rows.data();
  tile.rows = p.rows;
  tile.b = in_b.data();
  tile.start = in_start.data();
  tile.first_out = Problem::kFirstOut;
  tile.spans = p.spans;
  kernel(tile);
  return out.failure();
}

/// All columns, a few numbers of rows and all kinds of spans for one kernel of `vectors` registers and `tile_rows`
/// rows.
void check_window_tile(const TestedSet& set, const std::string& name, WindowTileFunction kernel, std::ptrdiff_t vectors,
                       std::ptrdiff_t tile_rows, Rng& rng) {
  Failures failures;
  const std::ptrdiff_t width = vectors * set.kernels->lanes;
  const auto check = [&](std::ptrdiff_t rows, std::ptrdiff_t columns, const WindowSpans& spans) {
    // Every third number of rows has a start per row.
    const std::ptrdiff_t start_row = rows % 3 == 0 ? width + 3 : 0;
    const Problem p{rows, columns, width, spans};
    const auto weight = [](std::ptrdiff_t at, std::ptrdiff_t j) { return at + j; };
    for (const Trial& trial : kTrials) {
      const std::vector<float> start = numbers((rows - 1) * start_row + width, trial.data, rng);
      const auto first = [&](std::ptrdiff_t r, std::ptrdiff_t j) {
        Sum sum;
        sum.add(start[static_cast<std::size_t>(r * start_row + j)]);
        return sum;
      };
      WindowTile tile;
      tile.columns = columns;
      tile.start_row = start_row;
      failures.add(wrong_tile(kernel, p, tile, start, first, weight, trial, rng),
                   set.name() + " " + name + " rows, columns, spans:", rows, columns, spans.rows, spans.cols,
                   spans.length);
    }
  };
  for (std::ptrdiff_t rows = tile_rows; rows <= 2 * tile_rows + 1; ++rows) {
    for (std::ptrdiff_t columns = 1; columns <= width; ++columns) {
      check(rows, columns, spans_of(1 + columns % 2, 1 + rows % 3, 1 + (rows + columns) % 4, width));
    }
  }
  for (std::ptrdiff_t length = 1; length <= 10; ++length) {
    for (const std::ptrdiff_t spans : {1, 2, 3}) check(tile_rows + 1, width, spans_of(spans, 4 - spans, length, width));
  }
  CHECK_THAT(failures, NoFailure());
  exercised(set.name()).kernels.insert(name);
}

}  // namespace

TEST_CASE("window_tile: all columns, rows computed twice, and spans of any length", "[micro]") {
  Rng rng(43);
  for_each_set([&](const TestedSet& set) {
    const KernelSet& k = *set.kernels;
    for (int vectors = 1; vectors <= kMaxTileVectors; ++vectors) {
      REQUIRE(k.window_rows[vectors - 1] <= kMaxWindowRows);
      check_window_tile(set, "window_tile of " + std::to_string(vectors), k.window_tile[vectors - 1], vectors,
                        k.window_rows[vectors - 1], rng);
      if (k.rest_rows[vectors - 1] == 0) continue;
      check_window_tile(set, "window_tile low of " + std::to_string(vectors), k.rest_tile[vectors - 1], vectors,
                        k.rest_rows[vectors - 1], rng);
    }
    check_window_tile(set, "window_tile wide", k.window_tile_2x4, kTile2x4Vectors, kTile2x4Rows, rng);
  });
}

TEST_CASE("dot_tile: one to three columns, rows computed twice, and spans of several registers", "[micro]") {
  Rng rng(44);
  for_each_set([&](const TestedSet& set) {
    const KernelSet& k = *set.kernels;
    Failures failures;
    for (std::ptrdiff_t columns = 1; columns <= kMaxDotColumns; ++columns) {
      const std::ptrdiff_t tile_rows = k.dot_rows[columns - 1];
      REQUIRE(tile_rows <= kMaxWindowRows);
      // b holds `lanes` floats of each column in turn: float d of a run is in register d / lanes.
      const auto weight = [&](std::ptrdiff_t at, std::ptrdiff_t j) {
        const std::ptrdiff_t d = at / columns;
        return d / k.lanes * (k.lanes * columns) + j * k.lanes + d % k.lanes;
      };
      for (std::ptrdiff_t rows = tile_rows; rows <= 2 * tile_rows + 1; ++rows) {
        for (std::ptrdiff_t registers = 1; registers <= 9; ++registers) {
          for (const std::ptrdiff_t run_rows : {1, 2, 3}) {
            WindowSpans spans = spans_of(run_rows, 4 - run_rows, registers * k.lanes, columns);
            spans.row_b = spans.cols * spans.length * columns + 2 * k.lanes * columns;
            const Problem p{rows, columns, columns, spans};
            for (const Trial& trial : kTrials) {
              const std::vector<float> start = numbers(columns * k.lanes, trial.data, rng);
              const auto first = [&](std::ptrdiff_t, std::ptrdiff_t j) {
                Sum sum;
                for (std::ptrdiff_t lane = 0; lane < k.lanes; ++lane) {
                  sum.add(start[static_cast<std::size_t>(j * k.lanes + lane)]);
                }
                return sum;
              };
              failures.add(wrong_tile(k.dot_tile[columns - 1], p, DotTile{}, start, first, weight, trial, rng),
                           set.name() + " columns, rows, registers, spans:", columns, rows, registers, run_rows);
            }
          }
        }
      }
      exercised(set.name()).kernels.insert("dot_tile of " + std::to_string(columns));
    }
    CHECK_THAT(failures, NoFailure());
  });
}
