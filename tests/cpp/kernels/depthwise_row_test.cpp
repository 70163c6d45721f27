#include <catch2/catch_test_macros.hpp>

#include "kernels/fenced.hpp"
#include "kernels/tested_sets.hpp"

using namespace conv2d::micro_kernels;
using namespace conv2d::test;

namespace {

/// Steps of a row of pixels of `channels` floats, of which every `stride`-th is a pixel; taps lie `dilation` pixels and
/// rows apart, from right to left when `backwards`.
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

double at(const std::vector<float>& values, std::ptrdiff_t i) {
  return static_cast<double>(values[static_cast<std::size_t>(i)]);
}

enum class Start { same, bias, out };

std::string wrong_sum(const Row& row, std::ptrdiff_t lanes, Start starts, Rng& rng) {
  const std::vector<float> x = integers(row.cells_floats(), rng), w = integers(row.w_floats(), rng);
  const std::vector<float> start = integers(starts == Start::same ? lanes : row.channels, rng);
  Fenced in_x(x), in_w(w), in_start(start);
  const std::ptrdiff_t out_pixel = row.channels + 3;
  Written out(static_cast<std::size_t>((row.pixels - 1) * out_pixel + row.channels));
  for (std::ptrdiff_t j = 0; j < row.pixels; ++j) {
    for (std::ptrdiff_t c = 0; c < row.channels; ++c) {
      const float before = static_cast<float>(rng.between(-9, 9));
      out.begin(j * out_pixel + c, before);
      double sum =
          starts == Start::out ? static_cast<double>(before) : at(start, starts == Start::same ? c % lanes : c);
      for (std::ptrdiff_t p = 0; p < row.taps->rows; ++p) {
        for (std::ptrdiff_t q = 0; q < row.taps->columns; ++q) {
          sum += at(x, row.cell(p, q, j, c)) * at(w, p * row.w_row() + q * row.channels + c);
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
  return out.wrong();
}

std::string wrong_products(const Row& row, Rng& rng) {
  const std::ptrdiff_t dy_pixel = row.channels + 1;
  const std::vector<float> x = integers(row.cells_floats(), rng);
  const std::vector<float> dy = integers((row.pixels - 1) * dy_pixel + row.channels, rng);
  Fenced in_x(x), in_dy(dy);
  Written dw(static_cast<std::size_t>(row.w_floats()));
  for (std::ptrdiff_t p = 0; p < row.taps->rows; ++p) {
    for (std::ptrdiff_t q = 0; q < row.taps->columns; ++q) {
      for (std::ptrdiff_t c = 0; c < row.channels; ++c) {
        const float before = static_cast<float>(rng.between(-9, 9));
        double sum = static_cast<double>(before);
        for (std::ptrdiff_t j = 0; j < row.pixels; ++j) sum += at(x, row.cell(p, q, j, c)) * at(dy, j * dy_pixel + c);
        dw.begin(p * row.w_row() + q * row.channels + c, before);
        dw.expect(p * row.w_row() + q * row.channels + c, sum);
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
  return dw.wrong();
}

std::string wrong_block(const KernelSet& k, std::ptrdiff_t rows, std::ptrdiff_t pixels, std::ptrdiff_t stride,
                        Rng& rng) {
  const std::ptrdiff_t row = ((pixels - 1) * stride + 3) * kTapBlock + 4, w_column = kTapBlock + 1;
  const std::ptrdiff_t out_pixel = kTapBlock + 2, out_row = pixels * out_pixel + 1;
  const std::vector<float> x = integers(((rows - 1) * stride + 2) * row + row - 4, rng);
  const std::vector<float> w = integers(3 * 3 * w_column, rng), start = integers(std::int64_t{kTapBlock}, rng);
  Fenced in_x(x), in_w(w), in_start(start);
  Written out(static_cast<std::size_t>((rows - 1) * out_row + (pixels - 1) * out_pixel + kTapBlock));
  for (std::ptrdiff_t i = 0; i < rows; ++i) {
    for (std::ptrdiff_t j = 0; j < pixels; ++j) {
      for (std::ptrdiff_t c = 0; c < kTapBlock; ++c) {
        double sum = at(start, c);
        for (std::ptrdiff_t p = 0; p < 3; ++p) {
          for (std::ptrdiff_t q = 0; q < 3; ++q) {
            sum += at(x, (i * stride + p) * row + (j * stride + q) * kTapBlock + c) * at(w, (p * 3 + q) * w_column + c);
          }
        }
        out.expect(i * out_row + j * out_pixel + c, sum);
      }
    }
  }
  k.tap_block({.cells = in_x.data(),
               .row = row,
               .pixel = stride * kTapBlock,
               .row_step = stride * row,
               .w = in_w.data(),
               .w_row = 3 * w_column,
               .w_column = w_column,
               .start = in_start.data(),
               .out = out.data(),
               .out_row = out_row,
               .out_pixel = out_pixel,
               .rows = rows,
               .pixels = pixels});
  return out.wrong();
}

}  // namespace

TEST_CASE("depthwise_row: sums and products of every block of taps, with strides and dilation, forwards and backwards",
          "[micro]") {
  Rng rng(45);
  for_each_set([&](const TestedSet& set) {
    const KernelSet& k = *set.kernels;
    Failures failures;
    for (const TapKernels& taps : k.tap_kernels) {
      const std::string size = std::to_string(taps.rows) + " x " + std::to_string(taps.columns);
      for (std::ptrdiff_t registers = 1; registers <= 3; ++registers) {
        for (const std::ptrdiff_t pixels : {1, 2, 3, 4, 7}) {
          for (const std::ptrdiff_t stride : {1, 2}) {
            for (const bool backwards : {false, true}) {
              const Row row{&taps, registers * k.lanes, pixels, stride, 1 + pixels % 2, backwards};
              const std::string where = set.name() + " " + size + " registers, pixels, stride, backwards:";
              for (const Start start : {Start::same, Start::bias, Start::out}) {
                failures.add(wrong_sum(row, k.lanes, start, rng), "sum " + where, registers, pixels, stride, backwards,
                             static_cast<int>(start));
              }
              failures.add(wrong_products(row, rng), "products " + where, registers, pixels, stride, backwards);
            }
          }
        }
      }
      exercised(set.name()).kernels.insert({"tap_sum of " + size, "tap_products of " + size});
    }
    CHECK(failures.text() == "");
  });
}

TEST_CASE("tap_block: rows of outputs of 3 x 3 taps and a block of channels", "[micro]") {
  Rng rng(46);
  for_each_set([&](const TestedSet& set) {
    REQUIRE(kTapBlock % set.kernels->lanes == 0);
    Failures failures;
    for (const std::ptrdiff_t rows : {1, 2, 5}) {
      for (std::ptrdiff_t pixels = 1; pixels <= 6; ++pixels) {
        for (const std::ptrdiff_t stride : {1, 2}) {
          failures.add(wrong_block(*set.kernels, rows, pixels, stride, rng),
                       set.name() + " rows, pixels, stride:", rows, pixels, stride);
        }
      }
    }
    CHECK(failures.text() == "");
    exercised(set.name()).kernels.insert("tap_block");
  });
}
