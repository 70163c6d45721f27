#include "losses/terms.hpp"

#include <algorithm>

#include "base/errors.hpp"

namespace conv2d {
namespace losses {

Status check_target(const Entry& entry, const Channels& target, std::size_t position) noexcept {
  if (entry.accepts(target)) return {};
  return {ErrorCode::invalid_argument, "target", text("the target of position ", position, " must be ", entry.target)};
}

double term_of(const Entry& entry, const Channels& y, const Channels& target) noexcept {
  const PositionSums sums = entry.sums(y, target);
  double term = 0;
  for (std::size_t c = 0; c < y.count(); ++c) term += entry.term_at(sums, y[c], target[c]);
  return term;
}

}  // namespace losses

namespace {

/// As loss_gradient; `loss` is null if there is none of the name.
template <class T>
Status check(const losses::Entry* loss, std::size_t y, std::span<const T> dy_or_target, std::size_t dy_out,
             const LossChannels& channels) noexcept {
  if (!loss) return losses::no_such_loss();
  const auto count = static_cast<std::int64_t>(y);
  Status status =
      check_lengths({{loss->is_linear() ? "dy" : "target", dy_or_target.size(), count}, {"dy_out", dy_out, count}});
  if (!status.ok()) return status;
  const std::size_t block = channels.count * channels.stride;
  if (loss->is_per_position() && (block == 0 || y % block != 0)) {
    return {ErrorCode::invalid_argument, "channels", "they do not divide y"};
  }
  return losses::check_target(*loss, dy_or_target, channels);
}

template <class T>
LossCell<T> cell_of(const losses::Entry& entry, T y, T target, std::size_t count) noexcept {
  const T difference = y - target;
  const T slope = static_cast<T>(entry.slope(static_cast<double>(difference)) / entry.divisor);
  return {.difference = difference, .slope = slope, .gradient = slope / static_cast<T>(count)};
}

/// Of a loss per position.
template <class T>
LossCell<T> cell_of(const losses::Entry& entry, const losses::PositionSums& sums, double y, double target,
                    std::size_t positions) noexcept {
  const T slope = static_cast<T>(entry.slope_at(sums, y, target));
  return {.difference = slope, .slope = slope, .gradient = slope / static_cast<T>(positions)};
}

}  // namespace

template <class T>
Result<T> loss_value(std::string_view loss, std::span<const T> y, std::span<const T> dy_or_target,
                     const LossChannels& channels) noexcept {
  const losses::Entry* const entry = losses::find(loss);
  if (Status status = check(entry, y.size(), dy_or_target, y.size(), channels); !status.ok()) return status;
  const std::size_t divisor = losses::divisor_of(*entry, y.size(), channels);
  if (entry->is_per_position()) {
    const T sum = losses::pairwise_sum<T>(0, divisor, [&](std::size_t i) {
      return static_cast<T>(
          losses::term_of(*entry, losses::Channels(y, channels, i), losses::Channels(dy_or_target, channels, i)));
    });
    return losses::of_sum(sum, divisor);
  }
  const T sum = losses::pairwise_sum<T>(0, y.size(),
                                        [&](std::size_t t) { return losses::term_of(*entry, y[t], dy_or_target[t]); });
  return losses::of_sum(sum, divisor);
}

template <class T>
LossCell<T> loss_cell(std::string_view loss, std::span<const T> y, std::span<const T> target, std::size_t index,
                      const LossChannels& channels) noexcept {
  const losses::Entry& entry = *losses::find(loss);
  if (!entry.is_per_position()) return cell_of(entry, y[index], target[index], y.size());
  const std::size_t position = index / (channels.count * channels.stride) * channels.stride + index % channels.stride;
  const losses::PositionSums sums =
      entry.sums(losses::Channels(y, channels, position), losses::Channels(target, channels, position));
  const auto wide = static_cast<double>(y[index]);
  LossCell<T> cell = cell_of<T>(entry, sums, wide, static_cast<double>(target[index]), y.size() / channels.count);
  const losses::PositionCell parts = entry.cell(sums, wide);
  cell.largest = static_cast<T>(parts.largest);
  cell.power = static_cast<T>(parts.power);
  cell.total = static_cast<T>(parts.total);
  cell.share = static_cast<T>(parts.share);
  return cell;
}

template <class T>
Status loss_gradient(std::string_view loss, std::span<const T> y, std::span<const T> dy_or_target, std::span<T> dy_out,
                     const LossChannels& channels) noexcept {
  const losses::Entry* const entry = losses::find(loss);
  if (Status status = check(entry, y.size(), dy_or_target, dy_out.size(), channels); !status.ok()) return status;
  if (entry->is_linear()) {
    std::ranges::copy(dy_or_target, dy_out.begin());
    return {};
  }
  if (entry->is_per_position()) {
    const std::size_t positions = y.size() / channels.count;
    for (std::size_t i = 0; i < positions; ++i) {
      const losses::Channels y_i(y, channels, i), target(dy_or_target, channels, i);
      const losses::PositionSums sums = entry->sums(y_i, target);
      for (std::size_t c = 0; c < channels.count; ++c) {
        dy_out[y_i.index(c)] = cell_of<T>(*entry, sums, y_i[c], target[c], positions).gradient;
      }
    }
    return {};
  }
  for (std::size_t t = 0; t < y.size(); ++t) dy_out[t] = cell_of(*entry, y[t], dy_or_target[t], y.size()).gradient;
  return {};
}

template Result<float> loss_value(std::string_view, std::span<const float>, std::span<const float>,
                                  const LossChannels&) noexcept;
template Result<double> loss_value(std::string_view, std::span<const double>, std::span<const double>,
                                   const LossChannels&) noexcept;
template LossCell<float> loss_cell(std::string_view, std::span<const float>, std::span<const float>, std::size_t,
                                   const LossChannels&) noexcept;
template LossCell<double> loss_cell(std::string_view, std::span<const double>, std::span<const double>, std::size_t,
                                    const LossChannels&) noexcept;
template Status loss_gradient(std::string_view, std::span<const float>, std::span<const float>, std::span<float>,
                              const LossChannels&) noexcept;
template Status loss_gradient(std::string_view, std::span<const double>, std::span<const double>, std::span<double>,
                              const LossChannels&) noexcept;

}  // namespace conv2d
