#include "support/oracle.hpp"

#include <cmath>
#include <functional>

namespace conv2d::test {

namespace {

struct AxisSizes {
  std::int64_t out, before, after;
};

std::int64_t count_windows(std::int64_t padded, std::int64_t dilated_kernel, std::int64_t stride) {
  std::int64_t count = 0;
  while (count * stride + dilated_kernel <= padded) ++count;
  return count;
}

AxisSizes axis_sizes(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t dilation, PaddingMode mode,
                     std::int64_t before, std::int64_t after) {
  const std::int64_t dilated = dilation * (kernel - 1) + 1;
  switch (mode) {
    case PaddingMode::explicit_sides:
      break;
    case PaddingMode::valid:
      before = after = 0;
      break;
    case PaddingMode::full:
      before = after = dilated - 1;
      break;
    case PaddingMode::same: {
      // The smallest padding with room for ceil(in / stride) windows.
      std::int64_t pad = 0;
      while (in > 0 && count_windows(in + pad, dilated, stride) * stride < in) ++pad;
      before = pad / 2;
      after = pad - before;
      break;
    }
  }
  return {count_windows(in + before + after, dilated, stride), before, after};
}

std::vector<float> filled(std::int64_t size, const std::function<float()>& draw) {
  std::vector<float> values(static_cast<std::size_t>(size));
  for (float& v : values) v = draw();
  return values;
}

TensorValues drawn(const ConvDesc& d, const Sizes& s, const std::function<float()>& draw) {
  return {
      .x = filled(s.x_size, draw), .w = filled(s.w_size, draw), .b = filled(d.k, draw), .dy = filled(s.y_size, draw)};
}

Exact zeros(std::size_t size) { return {std::vector<double>(size), std::vector<double>(size)}; }

void add(Exact& e, std::int64_t index, double term) {
  e.value[static_cast<std::size_t>(index)] += term;
  e.magnitude[static_cast<std::size_t>(index)] += std::abs(term);
}

}  // namespace

std::optional<Sizes> sizes_of(const ConvDesc& d) {
  const bool sizes_ok = d.n >= 0 && d.h >= 0 && d.w >= 0 && d.c >= 1 && d.k >= 1 && d.kh >= 1 && d.kw >= 1;
  const bool steps_ok = d.stride_h >= 1 && d.stride_w >= 1 && d.dilation_h >= 1 && d.dilation_w >= 1;
  if (!sizes_ok || !steps_ok || d.groups < 1 || d.c % d.groups != 0 || d.k % d.groups != 0) return std::nullopt;
  const Padding& given = d.padding;
  if (given.top < 0 || given.bottom < 0 || given.left < 0 || given.right < 0) return std::nullopt;

  const AxisSizes v = axis_sizes(d.h, d.kh, d.stride_h, d.dilation_h, d.padding_mode, given.top, given.bottom);
  const AxisSizes u = axis_sizes(d.w, d.kw, d.stride_w, d.dilation_w, d.padding_mode, given.left, given.right);
  if (v.out == 0 || u.out == 0) return std::nullopt;
  Sizes s{.oh = v.out,
          .ow = u.out,
          .group_c = d.c / d.groups,
          .group_k = d.k / d.groups,
          .padding = {v.before, v.after, u.before, u.after}};
  s.x_size = d.n * d.h * d.w * d.c;
  s.w_size = d.kh * d.kw * s.group_c * d.k;
  s.y_size = d.n * s.oh * s.ow * d.k;
  return s;
}

WeightsLayout weights_layout_of(const ConvDesc& d) {
  if (d.weights_layout != WeightsLayout::automatic) return d.weights_layout;
  return d.layout == Layout::nhwc ? WeightsLayout::hwio : WeightsLayout::oihw;
}

std::int64_t x_index(const ConvDesc& d, std::int64_t n, std::int64_t row, std::int64_t col, std::int64_t channel) {
  return d.layout == Layout::nhwc ? ((n * d.h + row) * d.w + col) * d.c + channel
                                  : ((n * d.c + channel) * d.h + row) * d.w + col;
}

std::int64_t w_index(const ConvDesc& d, std::int64_t p, std::int64_t q, std::int64_t group_channel,
                     std::int64_t filter) {
  const std::int64_t group_c = d.c / d.groups;
  switch (weights_layout_of(d)) {
    case WeightsLayout::hwio:
      return ((p * d.kw + q) * group_c + group_channel) * d.k + filter;
    case WeightsLayout::oihw:
      return ((filter * group_c + group_channel) * d.kh + p) * d.kw + q;
    default:
      return ((filter * d.kh + p) * d.kw + q) * group_c + group_channel;
  }
}

std::int64_t y_index(const ConvDesc& d, const Sizes& s, std::int64_t n, std::int64_t i, std::int64_t j,
                     std::int64_t filter) {
  return d.layout == Layout::nhwc ? ((n * s.oh + i) * s.ow + j) * d.k + filter
                                  : ((n * d.k + filter) * s.oh + i) * s.ow + j;
}

TensorValues integer_tensors(const ConvDesc& d, const Sizes& s, Rng& rng, std::int64_t limit) {
  return drawn(d, s, [&] { return static_cast<float>(rng.between(-limit, limit)); });
}

TensorValues real_tensors(const ConvDesc& d, const Sizes& s, Rng& rng) {
  return drawn(d, s, [&] { return rng.real(); });
}

const Exact& Oracle::of(Pass pass) const {
  switch (pass) {
    case Pass::forward:
      return y;
    case Pass::backward_data:
      return dx;
    case Pass::backward_weights:
      return dw;
    case Pass::backward_bias:
      break;
  }
  return db;
}

Oracle oracle(const ConvDesc& d, const Sizes& s, const TensorValues& t) {
  Oracle o{.y = zeros(t.dy.size()),
           .dx = zeros(t.x.size()),
           .dw = zeros(t.w.size()),
           .db = zeros(static_cast<std::size_t>(d.k))};
  for (std::int64_t n = 0; n < d.n; ++n)
    for (std::int64_t i = 0; i < s.oh; ++i)
      for (std::int64_t j = 0; j < s.ow; ++j)
        for (std::int64_t filter = 0; filter < d.k; ++filter) {
          const std::int64_t y = y_index(d, s, n, i, j, filter);
          if (!t.b.empty()) add(o.y, y, t.b[static_cast<std::size_t>(filter)]);
          add(o.db, filter, t.dy[static_cast<std::size_t>(y)]);
        }
  for_each_product(d, s, [&](const Product& m) {
    const double x = t.x[static_cast<std::size_t>(m.x)];
    const double w = t.w[static_cast<std::size_t>(m.w)];
    const double dy = t.dy[static_cast<std::size_t>(m.y)];
    add(o.y, m.y, x * w);
    add(o.dx, m.x, w * dy);
    add(o.dw, m.w, x * dy);
  });
  return o;
}

}  // namespace conv2d::test
