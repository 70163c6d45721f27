#pragma once

#include <cstdint>

#include "conv2d/transposed.hpp"
#include "support/failures.hpp"
#include "support/oracle.hpp"

/// Transposed convolution from its definition, independent of the library except for its description: the set of all
/// products x[..] * w[..] that sum to y[..].
namespace conv2d::test {

/// Sizes of a description, by the formulas of PyTorch's and Keras's documentation.
struct TransposedSizes {
  std::int64_t rows = 0, cols = 0;  ///< of y
  Padding padding{};
  std::int64_t x_size = 0, w_size = 0, y_size = 0;
};
TransposedSizes sizes_of(const transposed::Desc& d);

TensorValues random_tensors(const transposed::Desc& d, Rng& rng, Data data);

/// y, dx, dw and db. Precondition: the tensors have their lengths; b may be empty.
Oracle oracle(const transposed::Desc& d, const TensorValues& t);

/// A description with at least one row and column of y: every padding, layout, group and stride, and output padding.
transposed::Desc random_transposed(Rng& rng);

/// Runs every algorithm of every pass between canaries and compares with `expected`: exactly for integers, otherwise
/// within the declared bound.
Failures failures_of_all_algorithms(const transposed::Desc& d, const TensorValues& tensors, const Oracle& expected,
                                    Data data);

}  // namespace conv2d::test
