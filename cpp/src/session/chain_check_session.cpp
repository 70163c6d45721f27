#include "session/chain_check_session.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/errors.hpp"

namespace conv2d::session {

Status ChainCheckSession::set_problem(const ChainInput& input, std::span<const LayerDesc> layers) {
  auto resolved =
      resolve_chain({.layout = input.layout, .n = input.n, .h = input.h, .w = input.w, .c = input.c, .layers = layers});
  if (!resolved.ok()) return resolved.status();
  layers_ = std::move(resolved).value();
  tensors_ = {};
  check_table_.release();
  return {};
}

Result<std::size_t> ChainCheckSession::place_of(std::int64_t layer, ChainCheckSlot slot) const noexcept {
  if (slot < ChainCheckSlot::w) return std::size_t{0};
  if (layer >= 0 && std::cmp_less(layer, layers_.size())) return static_cast<std::size_t>(layer);
  return Status{ErrorCode::invalid_argument, "layer",
                text("there is no layer ", layer, "; the chain has ", layers_.size())};
}

Status ChainCheckSession::reserve(std::int64_t layer, ChainCheckSlot slot, std::int64_t length) {
  const Result<std::size_t> place = place_of(layer, slot);
  return place.ok() ? tensors_[*place][slot].reserve(length, to_string(slot)) : place.status();
}

std::span<float> ChainCheckSession::span(std::int64_t layer, ChainCheckSlot slot) const noexcept {
  const Result<std::size_t> place = place_of(layer, slot);
  return place.ok() ? at(*place, slot) : std::span<float>{};
}

template <class T>
CheckSummary ChainCheckSession::check(const ChainCheckOptions& options) {
  const std::size_t count = layers_.size();
  const Result<std::size_t> place = place_of(options.layer, ChainCheckSlot::w);
  if (!place.ok()) return {.status = place.status()};
  Converted<T> x, target, gradient;
  std::array<Converted<T>, kMaxLayers> w, b;
  Status status = x.assign(at(0, ChainCheckSlot::x), "x");
  if (status.ok()) status = target.assign(at(0, ChainCheckSlot::target), "target");
  if (status.ok()) status = gradient.assign(at(0, ChainCheckSlot::gradient), "gradient");
  std::array<LayerTensors<T>, kMaxLayers> layers;
  for (std::size_t i = 0; status.ok() && i < count; ++i) {
    status = w[i].assign(at(i, ChainCheckSlot::w), "w");
    if (status.ok()) status = b[i].assign(at(i, ChainCheckSlot::b), "b");
    layers[i] = {.w = w[i].view(), .b = b[i].view()};
  }
  Buffer<std::int64_t> cells;
  if (status.ok()) status = cells.reserve(std::ssize(check_cells()), "indices");
  if (!status.ok()) return {.status = std::move(status)};
  std::ranges::copy(check_cells(), cells.span().begin());
  const auto checked =
      chain_gradient_check<T>(layers_, options.loss, {.layer = *place, .parameter = options.parameter},
                              {.x = x.view(),
                               .layers = std::span(layers).first(count),
                               .dy_or_target = target.view(),
                               .gradient = gradient.view(),
                               .gradient_precision = static_cast<double>(std::numeric_limits<float>::epsilon())},
                              static_cast<T>(options.epsilon), cells.span());
  if (!checked.ok()) return {.status = checked.status()};
  return write_table(*checked, check_table_);
}

CheckSummary ChainCheckSession::gradient_check(const ChainCheckOptions& options) {
  if (layers_.empty()) return {.status = no_problem("layers")};
  return options.float64 ? check<double>(options) : check<float>(options);
}

}  // namespace conv2d::session
