#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string_view>

#include "kernels/tested_sets.hpp"
#include "support/checked_memory.hpp"
#include "support/matchers.hpp"

using namespace conv2d::micro_kernels;
using namespace conv2d::test;

namespace {

/// Strides of a row of pixels of `channels` floats, of which every `stride`-th is a pixel. Taps are `dilation` pixels
/// and rows apart, from right to left if `backwards`.
struct Row {
  const TapKernels* taps;
  std::ptrdiff_t channels, pixels, stride, dilation;
  bool backwards;

  [[nodiscard]] std::ptrdiff_t image_row() const {
    return ((pixels - 1) * stride + (taps->columns - 1) * dilation + 1) * channels + 1;
  }
  [[nodiscard]] std::ptrdiff_t cells_floats() const {
    return (taps->rows - 1) * image_row() + (pixels - 1) * stride * channels +
           (taps->columns - 1) * dilation * channels + channels;
  }
  [[nodiscard]] TapCells cells(const float* data) const {
    const std::ptrdiff_t column = dilation * channels;
    return {.data = data + (backwards ? (taps->columns - 1) * column : 0),
            .row = image_row(),
            .column = backwards ? -column : column,
            .pixel = stride * channels};
  }
  /// Of tap (p, q), pixel j and channel c.
  [[nodiscard]] std::ptrdiff_t cell(std::ptrdiff_t p, std::ptrdiff_t q, std::ptrdiff_t j, std::ptrdiff_t c) const {
    const std::ptrdiff_t column = backwards ? taps->columns - 1 - q : q;
    return p * image_row() + (column * dilation + j * stride) * channels + c;
  }
  [[nodiscard]] std::ptrdiff_t w_row() const { return taps->columns * channels + 2; }
  [[nodiscard]] std::ptrdiff_t w_floats() const { return taps->rows * w_row() - 2; }
};

float at(const std::vector<float>& values, std::ptrdiff_t i) { return values[static_cast<std::size_t>(i)]; }

enum class Start { same, bias, out };

Failure wrong_sum(const Row& row, std::ptrdiff_t lanes, Start starts, const Trial& trial, Rng& rng) {
  const std::vector<float> x = numbers(row.cells_floats(), trial.data, rng);
  const std::vector<float> w = numbers(row.w_floats(), trial.data, rng);
  const std::vector<float> start = numbers(starts == Start::same ? lanes : row.channels, trial.data, rng);
  GuardedInput in_x(x, trial.guard), in_w(w, trial.guard), in_start(start, trial.guard);
  const std::ptrdiff_t out_pixel = row.channels + 3;
  const std::vector<float> before = numbers(row.pixels * row.channels, trial.data, rng);
  CheckedOutput out((row.pixels - 1) * out_pixel + row.channels, trial.data);
  for (std::ptrdiff_t j = 0; j < row.pixels; ++j) {
    for (std::ptrdiff_t c = 0; c < row.channels; ++c) {
      const float first = at(before, j * row.channels + c);
      out.set_initial(j * out_pixel + c, first);
      Sum sum;
      sum.add(starts == Start::out ? first : at(start, starts == Start::same ? c % lanes : c));
      for (std::ptrdiff_t p = 0; p < row.taps->rows; ++p) {
        for (std::ptrdiff_t q = 0; q < row.taps->columns; ++q) {
          sum.add(at(x, row.cell(p, q, j, c)), at(w, p * row.w_row() + q * row.channels + c));
        }
      }
      out.expect(j * out_pixel + c, sum);
    }
  }
  row.taps->sum({.cells = row.cells(in_x.data()),
                 .w = in_w.data(),
                 .w_row = row.w_row(),
                 .w_column = row.channels,
                 .start = starts == Start::out ? out.data() : in_start.data(),
                 .start_pixel = starts == Start::out ? out_pixel : 0,
                 .start_lanes = starts == Start::same ? 0 : lanes,
                 .out = out.data(),
                 .out_pixel = out_pixel,
                 .pixels = row.pixels,
                 .channels = row.channels});
  return out.failure();
}

Failure wrong_products(const Row& row, const Trial& trial, Rng& rng) {
  const std::ptrdiff_t dy_pixel = row.channels + 1;
  const std::vector<float> x = numbers(row.cells_floats(), trial.data, rng);
  const std::vector<float> dy = numbers((row.pixels - 1) * dy_pixel + row.channels, trial.data, rng);
  const std::vector<float> before = numbers(row.w_floats(), trial.data, rng);
  GuardedInput in_x(x, trial.guard), in_dy(dy, trial.guard);
  CheckedOutput dw(row.w_floats(), trial.data);
  for (std::ptrdiff_t p = 0; p < row.taps->rows; ++p) {
    for (std::ptrdiff_t q = 0; q < row.taps->columns; ++q) {
      for (std::ptrdiff_t c = 0; c < row.channels; ++c) {
        const std::ptrdiff_t cell = p * row.w_row() + q * row.channels + c;
        Sum sum;
        sum.add(at(before, cell));
        for (std::ptrdiff_t j = 0; j < row.pixels; ++j) sum.add(at(x, row.cell(p, q, j, c)), at(dy, j * dy_pixel + c));
        dw.set_initial(cell, at(before, cell));
        dw.expect(cell, sum);
      }
    }
  }
  row.taps->products({.cells = row.cells(in_x.data()),
                      .dy = in_dy.data(),
                      .dy_pixel = dy_pixel,
                      .dw = dw.data(),
                      .dw_row = row.w_row(),
                      .dw_column = row.channels,
                      .pixels = row.pixels,
                      .channels = row.channels});
  return dw.failure();
}

/// Lines of pixels, `step` rows of cells apart, with the pixels beside them that lack a column of taps.
struct Lines {
  const TapKernels* taps;
  std::ptrdiff_t channels, lines, step, pixels, stride, dilation;
  bool before, after;

  [[nodiscard]] std::ptrdiff_t first() const { return before ? -1 : 0; }
  [[nodiscard]] std::ptrdiff_t end() const { return pixels + (after ? 1 : 0); }
  [[nodiscard]] bool has_cell(std::ptrdiff_t q, std::ptrdiff_t j) const {
    return (j >= 0 || q > 0) && (j < pixels || q + 1 < taps->columns);
  }
  /// Cells of a row to the left of the first pixel's.
  [[nodiscard]] std::ptrdiff_t left() const { return before ? std::max<std::ptrdiff_t>(0, stride - dilation) : 0; }
  [[nodiscard]] std::ptrdiff_t image_row() const {
    const std::ptrdiff_t last = (pixels - 1) * stride + (taps->columns - 1) * dilation;
    const std::ptrdiff_t beside = after ? pixels * stride + (taps->columns - 2) * dilation : 0;
    return (left() + std::max(last, beside) + 1) * channels;
  }
  [[nodiscard]] std::ptrdiff_t cells_floats() const { return ((lines - 1) * step + taps->rows) * image_row(); }
  /// Of tap (p, q), pixel j of line i and channel c.
  [[nodiscard]] std::ptrdiff_t cell(std::ptrdiff_t p, std::ptrdiff_t q, std::ptrdiff_t i, std::ptrdiff_t j,
                                    std::ptrdiff_t c) const {
    return (i * step + p) * image_row() + (left() + j * stride + q * dilation) * channels + c;
  }
};

Failure wrong_products_of_lines(const Lines& l, const Trial& trial, Rng& rng) {
  const std::ptrdiff_t dy_pixel = l.channels + 1, dy_line = (l.end() - l.first()) * dy_pixel;
  const std::ptrdiff_t taps = l.taps->rows * l.taps->columns;
  const std::vector<float> x = numbers(l.cells_floats(), trial.data, rng);
  const std::vector<float> dy = numbers(l.lines * dy_line - 1, trial.data, rng);
  const std::vector<float> start = numbers(taps * l.channels, trial.data, rng);
  GuardedInput in_x(x, trial.guard), in_dy(dy, trial.guard);
  CheckedOutput dw(taps * l.channels, trial.data);
  for (std::ptrdiff_t tap = 0; tap < taps; ++tap) {
    const std::ptrdiff_t p = tap / l.taps->columns, q = tap % l.taps->columns;
    for (std::ptrdiff_t c = 0; c < l.channels; ++c) {
      Sum sum;
      sum.add(at(start, tap * l.channels + c));
      for (std::ptrdiff_t i = 0; i < l.lines; ++i) {
        for (std::ptrdiff_t j = l.first(); j < l.end(); ++j) {
          if (!l.has_cell(q, j)) continue;
          sum.add(at(x, l.cell(p, q, i, j, c)), at(dy, i * dy_line + (j - l.first()) * dy_pixel + c));
        }
      }
      dw.set_initial(tap * l.channels + c, at(start, tap * l.channels + c));
      dw.expect(tap * l.channels + c, sum);
    }
  }
  l.taps->products({.cells = {.data = in_x.data() + l.left() * l.channels,
                              .row = l.image_row(),
                              .column = l.dilation * l.channels,
                              .pixel = l.stride * l.channels},
                    .cells_line = l.step * l.image_row(),
                    .dy = in_dy.data() - l.first() * dy_pixel,
                    .dy_pixel = dy_pixel,
                    .dy_line = dy_line,
                    .dw = dw.data(),
                    .dw_row = l.taps->columns * l.channels,
                    .dw_column = l.channels,
                    .lines = l.lines,
                    .pixels = l.pixels,
                    .channels = l.channels,
                    .before = l.before,
                    .after = l.after});
  return dw.failure();
}

Failure wrong_sums_of_lines(const Lines& l, std::ptrdiff_t lanes, bool from_out, const Trial& trial, Rng& rng) {
  const std::ptrdiff_t pixel = l.channels + 1, line = (l.end() - l.first()) * pixel + 2;
  const std::ptrdiff_t taps = l.taps->rows * l.taps->columns;
  const std::vector<float> x = numbers(l.cells_floats(), trial.data, rng);
  const std::vector<float> w = numbers(taps * l.channels, trial.data, rng);
  const std::vector<float> bias = numbers(l.channels, trial.data, rng);
  const std::vector<float> before = numbers(l.lines * line, trial.data, rng);
  GuardedInput in_x(x, trial.guard), in_w(w, trial.guard), in_bias(bias, trial.guard);
  CheckedOutput out(l.lines * line - 3, trial.data);
  for (std::ptrdiff_t i = 0; i < l.lines; ++i) {
    for (std::ptrdiff_t j = l.first(); j < l.end(); ++j) {
      for (std::ptrdiff_t c = 0; c < l.channels; ++c) {
        const std::ptrdiff_t to = i * line + (j - l.first()) * pixel + c;
        out.set_initial(to, at(before, to));
        Sum sum;
        sum.add(from_out ? at(before, to) : at(bias, c));
        for (std::ptrdiff_t tap = 0; tap < taps; ++tap) {
          const std::ptrdiff_t p = tap / l.taps->columns, q = tap % l.taps->columns;
          if (l.has_cell(q, j)) sum.add(at(x, l.cell(p, q, i, j, c)), at(w, tap * l.channels + c));
        }
        out.expect(to, sum);
      }
    }
  }
  float* const first = out.data() - l.first() * pixel;
  l.taps->sum({.cells = {.data = in_x.data() + l.left() * l.channels,
                         .row = l.image_row(),
                         .column = l.dilation * l.channels,
                         .pixel = l.stride * l.channels},
               .w = in_w.data(),
               .w_row = l.taps->columns * l.channels,
               .w_column = l.channels,
               .start = from_out ? first : in_bias.data(),
               .start_pixel = from_out ? pixel : 0,
               .start_lanes = lanes,
               .out = first,
               .out_pixel = pixel,
               .pixels = l.pixels,
               .channels = l.channels,
               .lines = l.lines,
               .cells_line = l.step * l.image_row(),
               .start_line = from_out ? line : 0,
               .out_line = line,
               .before = l.before,
               .after = l.after});
  return out.failure();
}

}  // namespace

TEST_CASE("depthwise_row: sums and products of every block of taps, with strides and dilation, in both directions",
          "[micro]") {
  Rng rng(45);
  for_each_set([&](const TestedSet& set) {
    const KernelSet& k = *set.kernels;
    Failures failures;
    for (const TapKernels& taps : k.tap_kernels) {
      const std::string size = std::to_string(taps.rows) + " x " + std::to_string(taps.columns);
      for (std::ptrdiff_t registers = 1; registers <= 3; ++registers) {
        for (const std::ptrdiff_t pixels : {1, 2, 3, 4, 7, 9}) {
          for (const std::ptrdiff_t stride : {1, 2}) {
            for (const bool backwards : {false, true}) {
              const Row row{&taps, registers * k.lanes, pixels, stride, 1 + pixels % 2, backwards};
              const std::string where = set.name() + " " + size + " registers, pixels, stride, backwards:";
              for (const Trial& trial : kTrials) {
                for (const Start start : {Start::same, Start::bias, Start::out}) {
                  failures.add(wrong_sum(row, k.lanes, start, trial, rng), "sum " + where, registers, pixels, stride,
                               backwards, static_cast<int>(start));
                }
                failures.add(wrong_products(row, trial, rng), "products " + where, registers, pixels, stride,
                             backwards);
              }
            }
          }
        }
      }
      exercised(set.name()).kernels.insert({"tap_sum of " + size, "tap_products of " + size});
    }
    CHECK_THAT(failures, NoFailure());
  });
}

TEST_CASE("depthwise_row: sums and products of several lines, with the pixels beside them that lack a column of taps",
          "[micro]") {
  Rng rng(46);
  for_each_set([&](const TestedSet& set) {
    const KernelSet& k = *set.kernels;
    Failures failures;
    for (const TapKernels& taps : k.tap_kernels) {
      const bool takes_edges = k.reads_in_order() && taps.columns == 3;
      const std::string where = set.name() + " " + std::to_string(taps.rows) + " x " + std::to_string(taps.columns) +
                                ", registers, lines, step, pixels, stride, dilation, edges:";
      for (const std::ptrdiff_t registers : {1, 2, 5, 9}) {
        for (const std::ptrdiff_t lines : {1, 3, 4, 9}) {
          for (const std::ptrdiff_t step : {1, 2}) {
            for (const std::ptrdiff_t pixels : {1, 3}) {
              for (int edges = 0; edges < (takes_edges ? 4 : 1); ++edges) {
                const std::ptrdiff_t stride = 1 + lines % 2, dilation = 1 + registers % 2;
                const Lines l{&taps,    registers * k.lanes, lines,           step, pixels, stride,
                              dilation, (edges & 1) != 0,    (edges & 2) != 0};
                for (const Trial& trial : kTrials) {
                  if (lines == 1 || k.reads_in_order()) {
                    const bool from_out = pixels == 3;
                    failures.add(wrong_sums_of_lines(l, k.lanes, from_out, trial, rng), "sums of " + where, registers,
                                 lines, step, pixels, stride, dilation, edges);
                  }
                  failures.add(wrong_products_of_lines(l, trial, rng), "products of " + where, registers, lines, step,
                               pixels, stride, dilation, edges);
                }
              }
            }
          }
        }
      }
    }
    CHECK_THAT(failures, NoFailure());
  });
}
