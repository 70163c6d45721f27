#include "session/gradient_check_session.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/errors.hpp"

namespace conv2d::session {
namespace {

/// A float tensor as T: a view, or a copy converted to double.
template <class T>
class Converted {
 public:
  Status assign(std::span<const float> values, std::string_view name) {
    if constexpr (std::is_same_v<T, float>) {
      view_ = values;
      return {};
    } else {
      Status status = copy_.reserve(std::ssize(values), name);
      if (status.ok()) std::ranges::copy(values, copy_.span().begin());
      view_ = copy_.span();
      return status;
    }
  }

  [[nodiscard]] std::span<const T> view() const noexcept { return view_; }

 private:
  Buffer<T> copy_;
  std::span<const T> view_;
};

/// From best to worst.
int rank_of(GradientVerdict verdict) noexcept {
  static constexpr int kRank[]{0, 1, 4, 6, 2, 3, 5};
  return kRank[static_cast<int>(verdict)];
}

double larger_of(double so_far, double error) noexcept {
  return std::isnan(so_far) || error <= so_far ? so_far : error;
}

}  // namespace

Status GradientCheckSession::set_problem(ChainDesc desc, std::span<const LayerDesc> layers) {
  desc.layers = layers;
  auto resolved = resolve_chain(desc);
  if (!resolved.ok()) return resolved.status();
  layers_ = std::move(resolved).value();
  tensors_ = {};
  table_.release();
  return {};
}

Result<std::size_t> GradientCheckSession::place_of(std::int64_t layer, CheckSlot slot) const noexcept {
  if (slot < CheckSlot::w) return std::size_t{0};
  if (layer >= 0 && std::cmp_less(layer, layers_.size())) return static_cast<std::size_t>(layer);
  return Status{ErrorCode::invalid_argument, "layer",
                text("there is no layer ", layer, "; the chain has ", layers_.size())};
}

Status GradientCheckSession::reserve(std::int64_t layer, CheckSlot slot, std::int64_t length) {
  const Result<std::size_t> place = place_of(layer, slot);
  return place.ok() ? tensors_[*place][slot].reserve(length, to_string(slot)) : place.status();
}

std::span<float> GradientCheckSession::span(std::int64_t layer, CheckSlot slot) const noexcept {
  const Result<std::size_t> place = place_of(layer, slot);
  return place.ok() ? at(*place, slot) : std::span<float>{};
}

template <class T>
CheckSummary GradientCheckSession::check(const CheckOptions& options) {
  const std::size_t count = layers_.size();
  const Result<std::size_t> place = place_of(options.layer, CheckSlot::w);
  if (!place.ok()) return {.status = place.status()};
  Converted<T> x, target, gradient;
  std::array<Converted<T>, kMaxLayers> w, b;
  Status status = x.assign(at(0, CheckSlot::x), "x");
  if (status.ok()) status = target.assign(at(0, CheckSlot::target), "target");
  if (status.ok()) status = gradient.assign(at(0, CheckSlot::gradient), "gradient");
  std::array<LayerTensors<T>, kMaxLayers> layers;
  for (std::size_t i = 0; status.ok() && i < count; ++i) {
    status = w[i].assign(at(i, CheckSlot::w), "w");
    if (status.ok()) status = b[i].assign(at(i, CheckSlot::b), "b");
    layers[i] = {.w = w[i].view(), .b = b[i].view()};
  }
  Buffer<std::int64_t> indices;
  if (status.ok()) status = indices.reserve(std::ssize(cells()), "indices");
  if (!status.ok()) return {.status = std::move(status)};
  std::ranges::copy(cells(), indices.span().begin());
  const auto checked =
      conv2d::gradient_check<T>(layers_, options.loss, {.layer = *place, .parameter = options.parameter},
                                {.x = x.view(),
                                 .layers = std::span(layers).first(count),
                                 .dy_or_target = target.view(),
                                 .gradient = gradient.view(),
                                 .gradient_precision = static_cast<double>(std::numeric_limits<float>::epsilon())},
                                static_cast<T>(options.epsilon), indices.span());
  return checked.ok() ? write_table(*checked) : CheckSummary{.status = checked.status()};
}

CheckSummary GradientCheckSession::write_table(const std::vector<GradientCheckCell>& cells) {
  constexpr std::size_t kRows = 17;
  const std::size_t count = cells.size();
  CheckSummary summary{.status = table_.reserve(static_cast<std::int64_t>(count * kRows), "cells"),
                       .cells = static_cast<std::int64_t>(count)};
  if (!summary.status.ok()) return summary;
  GradientVerdict worst = GradientVerdict::confirmed;
  for (std::size_t i = 0; i < count; ++i) {
    const GradientCheckCell& cell = cells[i];
    std::size_t row = 0;
    const auto add = [&](auto... values) { ((table()[row++ * count + i] = static_cast<double>(values)), ...); };
    add(cell.index, cell.loss_plus, cell.loss_minus, cell.analytic, cell.numeric, cell.absolute_error,
        cell.relative_error, cell.rounding, cell.truncation, cell.verdict, cell.kink_layer, cell.kink_cell,
        cell.kink_at_value, cell.winner_above, cell.winner_below, cell.slope_above, cell.slope_below);
    if (rank_of(cell.verdict) > rank_of(worst)) worst = cell.verdict;
    if (cell.verdict == GradientVerdict::at_kink || cell.verdict == GradientVerdict::at_tie) continue;
    summary.max_absolute_error = larger_of(summary.max_absolute_error, cell.absolute_error);
    if (cell.verdict == GradientVerdict::within_rounding) continue;
    summary.max_relative_error = larger_of(summary.max_relative_error, cell.relative_error);
  }
  summary.verdict = static_cast<std::int64_t>(worst);
  return summary;
}

CheckSummary GradientCheckSession::gradient_check(const CheckOptions& options) {
  if (layers_.empty()) return {.status = no_problem("layers")};
  return options.float64 ? check<double>(options) : check<float>(options);
}

}  // namespace conv2d::session
