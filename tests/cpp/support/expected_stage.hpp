#pragma once

#include <array>
#include <vector>

#include "conv2d_teach/trace.hpp"
#include "support/oracle.hpp"

namespace conv2d::test {

/// A stage computed from its description in trace.hpp.
struct ExpectedStage {
  std::array<std::int64_t, 4> shape{};
  std::vector<double> values{};
};

ExpectedStage expected_stage(const ConvDesc& d, const Sizes& s, Stage stage, const StageOptions& options,
                             const TensorValues& t);

/// Whether d has few products. The loops of stages and partial results have no tiles, for which larger problems exist.
bool is_small(const ConvDesc& d);

/// Whether the stage has shape [groups, rows, cols, 1]; StageOptions apply to these stages only.
bool is_matrix(Stage stage);

/// The same convolution with the padding of x as elements of x: its dx is the complete full convolution.
ConvDesc with_padding_as_cells(const ConvDesc& d, const Sizes& s);

/// The same outputs with the extra taps that the remainder holds: its dw has all positions of the dilated dy.
ConvDesc with_uncropped_kernel(const ConvDesc& d, const Sizes& s);

/// w flipped by 180 degrees, in the shape of w.
std::vector<float> flipped(const ConvDesc& d, const Sizes& s, const std::vector<float>& w);

}  // namespace conv2d::test
