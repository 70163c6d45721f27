#pragma once

#include <cstdint>
#include <vector>

#include "conv2d_teach/training.hpp"

namespace conv2d::test {

/// Images of web/content/digits.txt.
struct Digits {
  std::vector<float> x;  ///< 8 x 8 for each, from 0 to 1
  std::vector<std::int32_t> labels;

  [[nodiscard]] LabelledImages view() const noexcept { return {x, labels}; }
};

/// Every fifth image is held out.
const Digits& digits_to_train();
const Digits& digits_held_out();

/// conv 3 x 3, ReLU, max pooling, conv 3 x 3, ReLU, dense; in batches of 32.
ChainDesc digits_network();

}  // namespace conv2d::test
