#pragma once

#include <limits>

#include "layer_kernels/layer_kernels.hpp"
#include "simd/batch.hpp"

/// Included only by the files that make the table of one instruction set. Everything is a template over Arch, for the
/// reason given in simd/batch.hpp. Contracts in layer_kernels.hpp.
namespace conv2d::layer_kernels {

template <class Arch>
[[gnu::noinline]] void relu(const float* x, std::ptrdiff_t count, float* y) noexcept {
  constexpr std::ptrdiff_t kLanes = simd::kLanes<Arch>;
  const auto zeros = simd::broadcast<Arch>(0.0F);
  std::ptrdiff_t t = 0;
  for (; t + kLanes <= count; t += kLanes) {
    simd::store<Arch>(y + t, simd::greater_or_nan<Arch>({simd::load<Arch>(x + t), zeros}, {zeros, zeros}).value);
  }
  for (; t < count; ++t) y[t] = x[t] > 0 || x[t] != x[t] ? x[t] : 0.0F;
}

template <class Arch>
[[gnu::noinline]] void relu_gate(const float* x, const float* dy, std::ptrdiff_t count, float* dx) noexcept {
  constexpr std::ptrdiff_t kLanes = simd::kLanes<Arch>;
  const auto zeros = simd::broadcast<Arch>(0.0F);
  std::ptrdiff_t t = 0;
  for (; t + kLanes <= count; t += kLanes) {
    const auto passed = simd::greater_or_nan<Arch>({simd::load<Arch>(x + t), simd::load<Arch>(dy + t)}, {zeros, zeros});
    simd::store<Arch>(dx + t, passed.where);
  }
  for (; t < count; ++t) dx[t] = x[t] > 0 || x[t] != x[t] ? dy[t] : 0.0F;
}

/// The lanes of a register of outputs that have a cell at one tap: those with 0 <= column + lane * step < width.
struct Lanes {
  std::ptrdiff_t at;      ///< index of lane 0's cell in x; only lanes inside may be read
  std::ptrdiff_t column;  ///< its column
  std::ptrdiff_t step, width, count;

  [[gnu::always_inline]] bool inside(std::ptrdiff_t lane) const noexcept {
    const std::ptrdiff_t there = column + lane * step;
    return lane < count && there >= 0 && there < width;
  }
  /// Whether the cells of a whole register are neighbors inside the row.
  [[gnu::always_inline]] bool whole(std::ptrdiff_t lanes) const noexcept {
    return step == 1 && count == lanes && column >= 0 && column + lanes <= width;
  }
};

/// The outputs from `first` on, at most a register of them, at tap (p, q).
template <class Arch>
[[gnu::always_inline]] inline Lanes lanes_at(const WindowRun& run, std::ptrdiff_t first, std::ptrdiff_t p,
                                             std::ptrdiff_t q) noexcept {
  constexpr std::ptrdiff_t kLanes = simd::kLanes<Arch>;
  return {.at = run.first + p * run.row + q * run.tap + first * run.step,
          .column = run.column + q * run.tap_column + first * run.step,
          .step = run.step,
          .width = run.width,
          .count = run.outputs - first < kLanes ? run.outputs - first : kLanes};
}

/// The cells of x at these lanes; `padding` in lanes without a cell.
template <class Arch>
[[gnu::always_inline]] inline simd::Floats<Arch> cells_of(const float* x, const Lanes& lanes, float padding) noexcept {
  constexpr std::ptrdiff_t kLanes = simd::kLanes<Arch>;
  if (lanes.whole(kLanes)) return simd::load<Arch>(x + lanes.at);
  float cells[kLanes];
  for (std::ptrdiff_t t = 0; t < kLanes; ++t) cells[t] = lanes.inside(t) ? x[lanes.at + t * lanes.step] : padding;
  return simd::load<Arch>(cells);
}

template <class Arch>
[[gnu::noinline]] void max_pool(const WindowRun& run, const float* x, float* y, std::int32_t* winners) noexcept {
  constexpr std::ptrdiff_t kLanes = simd::kLanes<Arch>;
  constexpr std::int32_t kNone = -1;
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  const auto bits = [](std::ptrdiff_t offset) {
    return simd::broadcast<Arch>(__builtin_bit_cast(float, static_cast<std::int32_t>(offset)));
  };
  for (std::ptrdiff_t first = 0; first < run.outputs; first += kLanes) {
    simd::Chosen<Arch> best{simd::broadcast<Arch>(kLowest), bits(kNone)};
    for (std::ptrdiff_t p = 0; p < run.rows; ++p) {
      for (std::ptrdiff_t q = 0; q < run.taps; ++q) {
        const auto cells = cells_of<Arch>(x, lanes_at<Arch>(run, first, p, q), kLowest);
        best = simd::greater_or_nan<Arch>({cells, bits(p * run.row + q * run.tap)}, best);
      }
    }
    float values[kLanes], offsets[kLanes];
    simd::store<Arch>(values, best.value);
    simd::store<Arch>(offsets, best.where);
    for (std::ptrdiff_t t = 0; t < kLanes && first + t < run.outputs; ++t) {
      std::ptrdiff_t offset = __builtin_bit_cast(std::int32_t, offsets[t]);
      if (offset == kNone) {  // no cell is above -infinity: the first one in x
        std::ptrdiff_t q = 0;
        while (q + 1 < run.taps && !lanes_at<Arch>(run, first, 0, q).inside(t)) ++q;
        offset = q * run.tap;
      }
      y[first + t] = values[t];
      winners[first + t] = static_cast<std::int32_t>(run.first + offset + (first + t) * run.step);
    }
  }
}

/// What average_pool divides the outputs from `first` on by.
template <class Arch>
[[gnu::always_inline]] inline simd::Floats<Arch> divisors(const WindowRun& run, std::ptrdiff_t first,
                                                          float cells) noexcept {
  constexpr std::ptrdiff_t kLanes = simd::kLanes<Arch>;
  if (cells > 0) return simd::broadcast<Arch>(cells);
  float counts[kLanes];
  for (std::ptrdiff_t t = 0; t < kLanes; ++t) {
    std::ptrdiff_t taps = 0;
    for (std::ptrdiff_t q = 0; q < run.taps; ++q) taps += lanes_at<Arch>(run, first, 0, q).inside(t) ? 1 : 0;
    counts[t] = taps > 0 ? static_cast<float>(run.rows * taps) : 1.0F;
  }
  return simd::load<Arch>(counts);
}

/// Writes the outputs from `first` on, at most a register of them.
template <class Arch>
[[gnu::always_inline]] inline void store_outputs(const WindowRun& run, std::ptrdiff_t first, simd::Floats<Arch> values,
                                                 float* to) noexcept {
  constexpr std::ptrdiff_t kLanes = simd::kLanes<Arch>;
  if (run.outputs - first >= kLanes) {
    simd::store<Arch>(to + first, values);
    return;
  }
  float spilled[kLanes];
  simd::store<Arch>(spilled, values);
  simd::copy_first<Arch>(spilled, run.outputs - first, to + first);
}

template <class Arch>
[[gnu::noinline]] void average_pool(const WindowRun& run, const float* x, float cells, float* y) noexcept {
  constexpr std::ptrdiff_t kLanes = simd::kLanes<Arch>;
  for (std::ptrdiff_t first = 0; first < run.outputs; first += kLanes) {
    auto sum = simd::broadcast<Arch>(0.0F);
    for (std::ptrdiff_t p = 0; p < run.rows; ++p) {
      for (std::ptrdiff_t q = 0; q < run.taps; ++q) {
        sum = sum + cells_of<Arch>(x, lanes_at<Arch>(run, first, p, q), 0.0F);
      }
    }
    store_outputs<Arch>(run, first, simd::quotient<Arch>(sum, divisors<Arch>(run, first, cells)), y);
  }
}

template <class Arch>
[[gnu::noinline]] void shares(const WindowRun& run, const float* dy, float cells, float* to) noexcept {
  constexpr std::ptrdiff_t kLanes = simd::kLanes<Arch>;
  for (std::ptrdiff_t first = 0; first < run.outputs; first += kLanes) {
    const std::ptrdiff_t left = run.outputs - first;
    const Lanes lanes{.at = first, .column = 0, .step = 1, .width = left, .count = left < kLanes ? left : kLanes};
    const auto share = simd::quotient<Arch>(cells_of<Arch>(dy, lanes, 0.0F), divisors<Arch>(run, first, cells));
    store_outputs<Arch>(run, first, share, to);
  }
}

template <class Arch>
[[gnu::noinline]] void spread(const WindowRun& run, const float* parts, float* dx) noexcept {
  constexpr std::ptrdiff_t kLanes = simd::kLanes<Arch>;
  // Taps outermost: a cell receives its parts in the same order for every number of lanes.
  for (std::ptrdiff_t p = 0; p < run.rows; ++p) {
    for (std::ptrdiff_t q = 0; q < run.taps; ++q) {
      for (std::ptrdiff_t first = 0; first < run.outputs; first += kLanes) {
        const Lanes lanes = lanes_at<Arch>(run, first, p, q);
        if (lanes.whole(kLanes)) {
          float* const to = dx + lanes.at;
          simd::store<Arch>(to, simd::load<Arch>(to) + simd::load<Arch>(parts + first));
          continue;
        }
        for (std::ptrdiff_t t = 0; t < lanes.count; ++t) {
          if (lanes.inside(t)) dx[lanes.at + t * lanes.step] += parts[first + t];
        }
      }
    }
  }
}

template <class Arch>
constexpr LayerKernels make_layer_kernels(std::string_view instruction_set) {
  return {.instruction_set = instruction_set,
          .lanes = simd::kLanes<Arch>,
          .relu = relu<Arch>,
          .relu_gate = relu_gate<Arch>,
          .max_pool = max_pool<Arch>,
          .average_pool = average_pool<Arch>,
          .shares = shares<Arch>,
          .spread = spread<Arch>};
}

}  // namespace conv2d::layer_kernels
