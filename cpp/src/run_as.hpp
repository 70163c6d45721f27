#pragma once

#include "conv2d/conv2d.hpp"

namespace conv2d {

/// The names of tensors in errors.
struct TensorNames {
  const char* x;
  const char* dy;
  const char* out;
};

/// As run(), for a caller that calls the tensors of the convolution by other names.
Status run_as(const Plan& plan, const Tensors& tensors, const Resources& resources, const TensorNames& names) noexcept;

}  // namespace conv2d
