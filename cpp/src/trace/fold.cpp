#include "desc/windows.hpp"
#include "trace/parts.hpp"
#include "transforms/im2col.hpp"

namespace conv2d {
namespace {

/// Number of (tap, output) pairs that read coordinate `padded` of one axis of x.
std::int64_t read_count(std::int64_t padded, std::int64_t taps, std::int64_t dilation, std::int64_t stride,
                        std::int64_t outputs) noexcept {
  std::int64_t count = 0;
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    count += window_at(padded, tap * dilation, stride, outputs) >= 0 ? 1 : 0;
  }
  return count;
}

/// Divides each element of dx (NHWC) by the number of contributions from the first `positions` rows of dx_col. Returns
/// false if there is not enough memory.
bool divide_by_contributions(const Geometry& g, std::int64_t positions, float* dx) noexcept {
  const std::int64_t cols = g.kh * g.kw * g.group_c;
  Scratch<float> row, counts;
  if (!row.allocate(cols) || !counts.allocate(g.x_size)) return false;
  std::fill_n(row.span().data(), cols, 1.0F);
  std::fill_n(counts.span().data(), g.x_size, 0.0F);
  for (std::int64_t group = 0; group < g.groups; ++group) {
    for (std::int64_t position = 0; position < positions; ++position) {
      col2im_add(g, {.group = group, .first = position, .count = 1}, row.span().data(), counts.span().data());
    }
  }
  for (std::int64_t t = 0; t < g.x_size; ++t) {
    if (counts.span().data()[t] > 0) dx[t] /= counts.span().data()[t];
  }
  return true;
}

}  // namespace

Status fold_partial(const Geometry& g, std::span<const float> dx_col, FoldMode mode, std::int64_t positions,
                    std::span<float> dx) noexcept {
  const Result<std::array<std::int64_t, 4>> shape = stage_shape(g, Stage::dx_col);
  if (!shape.ok()) return shape.status();
  Status status = check_enumerator("mode", mode, FoldMode::overwrite);
  if (!status.ok()) return status;
  status = check_lengths({{"dx_col", dx_col.size(), trace::elements(*shape)}, {"dx", dx.size(), g.x_size}});
  if (!status.ok()) return status;
  const std::int64_t rows = g.n * g.oh * g.ow;
  if (status = trace::check_steps("positions", positions, rows); !status.ok()) return status;

  trace::NhwcDx nhwc;
  if (!nhwc.begin(g, dx.data())) return trace::out_of_memory("dx");
  const auto fold_rows = mode == FoldMode::overwrite ? col2im_overwrite : col2im_add;
  const Geometry in_nhwc = in_layout(g, Layout::nhwc);
  const std::int64_t group_size = rows * g.kh * g.kw * g.group_c;
  for (std::int64_t group = 0; group < g.groups; ++group) {
    fold_rows(in_nhwc, {.group = group, .count = positions}, dx_col.data() + group * group_size, nhwc.data());
  }
  if (mode == FoldMode::average && !divide_by_contributions(in_nhwc, positions, nhwc.data())) {
    return trace::out_of_memory("dx");
  }
  nhwc.end(g, dx.data());
  return {};
}

Status coverage(const Geometry& g, std::span<float> counts) noexcept {
  Status status = check_lengths({{"counts", counts.size(), g.h * g.w}});
  if (!status.ok()) return status;
  for (std::int64_t row = 0; row < g.h; ++row) {
    const std::int64_t row_count = read_count(row + g.padding.top, g.kh, g.dilation_h, g.stride_h, g.oh);
    for (std::int64_t col = 0; col < g.w; ++col) {
      const std::int64_t col_count = read_count(col + g.padding.left, g.kw, g.dilation_w, g.stride_w, g.ow);
      counts[static_cast<std::size_t>(row * g.w + col)] = static_cast<float>(row_count * col_count);
    }
  }
  return {};
}

}  // namespace conv2d
