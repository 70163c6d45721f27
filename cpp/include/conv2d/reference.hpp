#pragma once

#include <span>

#include "conv2d/conv_desc.hpp"

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

}  // namespace conv2d::reference
