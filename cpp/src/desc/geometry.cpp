#include <memory>

#include "conv2d/conv_desc.hpp"
#include "desc/changed.hpp"
#include "desc/geometry_access.hpp"

namespace conv2d {
namespace {

/// The description that resolves to g.
ConvDesc description(const Geometry& g) noexcept {
  return {.layout = g.layout,
          .n = g.n,
          .h = g.h,
          .w = g.w,
          .c = g.c,
          .k = g.k,
          .kh = g.kh,
          .kw = g.kw,
          .stride_h = g.stride_h,
          .stride_w = g.stride_w,
          .dilation_h = g.dilation_h,
          .dilation_w = g.dilation_w,
          .groups = g.groups,
          .padding_mode = PaddingMode::explicit_sides,
          .padding = g.padding,
          .weights_layout = g.weights_layout};
}

WeightsLayout resolved(const ConvDesc& d) noexcept {
  if (d.weights_layout != WeightsLayout::automatic) return d.weights_layout;
  return d.layout == Layout::nhwc ? WeightsLayout::hwio : WeightsLayout::oihw;
}

}  // namespace

Geometry::Geometry(const ConvDesc& d, const Padding& cells) noexcept
    : layout(d.layout),
      weights_layout(resolved(d)),
      n(d.n),
      h(d.h),
      w(d.w),
      c(d.c),
      k(d.k),
      kh(d.kh),
      kw(d.kw),
      stride_h(d.stride_h),
      stride_w(d.stride_w),
      dilation_h(d.dilation_h),
      dilation_w(d.dilation_w),
      groups(d.groups),
      padding(cells),
      group_c(c / groups),
      group_k(k / groups),
      dilated_kh(dilation_h * (kh - 1) + 1),
      dilated_kw(dilation_w * (kw - 1) + 1),
      oh(GeometryAccess::windows(h + padding.top + padding.bottom, dilated_kh, stride_h)),
      ow(GeometryAccess::windows(w + padding.left + padding.right, dilated_kw, stride_w)),
      remainder_h(h + padding.top + padding.bottom - dilated_kh - (oh - 1) * stride_h),
      remainder_w(w + padding.left + padding.right - dilated_kw - (ow - 1) * stride_w),
      x_size(n * h * w * c),
      w_size(kh * kw * group_c * k),
      y_size(n * oh * ow * k) {}

Geometry::Geometry() noexcept : Geometry(ConvDesc{}, Padding{}) {}

Geometry& Geometry::operator=(const Geometry& other) noexcept {
  if (this == &other) return *this;
  // C++20 allows an object with const members to be replaced in place; its name then refers to the new object.
  std::destroy_at(this);
  return *std::construct_at(this, other);
}

std::array<std::int64_t, 4> Geometry::x_shape() const noexcept {
  return layout == Layout::nhwc ? std::array{n, h, w, c} : std::array{n, c, h, w};
}

std::array<std::int64_t, 4> Geometry::w_shape() const noexcept {
  if (weights_layout == WeightsLayout::hwio) return {kh, kw, group_c, k};
  if (weights_layout == WeightsLayout::oihw) return {k, group_c, kh, kw};
  return {k, kh, kw, group_c};
}

std::array<std::int64_t, 4> Geometry::y_shape() const noexcept {
  return layout == Layout::nhwc ? std::array{n, oh, ow, k} : std::array{n, k, oh, ow};
}

std::int64_t Geometry::macs() const noexcept { return y_size * (kh * kw * group_c); }

std::int64_t Geometry::result_size(Pass pass) const noexcept {
  switch (pass) {
    case Pass::forward:
      return y_size;
    case Pass::backward_data:
      return x_size;
    case Pass::backward_weights:
      return w_size;
    case Pass::backward_bias:
      return k;
  }
  return 0;
}

Geometry in_layout(const Geometry& g, Layout layout, WeightsLayout weights) noexcept {
  ConvDesc d = description(g);
  d.layout = layout;
  d.weights_layout = weights;
  return GeometryAccess::make(d, d.padding);
}

Geometry with_padding_as_image(const Geometry& g) noexcept {
  ConvDesc d = description(g);
  d.h += g.padding.top + g.padding.bottom;
  d.w += g.padding.left + g.padding.right;
  return GeometryAccess::make(d, {});
}

}  // namespace conv2d
