#pragma once

#include "base/scratch.hpp"
#include "conv2d/conv_desc.hpp"

/// Tensors in NHWC and HWIO, the order of the im2col algorithms. Other layouts are converted by the transforms that
/// plans use.
namespace conv2d::trace {

/// x, w or dy as NHWC (HWIO): the tensor itself, or a copy.
class Nhwc {
 public:
  /// Sets x or dy; `pixels` is height * width. Returns false if there is no memory for the copy.
  [[nodiscard]] bool set_activation(const Geometry& g, const float* tensor, std::int64_t channels,
                                    std::int64_t pixels) noexcept;
  /// Sets w or dw. Returns false if there is no memory for the copy.
  [[nodiscard]] bool set_weights(const Geometry& g, const float* tensor) noexcept;

  [[nodiscard]] const float* data() const noexcept { return data_; }

 private:
  const float* data_ = nullptr;
  Scratch<float> copy_;
};

/// Output dx: written in place, or in an NHWC copy that end() converts.
class NhwcDx {
 public:
  /// Fills with 0. Returns false if there is no memory for the copy.
  [[nodiscard]] bool begin(const Geometry& g, float* dx) noexcept;
  void end(const Geometry& g, float* dx) noexcept;

  [[nodiscard]] float* data() const noexcept { return data_; }

 private:
  float* data_ = nullptr;
  Scratch<float> copy_;
};

}  // namespace conv2d::trace
