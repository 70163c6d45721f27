#pragma once

#include "base/scratch.hpp"
#include "conv2d/conv_desc.hpp"

/// Tensors in the order in which the algorithms of the lowering read and write them. Those of another layout are
/// converted by the same transforms as when a plan is run.
namespace conv2d::trace {

/// x, w or dy as NHWC (HWIO): the tensor itself, or a copy.
class Nhwc {
 public:
  /// x or dy; `pixels` is height * width. False when there is no memory for the copy.
  [[nodiscard]] bool take_activation(const Geometry& g, const float* tensor, std::int64_t channels,
                                     std::int64_t pixels) noexcept;
  /// w or dw.
  [[nodiscard]] bool take_weights(const Geometry& g, const float* tensor) noexcept;

  [[nodiscard]] const float* data() const noexcept { return data_; }

 private:
  const float* data_ = nullptr;
  Scratch<float> copy_;
};

/// dx in the making: in its own place, or in a copy that is converted at the end.
class NhwcDx {
 public:
  /// All zeros at first. False when there is no memory for the copy.
  [[nodiscard]] bool begin(const Geometry& g, float* dx) noexcept;
  void end(const Geometry& g, float* dx) noexcept;

  [[nodiscard]] float* data() const noexcept { return data_; }

 private:
  float* data_ = nullptr;
  Scratch<float> copy_;
};

}  // namespace conv2d::trace
