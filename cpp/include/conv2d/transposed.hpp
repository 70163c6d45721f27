#pragma once

#include <cstdint>

#include "conv2d/config.hpp"
#include "conv2d/conv2d.hpp"

/// Transposed convolution: ConvTranspose2d of PyTorch, Conv2DTranspose of Keras, also "deconvolution". Each element of
/// x adds the kernel, scaled by it, to a window of y:
///   y[n,r,s,m] = b[m] + sum over i,j,p,q,c of x[n,i,j,c] * w[p,q,m,c]
///                       where r = i*stride_h + p*dilation_h - top and s = j*stride_w + q*dilation_w - left,
/// and c runs over the input channels of m's group. Its matrix is that of a convolution, transposed: it undoes the
/// sizes of the convolution, not the values. So each pass is a pass of that convolution, with the same w:
///   y  = its dx of dy = x, plus b      dx = its y of x = dy      dw = its dw of x = dy and dy = x
/// Sources: torch.nn.ConvTranspose2d; Dumoulin and Visin, "A guide to convolution arithmetic for deep learning" (2016),
/// chapter 4.
namespace conv2d::transposed {

/// Describes a transposed convolution. The height of y is
///   (h - 1)*stride_h + dilation_h*(kh - 1) + 1 - top - bottom + output_padding_h
/// and its width is alike. With PaddingMode::same it is h*stride_h, as in Keras.
struct Desc {
  /// n, h, w, c are the sizes of x, k the channels of y; h and w are at least 1. The other members are those of the
  /// convolution: padding takes rows and columns of y away, and weights_layout counts y's channels as I and x's as O.
  /// So oihw is [c,k/groups,kh,kw], as in PyTorch's ConvTranspose2d, and hwio [kh,kw,k/groups,c], as in TensorFlow.
  ConvDesc windows{};
  /// Which of the possible sizes y has, from 0 to stride - 1: with a stride, the convolution makes x of the same size
  /// from `stride` sizes of y. 0 is the smallest; each more is one row at the bottom, or one column on the right. They
  /// are part of y as any other, not zeros. PaddingMode::same allows only 0.
  std::int64_t output_padding_h = 0;
  std::int64_t output_padding_w = 0;
};

/// Validates `desc` and returns the geometry of the convolution: its x is y, its y is x, its c is k, and its k is c.
/// Errors: those of conv2d::resolve, where x, y, c and k are those of the transposed convolution; invalid_size ("h" or
/// "w" is 0); invalid_padding ("output_padding_h" or "output_padding_w" is none of the possible sizes; "padding.top",
/// "padding.left" or "padding_mode": nothing is left of y); overflow ("h" or "w": the size of y).
CONV2D_API Result<Geometry> resolve(const Desc& desc) noexcept;

/// The pass of the convolution that computes a pass of the transposed one: forward and backward_data change places.
/// conv2d::algorithms() lists its algorithms.
constexpr Pass convolution_pass(Pass pass) noexcept {
  if (pass == Pass::forward) return Pass::backward_data;
  return pass == Pass::backward_data ? Pass::forward : pass;
}

/// Plans a pass of the transposed convolution. The plan is one of the convolution, and packs weights as any: its pass
/// is convolution_pass(pass), and its geometry that of resolve(); for backward_bias, a geometry with this y. Errors:
/// those of resolve() and conv2d::plan.
CONV2D_API Result<Plan> plan(const Desc& desc, Pass pass, const PlanOptions& options = {});
/// `convolution` is the result of resolve().
CONV2D_API Result<Plan> plan(const Geometry& convolution, Pass pass, const PlanOptions& options = {});

/// Runs a plan of plan(). The tensors are those of the transposed convolution: x has the convolution's y_shape(), y and
/// dy its x_shape(), w and dw its w_shape(), b and db k elements. forward adds b after the sum of the products, on the
/// calling thread. Errors: those of conv2d::run.
CONV2D_API Status run(const Plan& plan, const Tensors& tensors, const Resources& resources) noexcept;

}  // namespace conv2d::transposed
