#include "race_session.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "conv2d/reference.hpp"
#include "race/stream.hpp"
#include "shared/sizes.hpp"

namespace conv2d::bindings {
namespace {

Status no_problem() { return {ErrorCode::invalid_argument, "desc", "no problem has been set"}; }

/// Values in [-1, 1) from a linear congruential generator, as the native benchmark has them.
void fill_random(std::span<float> values, std::uint32_t seed) {
  for (float& value : values) {
    seed = 1664525 * seed + 1013904223;
    value = static_cast<float>(seed >> 8) / static_cast<float>(1 << 23) - 1;
  }
}

bool is_subnormal(float value) { return value != 0 && std::abs(value) < std::numeric_limits<float>::min(); }

double count(std::int64_t value) { return static_cast<double>(value); }

}  // namespace

Prepared RaceSession::set_problem(const ConvDesc& desc) {
  const Result<Geometry> resolved = resolve(desc);
  if (!resolved.ok()) return {.status = resolved.status()};
  geometry_ = *resolved;
  const Geometry& g = *geometry_;
  for (HeapBuffer<float>& tensor : tensors_) tensor.release();
  const std::pair<RaceSlot, std::int64_t> inputs[]{
      {RaceSlot::x, g.x_size}, {RaceSlot::w, g.w_size}, {RaceSlot::b, g.k}, {RaceSlot::dy, g.y_size}};
  std::uint32_t seed = 0;
  for (const auto& [slot, length] : inputs) {
    Status status = tensors_[static_cast<std::size_t>(slot)].reserve(length, "a tensor");
    if (!status.ok()) return {.status = std::move(status)};
    fill_random(span(slot), ++seed);
  }
  return {.status = {},
          .macs = count(g.macs()),
          .x_floats = count(g.x_size),
          .w_floats = count(g.w_size),
          .y_floats = count(g.y_size),
          .x_col_floats = count(g.n * g.oh * g.ow) * count(g.kh * g.kw * g.c)};
}

std::span<float> RaceSession::span(RaceSlot slot) const noexcept {
  return tensors_[static_cast<std::size_t>(slot)].span();
}

race::Inputs RaceSession::inputs() const noexcept {
  return {.x = span(RaceSlot::x), .w = span(RaceSlot::w), .b = span(RaceSlot::b), .dy = span(RaceSlot::dy)};
}

Status RaceSession::expect(Pass pass) {
  if (!geometry_) return no_problem();
  const Geometry& g = *geometry_;
  Status status = tensors_[static_cast<std::size_t>(RaceSlot::expected)].reserve(g.result_size(pass), "a result");
  if (!status.ok()) return status;
  const auto [x, w, b, dy] = inputs();
  const std::span<float> out = span(RaceSlot::expected);
  switch (pass) {
    case Pass::forward:
      reference::forward<float>(g, x, w, b, out);
      break;
    case Pass::backward_data:
      reference::backward_data<float>(g, dy, w, out);
      break;
    case Pass::backward_weights:
      reference::backward_weights<float>(g, x, dy, out);
      break;
    case Pass::backward_bias:
      reference::backward_bias<float>(g, dy, out);
      break;
  }
  return status;
}

Status RaceSession::reserve_made(double length) {
  return tensors_[static_cast<std::size_t>(RaceSlot::made)].reserve(to_count(length), "a result");
}

Judged RaceSession::judge() const {
  const std::span<const float> expected = span(RaceSlot::expected);
  const std::span<const float> made = span(RaceSlot::made);
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (made.size() != expected.size()) return {.status = {}, .error = kInfinite};
  double worst = 0, scale = 0;
  for (std::size_t t = 0; t < expected.size(); ++t) {
    const double difference = std::abs(static_cast<double>(made[t]) - static_cast<double>(expected[t]));
    if (std::isnan(difference)) return {.status = {}, .error = kInfinite};
    worst = std::max(worst, difference);
    scale = std::max(scale, std::abs(static_cast<double>(expected[t])));
  }
  return {
      .status = {}, .error = scale > 0 ? worst / scale : worst, .plain = std::ranges::none_of(expected, is_subnormal)};
}

Status RaceSession::loops(Pass pass, race::Order order) {
  if (!geometry_) return no_problem();
  // Somebody else's result may have been of another length.
  Status status = reserve_made(static_cast<double>(geometry_->result_size(pass)));
  if (status.ok()) race::loops(*geometry_, pass, order, inputs(), span(RaceSlot::made));
  return status;
}

Status RaceSession::reserve_stream(double length) {
  for (HeapBuffer<float>& array : arrays_) {
    Status status = array.reserve(to_count(length), "an array");
    if (!status.ok()) return status;
    fill_random(array.span(), 1);
  }
  return {};
}

void RaceSession::stream() noexcept { race::triad(arrays_[0].span(), arrays_[1].span(), 0.5F, arrays_[2].span()); }

}  // namespace conv2d::bindings
