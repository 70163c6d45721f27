#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "conv2d/status.hpp"

namespace conv2d {

/// Memory order of the tensors. All tensors are dense and row-major in the order that the name spells.
enum class Layout {
  nhwc,  ///< x [n,h,w,c], w [kh,kw,c/groups,k] (HWIO), y [n,oh,ow,k]
  nchw,  ///< x [n,c,h,w], w [k,c/groups,kh,kw] (OIHW), y [n,k,oh,ow]
};

enum class Pass { forward, backward_data, backward_weights, backward_bias };

/// The enumerator's own name.
std::string_view to_string(Pass pass) noexcept;

/// How the padding is given.
enum class PaddingMode {
  explicit_sides,  ///< ConvDesc::padding as it stands
  valid,           ///< none
  same,            ///< TensorFlow's SAME: output ceil(in / stride), the odd cell at the bottom / right
  full,            ///< dilated_kernel - 1 on every side: every product of x and w appears
};

/// Zero rows and columns around x, in elements.
struct Padding {
  std::int64_t top = 0;
  std::int64_t bottom = 0;
  std::int64_t left = 0;
  std::int64_t right = 0;

  bool operator==(const Padding&) const = default;
};

/// A 2-D convolution, as a user describes it. "Convolution" means cross-correlation, as in every deep-learning
/// framework:
///   y[n,i,j,k] = b[k] + sum over p,q,c of x[n, i*stride_h + p*dilation_h - top, j*stride_w + q*dilation_w - left, c]
///                                         * w[p,q,c,k]
/// where c runs over the c/groups channels of k's group and x is 0 outside its h x w cells.
/// All sizes count elements. A dilation of 1 means none (PyTorch's and TensorFlow's convention; oneDNN counts from 0).
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
};

/// A validated ConvDesc with everything that follows from it. Only `resolve` makes one, and nobody changes a member, so
/// a Geometry is always consistent, and every product of sizes below fits in 63 bits (and in the address space, in
/// bytes). Copied and assigned as a whole.
struct Geometry {  // NOLINT(*-special-member-functions): to move one is to copy it
  /// That of ConvDesc{}: one cell and one tap.
  Geometry() noexcept;
  Geometry(const Geometry&) = default;
  Geometry& operator=(const Geometry& other) noexcept;
  ~Geometry() = default;

  const Layout layout;
  const std::int64_t n, h, w, c, k, kh, kw;
  const std::int64_t stride_h, stride_w, dilation_h, dilation_w, groups;
  const Padding padding;                      ///< resolved to cells per side
  const std::int64_t group_c;                 ///< c / groups: input channels that a filter reads (I of OIHW / HWIO)
  const std::int64_t group_k;                 ///< k / groups: filters of a group
  const std::int64_t dilated_kh, dilated_kw;  ///< dilation * (kernel - 1) + 1
  const std::int64_t oh, ow;
  const std::int64_t remainder_h, remainder_w;  ///< padded rows / columns at the end that no window reads
  const std::int64_t x_size, w_size, y_size;    ///< elements of x, w, y

  [[nodiscard]] std::array<std::int64_t, 4> x_shape() const noexcept;  ///< in `layout`'s order
  [[nodiscard]] std::array<std::int64_t, 4> w_shape() const noexcept;
  [[nodiscard]] std::array<std::int64_t, 4> y_shape() const noexcept;
  [[nodiscard]] std::int64_t macs() const noexcept;  ///< multiply-adds of one pass, padding taps included
  [[nodiscard]] std::int64_t result_size(Pass pass) const noexcept;  ///< elements of what a pass makes: y, dx, dw or db

 private:
  friend struct GeometryAccess;
  Geometry(const ConvDesc& checked, const Padding& cells) noexcept;
};

/// Validates `desc` and computes everything that follows from it.
/// Errors: invalid_size, invalid_stride, invalid_dilation, invalid_padding, invalid_groups, kernel_too_large, overflow;
/// `field` is the ConvDesc member at fault ("stride_h", "padding.top", ...).
Result<Geometry> resolve(const ConvDesc& desc) noexcept;

/// Checks that dy has the shape that `x_shape` of this geometry gives, the explicit input size of backward_data.
/// Error input_size_mismatch, e.g. "dy width is 29, but x width 30 with kernel 5, stride 1, dilation 1 gives 30".
Status check_dy_shape(const Geometry& geometry, const std::array<std::int64_t, 4>& dy_shape) noexcept;

/// Checks that weights of `w_shape` (in the layout's order) belong to this geometry. Error channel_mismatch or
/// length_mismatch.
Status check_w_shape(const Geometry& geometry, const std::array<std::int64_t, 4>& w_shape) noexcept;

/// One axis of a convolution, for solving. Sizes in elements; `pad` is the sum of both sides.
struct Axis {
  std::int64_t in = 0, kernel = 1, stride = 1, dilation = 1, pad = 0, out = 0;
};

enum class AxisField { in, kernel, stride, dilation, pad, out };

/// More solutions than a person reads, few enough that no input makes `solve` run out of memory.
inline constexpr std::int64_t kMaxSolutions = 65536;

/// All values of `field` in [lowest, highest] for which the other five members of `axis` hold together, ascending.
/// For AxisField::in these are all the input sizes that give the same output (stride of them, when all are >= 0).
/// At most kMaxSolutions, the smallest ones (with one output, any stride that is large enough will do).
std::vector<std::int64_t> solve(const Axis& axis, AxisField field, std::int64_t lowest, std::int64_t highest);

}  // namespace conv2d
