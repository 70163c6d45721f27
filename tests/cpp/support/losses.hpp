#pragma once

#include <cmath>
#include <string_view>
#include <vector>

#include "conv2d_teach/losses.hpp"

/// The losses from their formulas, in double.
namespace conv2d::test {

/// Those without a kink.
inline constexpr std::string_view kLosses[] = {"linear", "mse", "log_cosh"};

/// One element of dL/dy; `count` is the number of elements of y.
inline double upstream(std::string_view loss, double y, double dy, double target, double count) {
  if (loss == "linear") return dy;
  if (loss == "mse") return (y - target) / count;
  if (loss == "absolute_error") return static_cast<double>((y > target) - (y < target)) / count;
  return std::tanh(y - target) / count;
}

inline double loss_at(std::string_view loss, const std::vector<double>& y, const std::vector<double>& other) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double error = y[i] - other[i];
    if (loss == "linear") sum += y[i] * other[i];
    if (loss == "mse") sum += error * error / 2;
    if (loss == "absolute_error") sum += std::abs(error);
    if (loss == "log_cosh") sum += std::abs(error) + std::log1p(std::exp(-2 * std::abs(error))) - std::log(2.0);
  }
  return loss == "linear" ? sum : sum / static_cast<double>(y.size());
}

/// Makes each position's channels a distribution: |value| / sum, or the first class where all are 0.
template <class T>
void make_distributions(std::vector<T>& target, const LossChannels& channels) {
  for (std::size_t t = 0; t < target.size(); ++t) {
    if (t / channels.stride % channels.count != 0) continue;
    double sum = 0;
    for (std::size_t c = 0; c < channels.count; ++c)
      sum += std::abs(static_cast<double>(target[t + c * channels.stride]));
    for (std::size_t c = 0; c < channels.count; ++c) {
      T& value = target[t + c * channels.stride];
      value = static_cast<T>(sum > 0 ? std::abs(static_cast<double>(value)) / sum : c == 0 ? 1 : 0);
    }
  }
}

}  // namespace conv2d::test
