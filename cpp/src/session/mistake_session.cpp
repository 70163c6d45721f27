#include "session/mistake_session.hpp"

#include <utility>

#include "mistakes/apply.hpp"
#include "mistakes/compare.hpp"
#include "mistakes/diagnose.hpp"
#include "session/no_problem.hpp"

namespace conv2d::session {
Status MistakeSession::set_problem(const ConvDesc& desc) {
  Result<Geometry> resolved = resolve(desc);
  if (resolved.ok()) geometry_ = *resolved;
  return resolved.status();
}

Status MistakeSession::reserve(MistakeSlot slot, std::int64_t length) {
  return tensors_[static_cast<std::size_t>(slot)].reserve(length, "tensor");
}

std::span<float> MistakeSession::span(MistakeSlot slot) const noexcept {
  return tensors_[static_cast<std::size_t>(slot)].span();
}

mistakes::Inputs MistakeSession::inputs() const noexcept {
  return {.x = span(MistakeSlot::x), .w = span(MistakeSlot::w), .b = span(MistakeSlot::b), .dy = span(MistakeSlot::dy)};
}

DiagnosisResult MistakeSession::diagnose(Pass pass, std::int64_t cell, double value, double precision) const {
  if (!geometry_) return {.status = no_problem()};
  const auto diagnosis = mistakes::diagnose(*geometry_, pass, inputs(), cell, {.value = value, .precision = precision});
  if (!diagnosis.ok()) return {.status = diagnosis.status()};
  return {.status = {}, .right = diagnosis->right, .explanations = diagnosis->explanations};
}

AppliedMistakeResult MistakeSession::apply(Pass pass, int index) {
  if (!geometry_) return {.status = no_problem()};
  const std::int64_t length = geometry_->result_size(pass);
  for (const MistakeSlot slot : {MistakeSlot::wrong, MistakeSlot::difference}) {
    if (Status status = reserve(slot, length); !status.ok()) return {.status = std::move(status)};
  }
  const auto applied =
      mistakes::apply(*geometry_, pass, inputs(), index, span(MistakeSlot::wrong), span(MistakeSlot::difference));
  if (!applied.ok()) return {.status = applied.status()};
  return {
      .status = {}, .applicable = applied->applicable, .differs = applied->differs, .equivalent = applied->equivalent};
}

GradientComparisonResult MistakeSession::compare_gradient() const {
  const auto comparison = mistakes::compare_gradient(span(MistakeSlot::wrong), span(MistakeSlot::measured));
  if (!comparison.ok()) return {.status = comparison.status()};
  return {.status = {}, .failed = comparison->failed, .worst = comparison->worst};
}

ComparisonResult MistakeSession::compare() {
  const auto length = static_cast<std::int64_t>(span(MistakeSlot::expected).size());
  if (Status status = reserve(MistakeSlot::difference, length); !status.ok()) return {.status = std::move(status)};
  const auto comparison = mistakes::compare(span(MistakeSlot::user_result), span(MistakeSlot::expected),
                                            span(MistakeSlot::magnitudes), span(MistakeSlot::difference));
  if (!comparison.ok()) return {.status = comparison.status()};
  return {.status = {},
          .worst = comparison->worst,
          .not_finite = comparison->not_finite,
          .factor = comparison->factor,
          .within = {comparison->within.begin(), comparison->within.end()}};
}

ExplanationResult MistakeSession::explain(Pass pass) const {
  if (!geometry_) return {.status = no_problem()};
  const auto explanation = mistakes::explain(*geometry_, pass, inputs(), span(MistakeSlot::user_result));
  if (!explanation.ok()) return {.status = explanation.status()};
  return {.status = {}, .tolerance = explanation->tolerance, .mistakes = explanation->mistakes};
}

Status MistakeSession::drop_signs(MistakeSlot slot) {
  mistakes::drop_signs(span(slot));
  return {};
}

double MistakeSession::rounding() const noexcept { return mistakes::rounding(span(MistakeSlot::magnitudes)); }

}  // namespace conv2d::session
