#include "micro_kernels/window_tile_impl.hpp"

#include <catch2/catch_test_macros.hpp>
#include <tuple>
#include <vector>

#include "simd/batch.hpp"

using namespace conv2d::micro_kernels;

namespace {

constexpr int kA = 2, kB = 5;  // floats of a window and of the weights per step

/// A step: the cells of both rows of the tile, and the weights.
using Visited = std::tuple<std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t>;

struct Recorder {
  std::vector<float> cells = std::vector<float>(4096), weights = std::vector<float>(4096);
  std::vector<Visited> steps;

  /// Not inlined: clang does not unroll loops with code that may throw.
  [[gnu::noinline]] void add(const RowsAt& a, const float* b, std::ptrdiff_t count) noexcept {
    for (std::ptrdiff_t u = 0; u < count; ++u) {
      steps.emplace_back(a[0] + u * kA - cells.data(), a[1] + u * kA - cells.data(), b + u * kB - weights.data());
    }
  }
};

/// The steps that for_each_step visits, as offsets from the first row's window and from the weights.
template <int kSteps, bool kByOffset>
std::vector<Visited> steps_of(const WindowSpans& spans) {
  Recorder recorder;
  const float* const windows[]{recorder.cells.data(), recorder.cells.data() + 1000};
  for_each_step<void, 2, kA, kB, kSteps, kByOffset>(
      spans, windows, recorder.weights.data(),
      [&](const RowsAt& a, const float* b, auto count) noexcept { recorder.add(a, b, count); });
  return recorder.steps;
}

template <int kSteps>
void check_steps(const WindowSpans& spans) {
  std::vector<Visited> each;
  for (std::ptrdiff_t row = 0; row < spans.rows; ++row) {
    for (std::ptrdiff_t col = 0; col < spans.cols; ++col) {
      const std::ptrdiff_t at = spans.first_a + row * spans.row_a + col * spans.col_a;
      const std::ptrdiff_t b = row * spans.row_b + col * (spans.length / kA) * kB;
      for (std::ptrdiff_t t = 0; t < spans.length / kA; ++t)
        each.emplace_back(at + t * kA, 1000 + at + t * kA, b + t * kB);
    }
  }
  CHECK(steps_of<kSteps, false>(spans) == each);
  CHECK(steps_of<kSteps, true>(spans) == each);
}

}  // namespace

TEST_CASE("a tile takes each step of each span once, in order", "[micro]") {
  for (std::ptrdiff_t steps = 1; steps <= 13; ++steps) {
    for (std::ptrdiff_t rows = 1; rows <= 3; ++rows) {
      for (std::ptrdiff_t cols = 1; cols <= 3; ++cols) {
        const std::ptrdiff_t length = steps * kA;
        const WindowSpans spans{.first_a = 7,
                                .rows = rows,
                                .row_a = 200,
                                .row_b = cols * steps * kB + 3,
                                .cols = cols,
                                .col_a = length + 4,
                                .length = length};
        check_steps<2>(spans);
        check_steps<3>(spans);
        check_steps<4>(spans);
      }
    }
  }
}
