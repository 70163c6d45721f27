#pragma once

#include <array>
#include <vector>

#include "conv2d/trace.hpp"
#include "support/oracle.hpp"

namespace conv2d::test {

/// A stage worked out from its sentence in trace.hpp.
struct ExpectedStage {
  std::array<std::int64_t, 4> shape{};
  std::vector<double> values{};
};

ExpectedStage expected_stage(const ConvDesc& d, const Sizes& s, Stage stage, const StageOptions& options,
                             const TensorValues& t);

/// [groups, rows, cols, 1], the only ones that StageOptions change.
bool is_matrix(Stage stage);

/// The same convolution seen as one of x with its padding as cells: its dx is the whole full convolution.
ConvDesc with_padding_as_cells(const ConvDesc& d, const Sizes& s);

/// The same outputs with as many more taps as the remainder holds: its dw is that of all stops of the dilated dy.
ConvDesc with_uncropped_kernel(const ConvDesc& d, const Sizes& s);

/// w turned by 180 degrees, in w's own shape.
std::vector<float> turned(const ConvDesc& d, const Sizes& s, const std::vector<float>& w);

}  // namespace conv2d::test
