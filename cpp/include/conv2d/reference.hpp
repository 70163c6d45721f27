#pragma once

#include <span>

#include "conv2d/config.hpp"
#include "conv2d/conv2d.hpp"

/// Reference implementation: plain nested loops with a double accumulator, without code shared with the algorithms. For
/// checking results. Spans as in conv2d.hpp. Precondition: the spans have the right lengths. Instantiated for float and
/// double.
namespace conv2d::reference {

/// y = conv(x, w) + b. b: k elements, or empty for no bias.
template <class T>
CONV2D_API void forward(const Geometry& g, std::span<const T> x, std::span<const T> w, std::span<const T> b,
                        std::span<T> y);

/// dx: the gradient of sum(y * dy) with respect to x.
template <class T>
CONV2D_API void backward_data(const Geometry& g, std::span<const T> dy, std::span<const T> w, std::span<T> dx);

/// dw: the gradient with respect to w, summed over the batch.
template <class T>
CONV2D_API void backward_weights(const Geometry& g, std::span<const T> x, std::span<const T> dy, std::span<T> dw);

/// db: the sum of dy over batch and pixels, for each filter.
template <class T>
CONV2D_API void backward_bias(const Geometry& g, std::span<const T> dy, std::span<T> db);

/// Runs `pass` and writes `tensors.out`. Tensors::packed is ignored.
CONV2D_API void run(const Geometry& g, Pass pass, const Tensors& tensors);

}  // namespace conv2d::reference
