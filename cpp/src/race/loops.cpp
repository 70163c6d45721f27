#include "race/loops.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "dcheck/dcheck.hpp"

namespace conv2d::race {
namespace {

/// Pointer-sized, as in most programs: 32 bits in WebAssembly.
using Index = std::ptrdiff_t;

/// Strides in elements: of n, row, column, channel for x and y; of p, q, channel, filter for w. Independent of the
/// layout.
struct Strides {
  Index s0, s1, s2, s3;
  Index at(Index a, Index b, Index c, Index d) const { return a * s0 + b * s1 + c * s2 + d * s3; }
};

/// All sizes of a Geometry fit in the address space.
Index index(std::int64_t size) { return static_cast<Index>(size); }

/// The sizes of a Geometry as Index.
struct Sizes {
  explicit Sizes(const Geometry& g)
      : n(index(g.n)),
        h(index(g.h)),
        width(index(g.w)),
        k(index(g.k)),
        kh(index(g.kh)),
        kw(index(g.kw)),
        oh(index(g.oh)),
        ow(index(g.ow)),
        groups(index(g.groups)) {
    group_c = index(g.group_c);
    group_k = index(g.group_k);
    stride_h = index(g.stride_h);
    stride_w = index(g.stride_w);
    dilation_h = index(g.dilation_h);
    dilation_w = index(g.dilation_w);
    top = index(g.padding.top);
    left = index(g.padding.left);
    const Index c = index(g.c);
    const bool nhwc = g.layout == Layout::nhwc;
    x = nhwc ? Strides{h * width * c, width * c, c, 1} : Strides{c * h * width, width, 1, h * width};
    y = nhwc ? Strides{oh * ow * k, ow * k, k, 1} : Strides{k * oh * ow, ow, 1, oh * ow};
    w = g.weights_layout == WeightsLayout::hwio   ? Strides{kw * group_c * k, group_c * k, k, 1}
        : g.weights_layout == WeightsLayout::oihw ? Strides{kw, 1, kh * kw, group_c * kh * kw}
                                                  : Strides{kw * group_c, group_c, 1, kh * kw * group_c};
  }
  Index n, h, width, k, kh, kw, oh, ow, groups;
  Index group_c, group_k, stride_h, stride_w, dilation_h, dilation_w, top, left;
  Strides x{}, y{}, w{};
};

/// A pass reads two of x, w and y (or dy), and accumulates in the third.
struct Tensors {
  float* x;
  float* w;
  float* y;
};

/// The innermost loop over `count` channels: y += x * w, dx += dy * w, or dw += dy * x. The pass is a template
/// parameter to keep the branch out of the loop.
template <Pass kPass>
inline void along_channels(Index count, float* x, Index x_step, float* w, Index w_step, float* y) {
  float sum = 0;
  const float factor = *y;
  for (Index c = 0; c < count; ++c) {
    if constexpr (kPass == Pass::forward) sum += x[c * x_step] * w[c * w_step];
    if constexpr (kPass == Pass::backward_data) x[c * x_step] += factor * w[c * w_step];
    if constexpr (kPass == Pass::backward_weights) w[c * w_step] += factor * x[c * x_step];
  }
  if constexpr (kPass == Pass::forward) *y += sum;
}

template <Pass kPass>
inline void along_filters(Index count, float* __restrict x, float* __restrict w, float* __restrict y) {
  float sum = 0;
  const float factor = *x;
  for (Index k = 0; k < count; ++k) {
    if constexpr (kPass == Pass::forward) y[k] += factor * w[k];
    if constexpr (kPass == Pass::backward_data) sum += y[k] * w[k];
    if constexpr (kPass == Pass::backward_weights) w[k] += factor * y[k];
  }
  if constexpr (kPass == Pass::backward_data) *x += sum;
}

/// Calls each(p, q, row, col) for all taps of a window that read x, not padding.
template <class Each>
inline void each_tap(const Sizes& s, Index i, Index j, Each each) {
  for (Index p = 0; p < s.kh; ++p) {
    const Index row = i * s.stride_h + p * s.dilation_h - s.top;
    if (row < 0 || row >= s.h) continue;
    for (Index q = 0; q < s.kw; ++q) {
      const Index col = j * s.stride_w + q * s.dilation_w - s.left;
      if (col < 0 || col >= s.width) continue;
      each(p, q, row, col);
    }
  }
}

/// One row of output positions. Not inlined, so that it is called often: a WebAssembly engine replaces baseline code by
/// optimized code only between calls, and one long call would be measured in baseline code.
template <Pass kPass, Order kOrder>
[[gnu::noinline]] void add_row(const Sizes& s, const Tensors& t, Index n, Index i) {
  for (Index j = 0; j < s.ow; ++j) {
    if constexpr (kOrder == Order::formula) {
      for (Index k = 0; k < s.k; ++k) {
        const Index first_c = k / s.group_k * s.group_c;
        float* y = t.y + s.y.at(n, i, j, k);
        each_tap(s, i, j, [&](Index p, Index q, Index row, Index col) {
          along_channels<kPass>(s.group_c, t.x + s.x.at(n, row, col, first_c), s.x.s3, t.w + s.w.at(p, q, 0, k), s.w.s2,
                                y);
        });
      }
    } else {
      each_tap(s, i, j, [&](Index p, Index q, Index row, Index col) {
        for (Index group = 0; group < s.groups; ++group) {
          const Index first_k = group * s.group_k;
          for (Index c = 0; c < s.group_c; ++c) {
            along_filters<kPass>(s.group_k, t.x + s.x.at(n, row, col, group * s.group_c + c),
                                 t.w + s.w.at(p, q, c, first_k), t.y + s.y.at(n, i, j, first_k));
          }
        }
      });
    }
  }
}

template <Pass kPass>
void add_rows(const Sizes& s, const Tensors& t, Order order) {
  for (Index n = 0; n < s.n; ++n) {
    for (Index i = 0; i < s.oh; ++i) {
      if (order == Order::formula) {
        add_row<kPass, Order::formula>(s, t, n, i);
      } else {
        add_row<kPass, Order::filters_last>(s, t, n, i);
      }
    }
  }
}

[[gnu::noinline]] void add_bias(const Sizes& s, const float* b, float* y, Index n, Index i) {
  for (Index j = 0; j < s.ow; ++j) {
    for (Index k = 0; k < s.k; ++k) y[s.y.at(n, i, j, k)] = b[k];
  }
}

[[gnu::noinline]] void add_dy(const Sizes& s, const float* dy, float* db, Index n, Index i) {
  for (Index j = 0; j < s.ow; ++j) {
    for (Index k = 0; k < s.k; ++k) db[k] += dy[s.y.at(n, i, j, k)];
  }
}

template <class Row>
void each_row(const Sizes& s, Row row) {
  for (Index n = 0; n < s.n; ++n) {
    for (Index i = 0; i < s.oh; ++i) row(n, i);
  }
}

/// Removes const for an input. The loops of the three passes share one signature; each writes only to its output.
float* as_input(std::span<const float> values) { return const_cast<float*>(values.data()); }

/// Floats per call, small enough for frequent calls (see add_row).
constexpr std::size_t kChunk = 4096;

[[gnu::noinline]] void triad_chunk(std::size_t length, const float* __restrict a, const float* __restrict b,
                                   float factor, float* __restrict out) {
  for (std::size_t t = 0; t < length; ++t) out[t] = a[t] + factor * b[t];
}

}  // namespace

void loops(const Geometry& g, Pass pass, Order order, const Inputs& in, std::span<float> out) noexcept {
  CONV2D_DCHECK(supports(g, order));
  CONV2D_DCHECK(std::cmp_equal(out.size(), g.result_size(pass)));
  const Sizes s(g);
  std::ranges::fill(out, 0.0F);
  switch (pass) {
    case Pass::forward:
      if (!in.b.empty()) each_row(s, [&](Index n, Index i) { add_bias(s, in.b.data(), out.data(), n, i); });
      return add_rows<Pass::forward>(s, {.x = as_input(in.x), .w = as_input(in.w), .y = out.data()}, order);
    case Pass::backward_data:
      return add_rows<Pass::backward_data>(s, {.x = out.data(), .w = as_input(in.w), .y = as_input(in.dy)}, order);
    case Pass::backward_weights:
      return add_rows<Pass::backward_weights>(s, {.x = as_input(in.x), .w = out.data(), .y = as_input(in.dy)}, order);
    case Pass::backward_bias:
      return each_row(s, [&](Index n, Index i) { add_dy(s, in.dy.data(), out.data(), n, i); });
  }
}

void triad(std::span<const float> a, std::span<const float> b, float factor, std::span<float> out) noexcept {
  for (std::size_t first = 0; first < out.size(); first += kChunk) {
    triad_chunk(std::min(kChunk, out.size() - first), a.data() + first, b.data() + first, factor, out.data() + first);
  }
}

}  // namespace conv2d::race
