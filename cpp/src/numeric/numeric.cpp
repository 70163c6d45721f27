#include "conv2d_teach/numeric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/errors.hpp"

namespace conv2d {
namespace {

double wide_difference(float a, float b) noexcept { return static_cast<double>(a) - static_cast<double>(b); }

/// Error for the first index >= size. Negative indices are valid: they are factors in the padding.
Status check_indices(std::string_view field, std::span<const std::int32_t> indices, std::size_t size) {
  const auto outside = std::find_if(indices.begin(), indices.end(), [size](std::int32_t index) {
    return index >= 0 && static_cast<std::size_t>(index) >= size;
  });
  if (outside == indices.end()) return {};
  return {ErrorCode::invalid_argument, field,
          text(field, " holds ", *outside, ", but its tensor has ", size, " elements")};
}

}  // namespace

TensorStats tensor_stats(std::span<const float> values) noexcept {
  TensorStats stats;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  float min = kInfinity;
  float max = -kInfinity;
  for (const float value : values) {
    if (!std::isfinite(value)) {
      ++stats.not_finite;
      continue;
    }
    min = std::min(min, value);
    max = std::max(max, value);
  }
  if (min <= max) {
    stats.min = min;
    stats.max = max;
    stats.max_abs = std::max(-min, max);
  }
  return stats;
}

double norm(std::span<const float> values) noexcept {
  double squares = 0;
  for (const float value : values) squares += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(squares);
}

Result<double> max_abs_difference(std::span<const float> a, std::span<const float> b) noexcept {
  if (a.size() != b.size()) return length_mismatch("b", b.size(), std::ssize(a));
  double largest = 0;
  for (std::size_t t = 0; t < a.size(); ++t) {
    const double distance = std::abs(wide_difference(a[t], b[t]));
    // A comparison with NaN is false, so the result stays NaN.
    if (!(distance <= largest)) largest = distance;
    if (std::isnan(largest)) break;
  }
  return largest;
}

double relative_error(std::span<const float> actual, std::span<const float> expected) noexcept {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (actual.size() != expected.size()) return kInfinite;
  double worst = 0, scale = 0;
  for (std::size_t t = 0; t < expected.size(); ++t) {
    const double distance = std::abs(wide_difference(actual[t], expected[t]));
    if (!std::isfinite(distance)) return kInfinite;
    worst = std::max(worst, distance);
    scale = std::max(scale, std::abs(static_cast<double>(expected[t])));
  }
  return scale > 0 ? worst / scale : worst;
}

Status adjoint_check(std::span<const float> cx, std::span<const float> dy, std::span<const float> x,
                     std::span<const float> dx, std::span<float> out) noexcept {
  Status lengths =
      check_lengths({{"dy", dy.size(), std::ssize(cx)}, {"dx", dx.size(), std::ssize(x)}, {"out", out.size(), 4}});
  if (!lengths.ok()) return lengths;
  double sides[2] = {};
  double absolute[2] = {};
  for (int side = 0; side < 2; ++side) {
    const std::span<const float> a = side == 0 ? cx : x;
    const std::span<const float> b = side == 0 ? dy : dx;
    for (std::size_t t = 0; t < a.size(); ++t) {
      const double product = static_cast<double>(a[t]) * static_cast<double>(b[t]);
      sides[side] += product;
      absolute[side] += std::abs(product);
    }
  }
  const double difference = std::abs(sides[0] - sides[1]);
  out[0] = static_cast<float>(sides[0]);
  out[1] = static_cast<float>(sides[1]);
  out[2] = static_cast<float>(difference);
  out[3] = difference == 0 ? 0.0F : static_cast<float>(difference / std::max(absolute[0], absolute[1]));
  return {};
}

Result<double> products(std::span<const float> a, std::span<const std::int32_t> index_a, std::span<const float> b,
                        std::span<const std::int32_t> index_b, std::span<float> products_out) noexcept {
  const bool single = b.empty() && index_b.empty();
  const Status lengths = check_lengths({{"index_b", index_b.size(), single ? -1 : std::ssize(index_a)},
                                        {"products_out", products_out.size(), std::ssize(index_a)}});
  if (!lengths.ok()) return lengths;
  if (Status status = check_indices("index_a", index_a, a.size()); !status.ok()) return status;
  if (Status status = check_indices("index_b", index_b, b.size()); !status.ok()) return status;
  const auto factor = [](std::span<const float> tensor, std::int32_t index) {
    return index < 0 ? 0.0F : tensor[static_cast<std::size_t>(index)];
  };
  double sum = 0;
  for (std::size_t t = 0; t < index_a.size(); ++t) {
    const bool in_padding = index_a[t] < 0 || (!single && index_b[t] < 0);
    const float other = single ? 1.0F : factor(b, index_b[t]);
    products_out[t] = in_padding ? 0.0F : factor(a, index_a[t]) * other;
    sum += static_cast<double>(products_out[t]);
  }
  return sum;
}

Status subtotals(std::span<const float> values, std::size_t length, std::span<float> sums_out) noexcept {
  if (length < 1) return {ErrorCode::invalid_argument, "length", "length is 0, but must be at least 1"};
  const std::size_t groups = values.size() / length + (values.size() % length == 0 ? 0 : 1);
  if (sums_out.size() != groups) {
    return length_mismatch("sums_out", sums_out.size(), static_cast<std::int64_t>(groups));
  }
  for (std::size_t t = 0; t < groups; ++t) {
    double sum = 0;
    for (const float value : values.subspan(t * length, std::min(length, values.size() - t * length))) {
      sum += static_cast<double>(value);
    }
    sums_out[t] = static_cast<float>(sum);
  }
  return {};
}

}  // namespace conv2d
