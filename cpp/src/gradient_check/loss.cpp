#include "gradient_check/terms.hpp"

#include <algorithm>

#include "base/errors.hpp"

namespace conv2d {
namespace {

std::string_view other_name(Loss loss) noexcept { return loss == Loss::linear ? "dy" : "target"; }

Status check_loss(Loss loss, std::initializer_list<Length> lengths) noexcept {
  Status status = check_enumerator("loss", loss, Loss::log_cosh);
  return status.ok() ? check_lengths(lengths) : status;
}

}  // namespace

template <class T>
Result<T> loss_value(Loss loss, std::span<const T> y, std::span<const T> dy_or_target) noexcept {
  const auto count = static_cast<std::int64_t>(y.size());
  if (Status status = check_loss(loss, {{other_name(loss), dy_or_target.size(), count}}); !status.ok()) return status;
  const T sum = pairwise_sum<T>(0, y.size(), [&](std::size_t t) { return loss_term(loss, y[t], dy_or_target[t]); });
  return loss_of_sum(loss, sum, y.size());
}

template <class T>
LossCell<T> loss_cell(Loss loss, T y, T target, std::size_t count) noexcept {
  const T difference = y - target;
  const T slope = loss == Loss::mse ? difference : rounded(std::tanh, difference);
  return {.difference = difference, .slope = slope, .gradient = slope / static_cast<T>(count)};
}

template <class T>
Status loss_gradient(Loss loss, std::span<const T> y, std::span<const T> dy_or_target, std::span<T> dy_out) noexcept {
  const auto count = static_cast<std::int64_t>(y.size());
  Status status = check_loss(loss, {{other_name(loss), dy_or_target.size(), count}, {"dy_out", dy_out.size(), count}});
  if (!status.ok()) return status;
  if (loss == Loss::linear) {
    std::copy(dy_or_target.begin(), dy_or_target.end(), dy_out.begin());
    return {};
  }
  for (std::size_t t = 0; t < y.size(); ++t) dy_out[t] = loss_cell(loss, y[t], dy_or_target[t], y.size()).gradient;
  return {};
}

template Result<float> loss_value(Loss, std::span<const float>, std::span<const float>) noexcept;
template Result<double> loss_value(Loss, std::span<const double>, std::span<const double>) noexcept;
template LossCell<float> loss_cell(Loss, float, float, std::size_t) noexcept;
template LossCell<double> loss_cell(Loss, double, double, std::size_t) noexcept;
template Status loss_gradient(Loss, std::span<const float>, std::span<const float>, std::span<float>) noexcept;
template Status loss_gradient(Loss, std::span<const double>, std::span<const double>, std::span<double>) noexcept;

}  // namespace conv2d
