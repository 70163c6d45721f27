#include "gemm/packed_weights.hpp"

#include <algorithm>

#include "micro_kernels/kernel_set.hpp"
#include "transforms/panels.hpp"

namespace conv2d::gemm {
namespace {

const float* tap_of(const WindowProduct& p, std::int64_t group, std::int64_t column, std::int64_t tap) noexcept {
  const WeightSteps& w = p.weights;
  return w.first + tap / p.cols.taps * w.row + tap % p.cols.taps * w.col + column * w.column + group * w.group;
}

}  // namespace

Panels::Panels(std::int64_t columns) noexcept
    : lanes(micro_kernels::kernels().lanes),
      vectors(ceil_div(columns, lanes)),
      count(std::max<std::int64_t>(1, vectors / 2)) {}

void pack_panel(const WindowProduct& p, std::int64_t group, std::int64_t first, std::int64_t width, float* panel,
                std::int64_t tap_step) noexcept {
  const PanelRange range{.valid = std::min(width, p.columns - first), .width = width, .depth = p.channels};
  for (std::int64_t tap = 0; tap < p.taps(); ++tap) {
    const float* from = tap_of(p, group, first, tap);
    if (p.weights.column == 1) {
      DenseDepth{.data = from, .row_stride = p.weights.channel}.source()(range, panel);
    } else {
      DenseLanes{.data = from, .row_stride = p.weights.column}.source()(range, panel);
    }
    panel += tap_step;
  }
}

bool takes_dots(const WindowProduct& p) noexcept {
  return p.columns <= micro_kernels::kMaxDotColumns && p.channels % micro_kernels::kernels().lanes == 0;
}

void pack_dots(const WindowProduct& p, std::int64_t group, float* packed) noexcept {
  const std::int64_t lanes = micro_kernels::kernels().lanes;
  for (std::int64_t tap = 0; tap < p.taps(); ++tap) {
    const float* from = tap_of(p, group, 0, tap);
    for (std::int64_t first = 0; first < p.channels; first += lanes) {
      for (std::int64_t j = 0; j < p.columns; ++j) {
        for (std::int64_t c = first; c < first + lanes; ++c) {
          *packed++ = from[c * p.weights.channel + j * p.weights.column];
        }
      }
    }
  }
}

}  // namespace conv2d::gemm
