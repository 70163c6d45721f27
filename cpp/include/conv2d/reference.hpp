#pragma once

#include <span>

#include "conv2d/conv2d.hpp"

/// The slow, obvious loops with a double accumulator: what everything else is checked against. They share no code with
/// the algorithms. Spans as in conv2d.hpp; the caller has checked the lengths. Instantiated for float and double.
namespace conv2d::reference {

template <class T>
void forward(const Geometry& g, std::span<const T> x, std::span<const T> w, std::span<const T> b, std::span<T> y);

template <class T>
void backward_data(const Geometry& g, std::span<const T> dy, std::span<const T> w, std::span<T> dx);

template <class T>
void backward_weights(const Geometry& g, std::span<const T> x, std::span<const T> dy, std::span<T> dw);

template <class T>
void backward_bias(const Geometry& g, std::span<const T> dy, std::span<T> db);

/// A pass by its name, into `tensors.out`. `packed` is not read.
void run(const Geometry& g, Pass pass, const Tensors& tensors);

}  // namespace conv2d::reference
