#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "conv2d_check/check.hpp"
#include "mistakes/mistake.hpp"
#include "verdict/formats.hpp"

/// Exact results: sums in double of float32 operands.
namespace conv2d_check {

using conv2d::Geometry;
using conv2d::mistakes::Inputs;

/// A layer with its operands, in the layouts of its geometry. A layer without weights has k = groups = c.
struct Problem {
  Layer layer = Layer::conv;
  bool count_include_pad = true;  ///< average_pool
  Geometry geometry;
  Inputs in;
  bool bias_in_dx = false;  ///< `in.b` is added to dx, one for each channel of x: a transposed convolution
};

/// Expected values of a result, a cell each.
struct Expected {
  std::vector<double> values{};
  std::vector<double> norms{};  ///< sqrt(sum t^2) over the terms t of a cell: what rounding errors grow with
  std::int64_t terms = 1;       ///< largest number of terms of a cell
};

/// Number of terms that a cell of the result adds up at most.
std::int64_t terms_of(const Problem& problem, Pass pass) noexcept;

/// The whole result. Takes about macs() / 5e8 seconds.
Expected exact(const Problem& problem, Pass pass);

/// The cells with these flat indices.
Expected exact_at(const Problem& problem, Pass pass, std::span<const std::int64_t> cells);

/// How a program rounds the two factors of its products: x and w (y), dy and w (dx), dy and x (dw), dy (db).
struct InputRounding {
  Format first{}, second{};
  bool rounds_bias = true;  ///< with `second`, in y

  bool operator==(const InputRounding&) const = default;
};

/// sqrt(sum of the squared changes of the terms) of each cell, if every element of an operand changes by the root mean
/// square in `first`, `second` and `bias` (as many as the operand has, or empty: none).
std::vector<double> spread_of(const Problem& problem, Pass pass, std::span<const float> first,
                              std::span<const float> second, std::span<const float> bias);

/// A problem with rounded operands, which it owns.
class RoundedProblem {
 public:
  RoundedProblem(const Problem& problem, Pass pass, const InputRounding& rounding);

  [[nodiscard]] const Problem& problem() const noexcept { return problem_; }
  [[nodiscard]] bool changes() const noexcept { return changes_; }  ///< rounding changed an operand
  /// How much larger the products are by root mean square, at least 1.
  [[nodiscard]] double growth() const noexcept { return growth_; }

 private:
  void round(std::span<const float>& values, const Format& format, std::vector<float>& storage, bool is_factor);

  Problem problem_;
  std::vector<float> first_, second_, bias_;
  bool changes_ = false;
  double growth_ = 1;
};

}  // namespace conv2d_check
