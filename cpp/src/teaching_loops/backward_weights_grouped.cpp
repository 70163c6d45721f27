#include <algorithm>

#include "teaching_loops/contraction.hpp"

namespace conv2d::teaching_loops {
namespace {

/// One position of the dw of every image, from rows x cols outputs. A group of the convolution is one channel of one
/// image; its kernels are the dy of that image, one per filter that reads the channel. Strides tile images and
/// channels, not copies.
Contraction images_times_dy(const Geometry& g, const PerImage& to, std::int64_t rows, std::int64_t cols) noexcept {
  const auto x = x_view<const float>(nullptr, g);
  const auto dy = y_view<const float>(nullptr, g);
  const auto& dw = to.dw;
  return {
      {g.n, x.stride_0, dy.stride_0, to.image_stride},
      {g.groups, x.stride_3 * g.group_c, dy.stride_3 * g.group_k, dw.stride_3 * g.group_k},
      {g.group_c, x.stride_3, 0, dw.stride_2},
      {g.group_k, 0, dy.stride_3, dw.stride_3},
      {rows, stride_of(rows, g.stride_h, x.stride_1), dy.stride_1, 0},
      {cols, stride_of(cols, g.stride_w, x.stride_2), dy.stride_2, 0},
  };
}

bool add_position(const Geometry& g, const Operands& o, const PerImage& to, std::int64_t p, std::int64_t q,
                  Progress& progress) noexcept {
  const Range rows = inside(g.oh, g.stride_h, p * g.dilation_h - g.padding.top, g.h);
  const Range cols = inside(g.ow, g.stride_w, q * g.dilation_w - g.padding.left, g.w);
  if (rows.size() == 0 || cols.size() == 0 || g.n == 0) return true;
  const float* x = &x_view(o.x, g)(0, x_row(g, rows.begin, p), x_column(g, cols.begin, q), 0);
  const float* dy = &y_view(o.dy, g)(0, rows.begin, cols.begin, 0);
  return images_times_dy(g, to, rows.size(), cols.size()).run(x, dy, &to.dw(p, q, 0, 0), progress);
}

/// One dw per image, one after the other in the layout of w, in scratch memory.
PerImage in_scratch(const Geometry& g, float* per_image) noexcept {
  return {.dw = w_view(per_image, g), .image_stride = g.w_size};
}

double cost(const Geometry& g, const cost::Loops& c) {
  const double per_image = static_cast<double>(g.n) * static_cast<double>(g.w_size);
  return images_times_dy(g, in_scratch(g, nullptr), g.oh, g.ow).cycles_per_mac(c) * static_cast<double>(g.macs()) +
         c.image_float * per_image;
}

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& hook) noexcept {
  std::fill_n(workspace, g.n * g.w_size, 0.0F);
  // Only the kh x kw positions of dw are computed.
  if (!add_images(g, o, {g.kh, g.kw}, in_scratch(g, workspace), hook)) return false;
  std::fill_n(o.out, g.w_size, 0.0F);
  for (std::int64_t n = 0; n < g.n; ++n) add_scaled(g.w_size, 1.0F, workspace + n * g.w_size, 1, o.out, 1);
  return true;
}

}  // namespace

constexpr LoopKernel kBackwardWeightsGrouped{
    .cost = cost, .run = run, .scratch = [](const Geometry& g) noexcept { return CheckedInt(g.n) * g.w_size; }};

bool add_images(const Geometry& g, const Operands& o, PositionGrid positions, const PerImage& to,
                const ProgressHook& hook) noexcept {
  Progress progress(hook, g.macs());
  for (std::int64_t p = 0; p < positions.rows; ++p) {
    for (std::int64_t q = 0; q < positions.cols; ++q) {
      if (!add_position(g, o, to, p, q, progress)) return false;
    }
  }
  return true;
}

}  // namespace conv2d::teaching_loops
