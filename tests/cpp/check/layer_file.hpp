#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "conv2d_check/arrays.hpp"

namespace conv2d_check::test {

/// The arrays of a file, and the memory of their values.
class File {
 public:
  File() = default;
  File(File&&) = default;  // Arrays refer to the values.
  File& operator=(File&&) = default;

  File& add(std::string name, std::vector<std::int64_t> shape, std::vector<float> values);
  File& remove(std::string_view name);
  File& rename(std::string_view from, std::string to);

  [[nodiscard]] std::vector<float>& values(std::string_view name);
  [[nodiscard]] const Array& array(std::string_view name) const;
  [[nodiscard]] const std::vector<Array>& arrays() const { return arrays_; }

  [[nodiscard]] ArraysVerdict judge(const ArraysOptions& options = {}) const { return judge_arrays(arrays_, options); }

 private:
  std::vector<Array> arrays_;
  std::deque<std::vector<float>> values_;
};

/// Numbers in [-1, 1).
std::vector<float> random_values(std::int64_t count, std::uint64_t seed);

/// x, w, b, y, dy, dx, dw, db of a convolution with random inputs, computed by the plain loops of the reference.
File conv_file(const conv2d::ConvDesc& desc, std::uint64_t seed = 1);

/// The verdict on a result of the first layer.
const Verdict& verdict_of(const ArraysVerdict& verdict, std::string_view tensor);

}  // namespace conv2d_check::test
