#include <algorithm>

#include "conv2d/trace.hpp"
#include "trace/checks.hpp"
#include "trace/col2im.hpp"

namespace conv2d {
namespace {

/// How often one coordinate of x is read along its axis.
std::int64_t readers(std::int64_t padded, std::int64_t taps, std::int64_t dilation, std::int64_t stride,
                     std::int64_t outputs) noexcept {
  std::int64_t count = 0;
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    count += window_at(padded, tap * dilation, stride, outputs) >= 0 ? 1 : 0;
  }
  return count;
}

/// How many of the first `positions` rows of dx_col have an entry for cell (n, row, col).
std::int64_t contributions(const Geometry& g, std::int64_t positions, std::int64_t n, std::int64_t row,
                           std::int64_t col) noexcept {
  std::int64_t count = 0;
  for (std::int64_t p = 0; p < g.kh; ++p) {
    const std::int64_t i = window_at(row + g.padding.top, p * g.dilation_h, g.stride_h, g.oh);
    if (i < 0) continue;
    for (std::int64_t q = 0; q < g.kw; ++q) {
      const std::int64_t j = window_at(col + g.padding.left, q * g.dilation_w, g.stride_w, g.ow);
      count += j >= 0 && (n * g.oh + i) * g.ow + j < positions ? 1 : 0;
    }
  }
  return count;
}

void divide_by_contributions(const Geometry& g, std::int64_t positions, float* dx_data) noexcept {
  const auto dx = x_view(dx_data, g);
  for_each_position({0, g.n * g.h * g.w}, g.h, g.w, [&](std::int64_t n, std::int64_t row, std::int64_t col) {
    const std::int64_t count = contributions(g, positions, n, row, col);
    if (count == 0) return;
    for (std::int64_t c = 0; c < g.c; ++c) dx(n, row, col, c) /= static_cast<float>(count);
  });
}

}  // namespace

Status fold(const Geometry& g, std::span<const float> dx_col, FoldMode mode, std::span<float> dx) noexcept {
  return fold_partial(g, dx_col, mode, g.n * g.oh * g.ow, dx);
}

Status fold_partial(const Geometry& g, std::span<const float> dx_col, FoldMode mode, std::int64_t positions,
                    std::span<float> dx) noexcept {
  const Result<std::array<std::int64_t, 4>> shape = stage_shape(g, Stage::dx_col);
  if (!shape.ok()) return shape.status();
  Status status =
      trace::check_lengths({{"dx_col", dx_col.size(), trace::elements(*shape)}, {"dx", dx.size(), g.x_size}});
  if (!status.ok()) return status;
  const std::int64_t rows = g.n * g.oh * g.ow;
  if (status = trace::check_steps("positions", positions, rows); !status.ok()) return status;

  std::fill(dx.begin(), dx.end(), 0.0F);
  const std::int64_t channel_stride = x_view(dx.data(), g).stride_3;
  const std::int64_t cols = g.kh * g.kw * g.group_c;
  trace::for_each_entry(g, positions, dx.data(), [&](std::int64_t row, std::int64_t p, std::int64_t q, float* cell) {
    for (std::int64_t c = 0; c < g.c; ++c) {
      const std::int64_t group = c / g.group_c;
      const std::int64_t col = (p * g.kw + q) * g.group_c + c % g.group_c;
      const float value = dx_col[static_cast<std::size_t>((group * rows + row) * cols + col)];
      float& home = cell[c * channel_stride];
      home = mode == FoldMode::overwrite ? value : home + value;
    }
  });
  if (mode == FoldMode::average) divide_by_contributions(g, positions, dx.data());
  return {};
}

Status coverage(const Geometry& g, std::span<float> counts) noexcept {
  Status status = trace::check_lengths({{"counts", counts.size(), g.h * g.w}});
  if (!status.ok()) return status;
  for (std::int64_t row = 0; row < g.h; ++row) {
    const std::int64_t by_rows = readers(row + g.padding.top, g.kh, g.dilation_h, g.stride_h, g.oh);
    for (std::int64_t col = 0; col < g.w; ++col) {
      const std::int64_t by_cols = readers(col + g.padding.left, g.kw, g.dilation_w, g.stride_w, g.ow);
      counts[static_cast<std::size_t>(row * g.w + col)] = static_cast<float>(by_rows * by_cols);
    }
  }
  return {};
}

}  // namespace conv2d
