#include "gradient_check/terms.hpp"

#include <algorithm>

#include "base/errors.hpp"

namespace conv2d {
namespace {

std::string_view other_name(Loss loss) noexcept { return loss == Loss::linear ? "dy" : "target"; }

Status check_loss(Loss loss, std::initializer_list<Length> lengths) noexcept {
  Status status = check_enumerator("loss", loss, kLastLoss);
  return status.ok() ? check_lengths(lengths) : status;
}

template <class T>
LossCell<T> cell_of(const LossEntry& entry, T y, T target, std::size_t count) noexcept {
  const T difference = y - target;
  const T slope = static_cast<T>(entry.slope(static_cast<double>(difference)) / entry.divisor);
  return {.difference = difference, .slope = slope, .gradient = slope / static_cast<T>(count)};
}

}  // namespace

template <class T>
Result<T> loss_value(Loss loss, std::span<const T> y, std::span<const T> dy_or_target) noexcept {
  const auto count = static_cast<std::int64_t>(y.size());
  if (Status status = check_loss(loss, {{other_name(loss), dy_or_target.size(), count}}); !status.ok()) return status;
  const LossEntry* entry = entry_of(loss);
  const T sum = pairwise_sum<T>(0, y.size(), [&](std::size_t t) { return loss_term(entry, y[t], dy_or_target[t]); });
  return loss_of_sum(entry, sum, y.size());
}

template <class T>
LossCell<T> loss_cell(Loss loss, T y, T target, std::size_t count) noexcept {
  return cell_of(*entry_of(loss), y, target, count);
}

template <class T>
Status loss_gradient(Loss loss, std::span<const T> y, std::span<const T> dy_or_target, std::span<T> dy_out) noexcept {
  const auto count = static_cast<std::int64_t>(y.size());
  Status status = check_loss(loss, {{other_name(loss), dy_or_target.size(), count}, {"dy_out", dy_out.size(), count}});
  if (!status.ok()) return status;
  const LossEntry* entry = entry_of(loss);
  if (!entry) {
    std::copy(dy_or_target.begin(), dy_or_target.end(), dy_out.begin());
    return {};
  }
  for (std::size_t t = 0; t < y.size(); ++t) dy_out[t] = cell_of(*entry, y[t], dy_or_target[t], y.size()).gradient;
  return {};
}

template Result<float> loss_value(Loss, std::span<const float>, std::span<const float>) noexcept;
template Result<double> loss_value(Loss, std::span<const double>, std::span<const double>) noexcept;
template LossCell<float> loss_cell(Loss, float, float, std::size_t) noexcept;
template LossCell<double> loss_cell(Loss, double, double, std::size_t) noexcept;
template Status loss_gradient(Loss, std::span<const float>, std::span<const float>, std::span<float>) noexcept;
template Status loss_gradient(Loss, std::span<const double>, std::span<const double>, std::span<double>) noexcept;

}  // namespace conv2d
