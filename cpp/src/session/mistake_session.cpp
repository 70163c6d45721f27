#include "session/mistake_session.hpp"

#include <utility>

#include "mistakes/brought.hpp"
#include "mistakes/diagnose.hpp"
#include "mistakes/shelf.hpp"
#include "session/no_problem.hpp"

namespace conv2d::session {
Status MistakeSession::set_problem(const ConvDesc& desc) {
  Result<Geometry> resolved = resolve(desc);
  if (resolved.ok()) geometry_ = *resolved;
  return resolved.status();
}

Status MistakeSession::reserve(MistakeSlot slot, std::int64_t length) {
  return tensors_[static_cast<std::size_t>(slot)].reserve(length, "the tensor");
}

std::span<float> MistakeSession::span(MistakeSlot slot) const noexcept {
  return tensors_[static_cast<std::size_t>(slot)].span();
}

mistakes::Inputs MistakeSession::inputs() const noexcept {
  return {.x = span(MistakeSlot::x), .w = span(MistakeSlot::w), .b = span(MistakeSlot::b), .dy = span(MistakeSlot::dy)};
}

Diagnosed MistakeSession::diagnose(Pass pass, std::int64_t cell, double value, double precision) const {
  if (!geometry_) return {.status = no_problem()};
  const auto diagnosis = mistakes::diagnose(*geometry_, pass, inputs(), cell, {.value = value, .precision = precision});
  if (!diagnosis.ok()) return {.status = diagnosis.status()};
  return {.status = {}, .right = diagnosis->right, .explanations = diagnosis->explanations};
}

Shown MistakeSession::show(Pass pass, int place) {
  if (!geometry_) return {.status = no_problem()};
  const std::int64_t length = geometry_->result_size(pass);
  for (const MistakeSlot slot : {MistakeSlot::wrong, MistakeSlot::difference}) {
    if (Status status = reserve(slot, length); !status.ok()) return {.status = std::move(status)};
  }
  const auto showing =
      mistakes::show(*geometry_, pass, inputs(), place, span(MistakeSlot::wrong), span(MistakeSlot::difference));
  if (!showing.ok()) return {.status = showing.status()};
  return {.status = {}, .occasion = showing->occasion, .differs = showing->differs, .alike = showing->alike};
}

CheckedBug MistakeSession::check() const {
  const auto checked = mistakes::hold_against(span(MistakeSlot::wrong), span(MistakeSlot::measured));
  if (!checked.ok()) return {.status = checked.status()};
  return {.status = {}, .failed = checked->failed, .worst = checked->worst};
}

HeldResult MistakeSession::hold() {
  const auto length = static_cast<std::int64_t>(span(MistakeSlot::right).size());
  if (Status status = reserve(MistakeSlot::difference, length); !status.ok()) return {.status = std::move(status)};
  const auto held = mistakes::hold(span(MistakeSlot::brought), span(MistakeSlot::right), span(MistakeSlot::magnitudes),
                                   span(MistakeSlot::difference));
  if (!held.ok()) return {.status = held.status()};
  return {.status = {},
          .worst = held->worst,
          .not_finite = held->not_finite,
          .factor = held->factor,
          .within = {held->within.begin(), held->within.end()}};
}

Explained MistakeSession::explain(Pass pass) const {
  if (!geometry_) return {.status = no_problem()};
  const auto explained = mistakes::explain(*geometry_, pass, inputs(), span(MistakeSlot::brought));
  if (!explained.ok()) return {.status = explained.status()};
  return {.status = {}, .exactness = explained->exactness, .mistakes = explained->mistakes};
}

Status MistakeSession::drop_signs(MistakeSlot slot) {
  mistakes::drop_signs(span(slot));
  return {};
}

double MistakeSession::rounding() const noexcept { return mistakes::rounding(span(MistakeSlot::magnitudes)); }

}  // namespace conv2d::session
