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

/// Larger problems: 40 thousand to 1.5 million products per pass and up to 512 channels and filters, for several panels
/// of columns, several blocks of windows, and many threads.
RandomProblem random_large_problem(Rng& rng, Data data);

/// How many large problems a property test draws: a tenth of property_runs(), at most 200.
std::int64_t large_runs();

}  // namespace conv2d::test
