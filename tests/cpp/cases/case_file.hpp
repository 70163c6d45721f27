#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "support/json.hpp"
#include "support/oracle.hpp"

/// Reads one case file. All functions throw JsonError when the file is malformed.
namespace conv2d::test {

/// What a case expects of one tensor: every element, or a digest of them.
struct ExpectedTensor {
  std::vector<double> values{};  ///< when `digest` is absent
  struct Digest {
    std::int64_t n = 0;
    double sum = 0, abs_sum = 0, dot = 0, tol = 0;
    std::uint32_t dot_seed = 0;
    std::vector<std::int64_t> idx{};
    std::vector<double> val{};
  };
  std::optional<Digest> digest{};
  double atol = 0, rtol = 0;
};

/// A convolution with data and expected results, in the order of Pass: y, dx, dw, db.
struct ValidCase {
  ConvDesc desc{};
  std::array<std::int64_t, 4> w_shape{}, y_shape{};
  Padding pads{};
  TensorValues tensors{};
  std::array<ExpectedTensor, 4> expected{};
  bool exact = false;       ///< every partial sum is a float32: plain algorithms must match bit for bit
  bool may_reject = false;  ///< the library may also refuse this empty shape
};

/// An invalid description, or one that frameworks treat differently. `desc` is absent when a ConvDesc cannot express
/// it: an unknown padding word, a filter without four dimensions.
struct InvalidCase {
  std::optional<ConvDesc> desc{};
  std::array<std::int64_t, 4> w_shape{};
  Pass op = Pass::forward;
  std::optional<std::int64_t> b_length{};
  std::optional<std::array<std::int64_t, 4>> dy_shape{};
  bool must_reject = true;
  bool no_alloc = false;
};

bool is_invalid_case(const Json& json);
ValidCase read_valid_case(const Json& json);
InvalidCase read_invalid_case(const Json& json);

/// state = seed; repeat: state = (1664525 * state + 1013904223) mod 2^32; value = ((state >> 8) / 2^24) * 2 - 1
class Lcg {
 public:
  explicit Lcg(std::uint32_t seed) : state_(seed) {}
  double next() {
    state_ = 1664525u * state_ + 1013904223u;
    return static_cast<double>(state_ >> 8) / 16777216.0 * 2 - 1;
  }

 private:
  std::uint32_t state_;
};

}  // namespace conv2d::test
