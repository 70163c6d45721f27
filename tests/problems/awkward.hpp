#pragma once

#include <span>

#include "conv2d/conv_desc.hpp"

namespace conv2d::test {

struct NamedProblem {
  const char* name;
  ConvDesc desc;
};

/// Geometries on which convolutions are known to go wrong: nothing square, primes, tails around vector widths and
/// around cache blocks, windows that miss the image. Given in NHWC; the tests run them in both layouts.
std::span<const NamedProblem> awkward_problems() noexcept;

}  // namespace conv2d::test
