#include "session/race_session.hpp"

#include <utility>

#include "conv2d/reference.hpp"
#include "conv2d_teach/numeric.hpp"

namespace conv2d::session {

ProblemSizes RaceSession::set_problem(const ConvDesc& desc) {
  const Result<Geometry> resolved = resolve(desc);
  if (!resolved.ok()) return {.status = resolved.status()};
  geometry_ = *resolved;
  const Geometry& g = *geometry_;
  for (Buffer<float>& each : tensors_) each.release();
  const std::pair<RaceSlot, std::int64_t> inputs[]{
      {RaceSlot::x, g.x_size}, {RaceSlot::w, g.w_size}, {RaceSlot::b, g.k}, {RaceSlot::dy, g.y_size}};
  std::uint32_t seed = 0;
  for (const auto& [slot, length] : inputs) {
    Status status = tensors_[slot].reserve(length, "tensor");
    if (!status.ok()) return {.status = std::move(status)};
    random_reals(++seed, span(slot));
  }
  return {.status = {}, .macs = g.macs(), .x_floats = g.x_size, .w_floats = g.w_size, .y_floats = g.y_size};
}

race::Inputs RaceSession::inputs() const noexcept {
  return {.x = span(RaceSlot::x), .w = span(RaceSlot::w), .b = span(RaceSlot::b), .dy = span(RaceSlot::dy)};
}

Status RaceSession::compute_expected(Pass pass) {
  if (!geometry_) return no_problem();
  Status status = tensors_[RaceSlot::expected].reserve(geometry_->result_size(pass), "result");
  if (!status.ok()) return status;
  const auto [x, w, b, dy] = inputs();
  reference::run(*geometry_, pass, {.x = x, .w = w, .b = b, .dy = dy, .out = span(RaceSlot::expected)});
  return status;
}

Status RaceSession::reserve_actual(std::int64_t length) { return tensors_[RaceSlot::actual].reserve(length, "result"); }

VerifyResult RaceSession::verify() const {
  return {.status = {}, .error = relative_error(span(RaceSlot::actual), span(RaceSlot::expected))};
}

Status RaceSession::loops(Pass pass, race::Order order) {
  if (!geometry_) return no_problem();
  // The previous result may have had another length.
  Status status = reserve_actual(geometry_->result_size(pass));
  if (status.ok()) race::loops(*geometry_, pass, order, inputs(), span(RaceSlot::actual));
  return status;
}

Status RaceSession::reserve_stream(std::int64_t length) {
  for (Buffer<float>& array : arrays_) {
    Status status = array.reserve(length, "array");
    if (!status.ok()) return status;
    random_reals(1, array.span());
  }
  return {};
}

void RaceSession::stream() noexcept { race::triad(arrays_[0].span(), arrays_[1].span(), 0.5F, arrays_[2].span()); }

}  // namespace conv2d::session
