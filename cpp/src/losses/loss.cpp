#include "losses/terms.hpp"

#include <algorithm>

#include "base/errors.hpp"

namespace conv2d {
namespace {

/// As loss_gradient; `loss` is null if there is none of the name.
Status check(const losses::Entry* loss, std::size_t y, std::size_t dy_or_target, std::size_t dy_out) noexcept {
  if (!loss) return losses::no_such_loss();
  const auto count = static_cast<std::int64_t>(y);
  return check_lengths({{loss->is_linear() ? "dy" : "target", dy_or_target, count}, {"dy_out", dy_out, count}});
}

template <class T>
LossCell<T> cell_of(const losses::Entry& entry, T y, T target, std::size_t count) noexcept {
  const T difference = y - target;
  const T slope = static_cast<T>(entry.slope(static_cast<double>(difference)) / entry.divisor);
  return {.difference = difference, .slope = slope, .gradient = slope / static_cast<T>(count)};
}

}  // namespace

template <class T>
Result<T> loss_value(std::string_view loss, std::span<const T> y, std::span<const T> dy_or_target) noexcept {
  const losses::Entry* const entry = losses::find(loss);
  if (Status status = check(entry, y.size(), dy_or_target.size(), y.size()); !status.ok()) return status;
  const T sum = losses::pairwise_sum<T>(0, y.size(),
                                        [&](std::size_t t) { return losses::term_of(*entry, y[t], dy_or_target[t]); });
  return losses::of_sum(*entry, sum, y.size());
}

template <class T>
LossCell<T> loss_cell(std::string_view loss, T y, T target, std::size_t count) noexcept {
  return cell_of(*losses::find(loss), y, target, count);
}

template <class T>
Status loss_gradient(std::string_view loss, std::span<const T> y, std::span<const T> dy_or_target,
                     std::span<T> dy_out) noexcept {
  const losses::Entry* const entry = losses::find(loss);
  if (Status status = check(entry, y.size(), dy_or_target.size(), dy_out.size()); !status.ok()) return status;
  if (entry->is_linear()) {
    std::ranges::copy(dy_or_target, dy_out.begin());
    return {};
  }
  for (std::size_t t = 0; t < y.size(); ++t) dy_out[t] = cell_of(*entry, y[t], dy_or_target[t], y.size()).gradient;
  return {};
}

template Result<float> loss_value(std::string_view, std::span<const float>, std::span<const float>) noexcept;
template Result<double> loss_value(std::string_view, std::span<const double>, std::span<const double>) noexcept;
template LossCell<float> loss_cell(std::string_view, float, float, std::size_t) noexcept;
template LossCell<double> loss_cell(std::string_view, double, double, std::size_t) noexcept;
template Status loss_gradient(std::string_view, std::span<const float>, std::span<const float>,
                              std::span<float>) noexcept;
template Status loss_gradient(std::string_view, std::span<const double>, std::span<const double>,
                              std::span<double>) noexcept;

}  // namespace conv2d
