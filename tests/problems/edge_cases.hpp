#pragma once

#include <span>

#include "conv2d/conv_desc.hpp"

namespace conv2d::test {

struct NamedProblem {
  const char* name;
  ConvDesc desc;
};

/// Geometries that are error-prone for convolutions: nothing square, primes, tails around vector widths and around
/// cache blocks, windows that miss the image. In NHWC; the tests run them in both layouts.
std::span<const NamedProblem> edge_cases() noexcept;

}  // namespace conv2d::test
