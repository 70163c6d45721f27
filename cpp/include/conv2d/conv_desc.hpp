#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "conv2d/config.hpp"
#include "conv2d/status.hpp"

namespace conv2d {

/// Memory order of x, y and their gradients. All tensors are dense and row-major: the last letter of the name varies
/// fastest.
enum class Layout {
  nhwc,  ///< x [n,h,w,c], y [n,oh,ow,k]
  nchw,  ///< x [n,c,h,w], y [n,k,oh,ow]
};

/// Memory order of w and dw. H and W are the kernel's, I is c / groups, O is k.
enum class WeightsLayout {
  automatic,  ///< hwio with Layout::nhwc, oihw with Layout::nchw
  hwio,       ///< [kh,kw,c/groups,k], as in TensorFlow
  oihw,       ///< [k,c/groups,kh,kw], as in PyTorch
  ohwi,       ///< [k,kh,kw,c/groups], as in TensorFlow Lite and PyTorch's channels_last
};

/// What a plan computes: y; dx; dw; db.
enum class Pass { forward, backward_data, backward_weights, backward_bias };

/// The name of the enumerator.
CONV2D_API std::string_view to_string(WeightsLayout layout) noexcept;
CONV2D_API std::string_view to_string(Pass pass) noexcept;

/// How the padding is given.
enum class PaddingMode {
  explicit_sides,  ///< as given in ConvDesc::padding
  valid,           ///< none
  same,            ///< TensorFlow's SAME: output ceil(in / stride); odd padding is added at the bottom / right
  full,            ///< dilated kernel - 1 on every side: every element of x meets every tap of w
};

/// Zero rows and columns around x, in elements.
struct Padding {
  std::int64_t top = 0;
  std::int64_t bottom = 0;
  std::int64_t left = 0;
  std::int64_t right = 0;

  bool operator==(const Padding&) const = default;
};

/// Describes a 2-D convolution. "Convolution" means cross-correlation (the kernel is not flipped), as in deep-learning
/// frameworks:
///   y[n,i,j,k] = b[k] + sum over p,q,c of x[n, i*stride_h + p*dilation_h - top, j*stride_w + q*dilation_w - left, c]
///                                         * w[p,q,c,k]
/// where c runs over the c/groups channels of k's group and x is 0 outside its h x w elements.
/// All sizes are in elements. A dilation of 1 means no dilation, as in PyTorch and TensorFlow; oneDNN counts from 0.
struct ConvDesc {
  Layout layout = Layout::nhwc;
  std::int64_t n = 1;   ///< batch, >= 0
  std::int64_t h = 1;   ///< input height, >= 0 (an empty input is valid while the padded input holds the kernel)
  std::int64_t w = 1;   ///< input width, >= 0
  std::int64_t c = 1;   ///< input channels, >= 1
  std::int64_t k = 1;   ///< filters (output channels), >= 1
  std::int64_t kh = 1;  ///< kernel height, >= 1
  std::int64_t kw = 1;  ///< kernel width, >= 1
  std::int64_t stride_h = 1;
  std::int64_t stride_w = 1;
  std::int64_t dilation_h = 1;
  std::int64_t dilation_w = 1;
  std::int64_t groups = 1;  ///< divides c and k; groups == c is depthwise
  PaddingMode padding_mode = PaddingMode::explicit_sides;
  Padding padding{};  ///< read only when padding_mode is explicit_sides
  WeightsLayout weights_layout = WeightsLayout::automatic;
};

/// A validated ConvDesc with all derived sizes. Created by `resolve`. Its members are constant, so a Geometry is always
/// consistent. Every product of the sizes below fits in 63 bits, and its bytes fit in the address space. Copied and
/// assigned as a whole.
struct CONV2D_API Geometry {  // NOLINT(*-special-member-functions): a move is a copy
  /// The geometry of ConvDesc{}: all sizes are 1.
  Geometry() noexcept;
  Geometry(const Geometry&) = default;
  Geometry& operator=(const Geometry& other) noexcept;
  ~Geometry() = default;

  const Layout layout;
  const WeightsLayout weights_layout;  ///< never automatic
  const std::int64_t n, h, w, c, k, kh, kw;
  const std::int64_t stride_h, stride_w, dilation_h, dilation_w, groups;
  const Padding padding;                      ///< resolved to elements per side
  const std::int64_t group_c;                 ///< c / groups: input channels of a filter (I of OIHW / HWIO)
  const std::int64_t group_k;                 ///< k / groups: filters per group
  const std::int64_t dilated_kh, dilated_kw;  ///< dilation * (kernel - 1) + 1
  const std::int64_t oh, ow;
  const std::int64_t remainder_h, remainder_w;  ///< padded rows / columns at the end that no window reads
  const std::int64_t x_size, w_size, y_size;    ///< elements of x, w, y

  [[nodiscard]] std::array<std::int64_t, 4> x_shape() const noexcept;  ///< in `layout`'s order
  [[nodiscard]] std::array<std::int64_t, 4> w_shape() const noexcept;  ///< in `weights_layout`'s order
  [[nodiscard]] std::array<std::int64_t, 4> y_shape() const noexcept;
  [[nodiscard]] std::int64_t macs() const noexcept;  ///< multiply-adds of one pass, including taps on padding
  [[nodiscard]] std::int64_t result_size(Pass pass) const noexcept;  ///< elements of y, dx, dw or db

  bool operator==(const Geometry&) const = default;

 private:
  friend struct GeometryAccess;
  Geometry(const ConvDesc& checked, const Padding& cells) noexcept;
};

/// Validates `desc` and computes all derived sizes.
/// Errors: invalid_size, invalid_stride, invalid_dilation, invalid_padding, invalid_groups, kernel_too_large, overflow,
/// invalid_argument (layout, padding_mode or weights_layout is no enumerator); Status::field is the invalid member of
/// ConvDesc ("stride_h", "padding.top", ...).
CONV2D_API Result<Geometry> resolve(const ConvDesc& desc) noexcept;

/// Checks that dy has the y_shape() of this geometry. backward_data needs the input size explicitly, because dy does
/// not determine it. Error: input_size_mismatch, e.g. "dy width is 29, but x width 30 with kernel 5, stride 1,
/// dilation 1 gives 30".
CONV2D_API Status check_dy_shape(const Geometry& geometry, const std::array<std::int64_t, 4>& dy_shape) noexcept;

/// Checks that `w_shape`, in the order of Geometry::weights_layout, is the shape of this geometry's weights. Errors:
/// channel_mismatch, length_mismatch.
CONV2D_API Status check_w_shape(const Geometry& geometry, const std::array<std::int64_t, 4>& w_shape) noexcept;

/// One axis of a convolution, for `solve`. Sizes in elements; `pad` is the sum of both sides.
struct Axis {
  std::int64_t in = 0, kernel = 1, stride = 1, dilation = 1, pad = 0, out = 0;
};

/// The member of Axis that `solve` looks for.
enum class AxisField { in, kernel, stride, dilation, pad, out };

/// Maximum number of solutions that `solve` returns; bounds its memory to 512 KiB.
inline constexpr std::int64_t kMaxSolutions = 65536;

/// All values of `field` in [lowest, highest] that are consistent with the other five members of `axis`, ascending.
/// For AxisField::in these are the input sizes that give the same output: `stride` of them if all are >= 0.
/// If there are more than kMaxSolutions, the smallest are returned (with one output, every large enough stride fits).
CONV2D_API std::vector<std::int64_t> solve(const Axis& axis, AxisField field, std::int64_t lowest,
                                           std::int64_t highest);

}  // namespace conv2d
