#include "session/chain_session.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/errors.hpp"
#include "conv2d_teach/learning.hpp"

namespace conv2d::session {
namespace {

Status no_chain() { return {ErrorCode::invalid_argument, "layers", "no chain has been set in this session"}; }

}  // namespace

Status ChainSession::set_chain(const ChainInput& input, std::span<const LayerDesc> layers) {
  const Result<Chain> planned =
      plan_chain({.layout = input.layout, .n = input.n, .h = input.h, .w = input.w, .c = input.c, .layers = layers});
  if (!planned.ok()) return planned.status();
  chain_ = *planned;
  has_run_ = false;
  loss_.reset();
  back_loss_.reset();
  check_table_.release();
  Status status = reserve_outputs();
  if (!status.ok()) chain_.reset();
  return status;
}

Status ChainSession::reserve_outputs() {
  Status status = workspace_.reserve_at_least(chain_->memory().workspace_floats, "workspace");
  const auto reserve = [&](std::size_t layer, ChainSlot slot, std::int64_t length) {
    if (status.ok()) status = tensors_[layer][slot].reserve(length, to_string(slot));
  };
  reserve(0, ChainSlot::dx, chain_->layer(0).geometry.x_size);
  for (std::size_t i = 0; i < kMaxLayers; ++i) {
    const bool exists = i < chain_->size();
    reserve(i, ChainSlot::y, exists ? chain_->layer(i).geometry.y_size : 0);
    reserve(i, ChainSlot::dy, exists ? chain_->layer(i).geometry.y_size : 0);
    reserve(i, ChainSlot::dw, exists ? chain_->layer(i).w_size : 0);
    reserve(i, ChainSlot::db, exists ? chain_->layer(i).b_size : 0);
    if (status.ok()) status = winners_[i].reserve(exists ? chain_->layer(i).winners_size : 0, "winners");
  }
  return status;
}

Result<std::size_t> ChainSession::place_of(std::int64_t layer, ChainSlot slot) const noexcept {
  if (!is_of_layer(slot)) return std::size_t{0};
  const std::size_t layers = chain_ ? chain_->size() : 0;
  if (layer >= 0 && std::cmp_less(layer, layers)) return static_cast<std::size_t>(layer);
  return Status{ErrorCode::invalid_argument, "layer", text("there is no layer ", layer, "; the chain has ", layers)};
}

Status ChainSession::reserve(std::int64_t layer, ChainSlot slot, std::int64_t length) {
  const Result<std::size_t> place = place_of(layer, slot);
  loss_.reset();
  back_loss_.reset();
  return place.ok() ? tensors_[*place][slot].reserve(length, to_string(slot)) : place.status();
}

std::span<float> ChainSession::span(std::int64_t layer, ChainSlot slot) const noexcept {
  const Result<std::size_t> place = place_of(layer, slot);
  return place.ok() ? at(*place, slot) : std::span<float>{};
}

std::span<std::int32_t> ChainSession::winners(std::int64_t layer) const noexcept {
  const Result<std::size_t> place = place_of(layer, ChainSlot::y);
  return place.ok() ? winners_[*place].span() : std::span<std::int32_t>{};
}

template <class Pass>
Status ChainSession::run(Pass pass) {
  if (!chain_) return no_chain();
  std::array<LayerTensors<float>, kMaxLayers> layers;
  for (std::size_t i = 0; i < chain_->size(); ++i) {
    layers[i] = {.w = at(i, ChainSlot::w),
                 .b = at(i, ChainSlot::b),
                 .y = at(i, ChainSlot::y),
                 .winners = winners_[i].span(),
                 .dy = at(i, ChainSlot::dy),
                 .dw = at(i, ChainSlot::dw),
                 .db = at(i, ChainSlot::db)};
  }
  const ChainTensors<float> tensors{
      .x = at(0, ChainSlot::x), .dx = at(0, ChainSlot::dx), .layers = std::span(layers).first(chain_->size())};
  return pass(*chain_, tensors, Resources{.workspace = workspace_.span()});
}

Status ChainSession::check_has_run() const noexcept {
  if (!chain_) return no_chain();
  if (has_run_) return {};
  return {ErrorCode::invalid_argument, "y", "the outputs of this chain are not computed: run forward first"};
}

Status ChainSession::forward() {
  loss_.reset();
  Status status = run([](const auto&... arguments) { return conv2d::forward(arguments...); });
  has_run_ = status.ok();
  return status;
}

Status ChainSession::backward() {
  Status status = check_has_run();
  if (status.ok()) status = run([](const auto&... arguments) { return conv2d::backward(arguments...); });
  back_loss_ = status.ok() ? loss_ : std::nullopt;
  return status;
}

ScalarResult ChainSession::loss_dy(Loss loss) {
  Status status = check_has_run();
  if (!status.ok()) return {.status = std::move(status)};
  const std::span<const float> target = at(0, ChainSlot::target);
  status = loss_gradient<float>(loss, last_y(), target, at(chain_->size() - 1, ChainSlot::dy));
  if (!status.ok()) return {.status = std::move(status)};
  loss_ = loss;
  return {.status = {}, .value = static_cast<double>(*loss_value<float>(loss, last_y(), target))};
}

Status ChainSession::sgd_step(double rate) {
  if (!chain_) return no_chain();
  back_loss_.reset();
  for (std::size_t i = 0; i < chain_->size(); ++i) {
    Status status = conv2d::sgd_step(at(i, ChainSlot::w), at(i, ChainSlot::dw), rate);
    if (status.ok() && !at(i, ChainSlot::b).empty()) {
      status = conv2d::sgd_step(at(i, ChainSlot::b), at(i, ChainSlot::db), rate);
    }
    if (!status.ok()) return status;
  }
  return {};
}

ChainAverageCell ChainSession::average_cell(std::int64_t layer, std::int64_t index) const {
  const Result<std::size_t> place = place_of(layer, ChainSlot::y);
  if (!place.ok()) return {.status = place.status()};
  const LayerInfo& info = chain_->layer(*place);
  if (info.desc.kind != LayerKind::average_pool || index < 0 || index >= info.geometry.y_size) {
    return {
        .status = {ErrorCode::invalid_argument, "index", "the layer is no average_pool, or its y has no such cell"}};
  }
  const std::span<const float> x = *place == 0 ? at(0, ChainSlot::x) : at(*place - 1, ChainSlot::y);
  if (std::cmp_not_equal(x.size(), info.geometry.x_size)) {
    return {.status = length_mismatch("x", x.size(), info.geometry.x_size)};
  }
  const AverageCell cell = conv2d::average_cell(info, x, index);
  return {.status = {}, .sum = cell.sum, .count = cell.count};
}

template <class T>
CheckSummary ChainSession::check(const ChainCheckOptions& options) {
  const std::size_t count = chain_->size();
  const Result<std::size_t> place = place_of(options.layer, ChainSlot::y);
  if (!place.ok()) return {.status = place.status()};
  const ChainSlot slots[]{*place == 0 ? ChainSlot::dx : ChainSlot::dy, ChainSlot::dw, ChainSlot::db};
  const ChainSlot slot = slots[static_cast<std::size_t>(options.parameter)];
  std::span<const float> computed;
  if (back_loss_ == options.loss) computed = at(slot == ChainSlot::dy ? *place - 1 : *place, slot);
  Converted<T> x, target, gradient;
  std::array<Converted<T>, kMaxLayers> w, b;
  Status status = x.assign(at(0, ChainSlot::x), "x");
  if (status.ok()) status = target.assign(at(0, ChainSlot::target), "target");
  if (status.ok()) status = gradient.assign(computed, "gradient");
  std::array<LayerTensors<T>, kMaxLayers> layers;
  for (std::size_t i = 0; status.ok() && i < count; ++i) {
    status = w[i].assign(at(i, ChainSlot::w), "w");
    if (status.ok()) status = b[i].assign(at(i, ChainSlot::b), "b");
    layers[i] = {.w = w[i].view(), .b = b[i].view()};
  }
  Buffer<std::int64_t> cells;
  if (status.ok()) status = cells.reserve(std::ssize(check_cells()), "indices");
  if (!status.ok()) return {.status = std::move(status)};
  std::ranges::copy(check_cells(), cells.span().begin());
  const auto checked =
      chain_gradient_check<T>(chain_->layers(), options.loss, {.layer = *place, .parameter = options.parameter},
                              {.x = x.view(),
                               .layers = std::span(layers).first(count),
                               .dy_or_target = target.view(),
                               .gradient = gradient.view(),
                               .gradient_precision = static_cast<double>(std::numeric_limits<float>::epsilon())},
                              static_cast<T>(options.epsilon), cells.span());
  if (!checked.ok()) return {.status = checked.status()};
  return write_table(*checked, check_table_);
}

CheckSummary ChainSession::gradient_check(const ChainCheckOptions& options) {
  if (!chain_) return {.status = no_chain()};
  return options.float64 ? check<double>(options) : check<float>(options);
}

}  // namespace conv2d::session
