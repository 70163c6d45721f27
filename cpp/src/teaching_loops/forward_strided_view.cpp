#include <algorithm>

#include "teaching_loops/contraction.hpp"
#include "teaching_loops/full_convolution.hpp"

namespace conv2d::teaching_loops {
namespace {

bool has_padding(const Geometry& g) noexcept { return g.padding != Padding{}; }

/// Floats of the padded x: a view has no zeros around the image.
CheckedInt scratch_floats(const Geometry& g) noexcept {
  return has_padding(g) ? CheckedInt(padded_h(g)) * padded_w(g) * g.c * g.n : CheckedInt(0);
}

/// The windows of x as a tensor of six axes (n, i, j, p, q, c) that exists only as strides: the next output and the
/// next tap are both steps over the same memory. (NumPy's as_strided, then an einsum.)
Contraction windows_times_weights(const Geometry& g) noexcept {
  const auto x = activation_view<const float>(nullptr, g.layout, padded_h(g), padded_w(g), g.c);
  const auto w = w_view<const float>(nullptr, g);
  const auto y = y_view<const float>(nullptr, g);
  return {
      {g.n, x.stride_0, 0, y.stride_0},
      {g.oh, stride_of(g.oh, g.stride_h, x.stride_1), 0, y.stride_1},
      {g.ow, stride_of(g.ow, g.stride_w, x.stride_2), 0, y.stride_2},
      {g.groups, x.stride_3 * g.group_c, w.stride_3 * g.group_k, y.stride_3 * g.group_k},
      {g.group_k, 0, w.stride_3, y.stride_3},
      {g.kh, stride_of(g.kh, g.dilation_h, x.stride_1), w.stride_0, 0},
      {g.kw, stride_of(g.kw, g.dilation_w, x.stride_2), w.stride_1, 0},
      {g.group_c, x.stride_3, w.stride_2, 0},
  };
}

double cost(const Geometry& g, const cost::Loops& c) {
  return windows_times_weights(g).cycles_per_mac(c) * static_cast<double>(g.macs()) +
         c.cleared_float * static_cast<double>(g.y_size);
}

void fill_with_bias(const Geometry& g, const Operands& o) noexcept {
  if (!o.b) {
    std::fill_n(o.out, g.y_size, 0.0F);
  } else if (g.layout == Layout::nhwc) {
    for (std::int64_t t = 0; t < g.y_size; t += g.k) std::copy_n(o.b, g.k, o.out + t);
  } else {
    const std::int64_t plane = g.oh * g.ow;
    for (std::int64_t t = 0; t < g.n * g.k; ++t) std::fill_n(o.out + t * plane, plane, o.b[t % g.k]);
  }
}

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& hook) noexcept {
  const float* padded = o.x;
  if (has_padding(g)) {
    pad_x(g, o.x, workspace);
    padded = workspace;
  }
  fill_with_bias(g, o);
  Progress progress(hook, g.macs());
  return windows_times_weights(g).run(padded, o.w, o.out, progress);
}

}  // namespace

constexpr LoopKernel kForwardStridedView{.cost = cost, .run = run, .scratch = scratch_floats};

}  // namespace conv2d::teaching_loops
