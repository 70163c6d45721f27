#include <memory>
#include <string_view>
#include <utility>

#include "base/checked.hpp"
#include "base/errors.hpp"
#include "conv2d/conv_desc.hpp"
#include "desc/geometry.hpp"
#include "desc/resolve.hpp"
#include "desc/size_fields.hpp"

namespace conv2d {

/// The only friend of Geometry.
struct GeometryAccess {
  /// Windows of `dilated` cells that fit into `padded` cells, `stride` apart.
  static constexpr std::int64_t windows(std::int64_t padded, std::int64_t dilated, std::int64_t stride) noexcept {
    return (padded - dilated) / stride + 1;
  }

  /// A geometry with `padding` instead of the padding of the description. The caller has checked every size and every
  /// product of sizes.
  static Geometry make(const ConvDesc& checked, const Padding& padding) noexcept { return {checked, padding}; }
};

namespace {

WeightsLayout resolved(const ConvDesc& d) noexcept {
  if (d.weights_layout != WeightsLayout::automatic) return d.weights_layout;
  return d.layout == Layout::nhwc ? WeightsLayout::hwio : WeightsLayout::oihw;
}

Message rows_or_columns(bool vertical, std::int64_t count) {
  return text(count, vertical ? " row" : " column", count == 1 ? "" : "s", vertical ? " high" : " wide");
}

Status check_least(ErrorCode code, const char* field, const char* what, std::int64_t value, std::int64_t least) {
  if (value >= least) return {};
  const bool is_dilation = code == ErrorCode::invalid_dilation;
  return {code, field,
          text(what, " is ", value, ", but must be at least ", least, is_dilation ? " (1 means no dilation)" : "")};
}

}  // namespace

Status check_fields(const ConvDesc& d) {
  Status status = check_enumerator("layout", d.layout, Layout::nchw);
  if (status.ok()) status = check_enumerator("padding_mode", d.padding_mode, PaddingMode::full);
  if (status.ok()) status = check_enumerator("weights_layout", d.weights_layout, WeightsLayout::ohwi);
  for (const SizeField& size : kSizeFields) {
    if (status.ok()) status = check_least(size.code, size.name, size.what, d.*size.value, size.least);
  }
  for (const SideField& side : kSideFields) {
    if (!status.ok() || d.padding_mode != PaddingMode::explicit_sides) break;
    status = check_least(ErrorCode::invalid_padding, side.name, side.what, d.padding.*side.value, 0);
  }
  if (!status.ok()) return status;
  for (const auto& [name, channels] : {std::pair{"input channels", d.c}, std::pair{"filters", d.k}}) {
    if (channels % d.groups == 0) continue;
    return {ErrorCode::invalid_groups, "groups",
            text(d.groups, " groups do not divide ", channels, " ", name,
                 ": every group must get the same number of them")};
  }
  return {};
}

namespace {

/// The sizes of one axis, and the values that resolve() derives from them.
struct AxisSizes {
  bool vertical = true;
  std::int64_t in = 0, kernel = 0, stride = 0, dilation = 0;
  std::int64_t before = 0, after = 0;  ///< padding
  std::int64_t dilated = 0, out = 0;

  [[nodiscard]] std::int64_t padded() const noexcept { return in + before + after; }
};

Status overflow(std::string_view field, std::string_view what, std::string_view side) {
  return {ErrorCode::overflow, field, text(what, side, " does not fit into 63 bits; make it smaller")};
}

Status kernel_too_large(const AxisSizes& a, std::int64_t padded) {
  const std::string_view kernel = a.vertical ? "kh" : "kw";
  const bool dilates = a.dilation > 1 && a.kernel > 1;
  const std::string_view or_dilation = !dilates ? "" : a.vertical ? " or dilation_h" : " or dilation_w";
  return {ErrorCode::kernel_too_large, kernel,
          text(dilates ? "dilated " : "", "kernel ", a.vertical ? "height" : "width", " is ", a.dilated,
               ", but the padded input is only ", rows_or_columns(a.vertical, padded), ": lower ", kernel, or_dilation,
               ", or add padding")};
}

/// Computes padding, dilated kernel and output of one axis.
Status resolve_axis(PaddingMode mode, AxisSizes& a) {
  const std::string_view side = a.vertical ? "height" : "width";
  const CheckedInt dilated = CheckedInt(a.dilation) * (CheckedInt(a.kernel) - 1) + 1;
  if (!dilated.fits()) return overflow(a.vertical ? "dilation_h" : "dilation_w", "dilated kernel ", side);
  a.dilated = dilated.value();
  if (mode == PaddingMode::valid) a.before = a.after = 0;
  if (mode == PaddingMode::full) a.before = a.after = a.dilated - 1;
  if (mode == PaddingMode::same) {
    // The window of the last output starts at a multiple of the stride; the padding is the part of it that the input
    // lacks.
    const std::int64_t last_step = a.in % a.stride == 0 ? a.stride : a.in % a.stride;
    const std::int64_t pad = a.dilated > last_step ? a.dilated - last_step : 0;
    a.before = pad / 2;
    a.after = pad - a.before;
  }
  const CheckedInt padded = CheckedInt(a.in) + a.before + a.after;
  if (!padded.fits()) {
    // Names the larger side: the one to make smaller.
    const std::string_view before = a.vertical ? "padding.top" : "padding.left";
    const std::string_view after = a.vertical ? "padding.bottom" : "padding.right";
    return overflow(a.before >= a.after ? before : after, "padded input ", side);
  }
  if (padded.value() < a.dilated) return kernel_too_large(a, padded.value());
  a.out = GeometryAccess::windows(padded.value(), a.dilated, a.stride);
  return {};
}

/// Elements of a tensor with these sizes. A size of 0 counts as 1, so that the strides of an empty tensor fit, too.
CheckedInt extent(const std::array<std::int64_t, 4>& sizes) {
  CheckedInt product = 1;
  for (const std::int64_t size : sizes) product = product * (size > 0 ? size : 1);
  return product;
}

Status check_elements(std::string_view tensor, CheckedInt elements) {
  if (elements.fits() && elements.value() <= kMaxFloats) return {};
  const Message count = elements.fits() ? text(elements.value()) : "more than 2^63";
  return {ErrorCode::overflow, tensor,
          text(tensor, " would have ", count, " elements, but at most ", kMaxFloats,
               " fit into the address space; make the sizes or the padding smaller")};
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

std::array<std::int64_t, 4> Geometry::x_shape() const noexcept { return activation_shape(layout, n, h, w, c); }

std::array<std::int64_t, 4> Geometry::w_shape() const noexcept {
  return weights_shape(weights_layout, kh, kw, group_c, k);
}

std::array<std::int64_t, 4> Geometry::y_shape() const noexcept { return activation_shape(layout, n, oh, ow, k); }

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

Geometry in_layout(const Geometry& g, Layout layout, WeightsLayout weights) noexcept {
  ConvDesc d = description(g);
  d.layout = layout;
  d.weights_layout = weights;
  return GeometryAccess::make(d, d.padding);
}

Geometry planes_as_images(const Geometry& g) noexcept {
  ConvDesc d = description(g);
  d.n *= d.c;
  d.c = d.k = d.groups = 1;
  return GeometryAccess::make(d, d.padding);
}

Geometry with_padding_as_image(const Geometry& g) noexcept {
  ConvDesc d = description(g);
  d.h += g.padding.top + g.padding.bottom;
  d.w += g.padding.left + g.padding.right;
  return GeometryAccess::make(d, {});
}

Result<Geometry> resolve_as(const ConvDesc& d, std::string_view x, std::string_view y) noexcept {
  if (Status status = check_fields(d); !status.ok()) return status;
  const Padding given = d.padding_mode == PaddingMode::explicit_sides ? d.padding : Padding{};
  AxisSizes rows{true, d.h, d.kh, d.stride_h, d.dilation_h, given.top, given.bottom};
  AxisSizes columns{false, d.w, d.kw, d.stride_w, d.dilation_w, given.left, given.right};
  for (AxisSizes* axis : {&rows, &columns}) {
    if (Status status = resolve_axis(d.padding_mode, *axis); !status.ok()) return status;
  }
  const std::int64_t group_c = d.c / d.groups;
  const CheckedInt y_extent = extent({d.n, rows.out, columns.out, d.k});
  if (Status status = check_elements(x, extent({d.n, d.h, d.w, d.c})); !status.ok()) return status;
  if (Status status = check_elements("w", extent({d.kh, d.kw, group_c, d.k})); !status.ok()) return status;
  if (Status status = check_elements(y, y_extent); !status.ok()) return status;
  const CheckedInt padded = extent({d.n, rows.padded(), columns.padded(), d.c});
  if (!padded.fits() || padded.value() > kMaxCount) {
    return Status{ErrorCode::overflow, "padding",
                  text(x, " with its padding would have more than 2^53 elements; make the padding smaller")};
  }
  const CheckedInt macs = y_extent * (d.kh * d.kw * group_c);
  if (!macs.fits() || macs.value() > kMaxCount) {
    return Status{ErrorCode::overflow, y, "the number of multiply-adds exceeds 2^53; make the sizes smaller"};
  }
  return GeometryAccess::make(d, {rows.before, rows.after, columns.before, columns.after});
}

Result<Geometry> resolve(const ConvDesc& d) noexcept { return resolve_as(d, "x", "y"); }

}  // namespace conv2d
