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
