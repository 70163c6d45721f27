#pragma once

#include "conv2d/conv_desc.hpp"
#include "support/oracle.hpp"

namespace conv2d::test {

/// A valid convolution and integer or real data for it.
struct RandomProblem {
  ConvDesc desc;
  Sizes sizes;
  TensorValues tensors;
};

/// Small problems of every kind: groups, depthwise, dilation, asymmetric padding, remainders, strides above the kernel,
/// all layouts, every padding mode, occasionally batch 0, channel counts around the vector widths.
ConvDesc random_desc(Rng& rng);

RandomProblem random_integer_problem(Rng& rng);
RandomProblem random_real_problem(Rng& rng);

}  // namespace conv2d::test
