#include "gemm/plane_run.hpp"

#include <algorithm>

#include "gemm/window_blocks.hpp"
#include "gemm/workspace.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::gemm {
namespace {

using micro_kernels::kPlaneRows;

/// Floats of a copy, about: a quarter of a 32 kB L1.
constexpr std::int64_t kCopyFloats = 2048;

std::ptrdiff_t offset(std::int64_t floats) noexcept { return static_cast<std::ptrdiff_t>(floats); }

}  // namespace

PlaneShape::PlaneShape(const WindowProduct& p) noexcept {
  const std::int64_t lanes = micro_kernels::kernels().lanes;
  pitch = CheckedInt(ceil_div(p.cols.windows, lanes)) * lanes + CheckedInt(p.cols.taps - 1) * p.cols.dilation;
  const std::int64_t row = (pitch * p.rows.step).value_or(kCopyFloats);
  const std::int64_t whole_strips =
      std::max<std::int64_t>(1, kCopyFloats / std::max<std::int64_t>(1, row) / kPlaneRows);
  rows = std::max<std::int64_t>(1, std::min(p.rows.windows, whole_strips * kPlaneRows));
  copied_rows = reach(p.rows, rows);
}

bool PlaneShape::sensible(const WindowProduct& p) const noexcept {
  const std::int64_t most = (CheckedInt(p.rows.size) * p.cols.size * 8 + (1 << 16)).value_or(0);
  return floats().fits() && floats().value() <= most;
}

std::int64_t plane_workspace(const WindowProduct& product) noexcept {
  return WorkspaceSize().add(PlaneShape(product).floats()).floats();
}

double plane_cost(const WindowProduct& p) noexcept {
  const micro_kernels::KernelSet& k = micro_kernels::kernels();
  const PlaneShape shape(p);
  const auto blocks = static_cast<double>(p.n * ceil_div(p.rows.windows, shape.rows));
  const auto strips = static_cast<double>(p.n * ceil_div(p.rows.windows, kPlaneRows));
  const auto tiles = static_cast<double>(ceil_div(p.cols.windows, 2 * k.lanes));
  // Cycles: eight multiply-adds and nine loads per tap, fitted to a Zen 3 core.
  const double copy = 80.0 + static_cast<double>(shape.floats().value_or(0)) / static_cast<double>(k.lanes);
  return blocks * copy + strips * (20.0 + tiles * (30.0 + 6.0 * static_cast<double>(p.taps())));
}

PlaneRun::PlaneRun(const WindowProduct& product, float* workspace) noexcept
    : product_(product), shape_(product), blocks_(ceil_div(product.rows.windows, shape_.rows)) {
  plane_ = Workspace(workspace).take(shape_.floats().value());
}

void PlaneRun::step(std::int64_t t) const noexcept {
  const WindowProduct& p = product_;
  const micro_kernels::KernelSet& k = micro_kernels::kernels();
  const std::int64_t n = t / blocks_;
  const Range windows{t % blocks_ * shape_.rows, std::min((t % blocks_ + 1) * shape_.rows, p.rows.windows)};
  const std::int64_t pitch = shape_.pitch.value();
  const std::int64_t step = windows.size() > 1 ? p.rows.step : 0;
  const std::int64_t top = p.rows.first + windows.begin * p.rows.step;
  const std::int64_t copied = reach(p.rows, windows.size()).value();
  const Range rows = inside(copied, 1, top, p.rows.size);
  const Range cols = inside(pitch, 1, p.cols.first, p.cols.size);
  const bool any = rows.size() > 0 && cols.size() > 0;
  k.plane_copy({
      .from = any ? p.image + (n * p.rows.size + top + rows.begin) * p.cols.size + p.cols.first + cols.begin : nullptr,
      .from_row = offset(p.cols.size),
      .rows = any ? offset(rows.size()) : 0,
      .columns = offset(cols.size()),
      .to = plane_,
      .pitch = offset(pitch),
      .to_rows = offset(copied),
      .top = offset(rows.begin),
      .left = offset(cols.begin),
  });
  micro_kernels::PlaneRows strip{
      .row = offset(step * pitch),
      .tap_row = p.rows.taps > 1 ? offset(p.rows.dilation * pitch) : 0,
      .tap_column = p.cols.taps > 1 ? offset(p.cols.dilation) : 0,
      .w = p.weights.first,
      .w_row = offset(p.weights.row),
      .w_column = offset(p.weights.col),
      .tap_rows = offset(p.rows.taps),
      .tap_columns = offset(p.cols.taps),
      .start = p.bias ? *p.bias : 0.0F,
      .out_row = offset(p.out_row),
      .columns = offset(p.cols.windows),
  };
  for (std::int64_t i = 0; i < windows.size(); i += kPlaneRows) {
    strip.rows = static_cast<int>(std::min<std::int64_t>(kPlaneRows, windows.size() - i));
    strip.in = plane_ + i * step * pitch;
    strip.out = p.out + n * p.out_image + (windows.begin + i) * p.out_row;
    k.plane_rows(strip);
  }
}

}  // namespace conv2d::gemm
