#include "session/mistake_session.hpp"

#include <algorithm>
#include <utility>

namespace conv2d::session {
namespace {

template <class T>
WithStatus<T> with_status(const Result<T>& result) {
  return result.ok() ? WithStatus<T>{*result, {}} : WithStatus<T>{{}, result.status()};
}

}  // namespace

Status MistakeSession::set_problem(const ConvDesc& desc) {
  Result<Geometry> resolved = resolve(desc);
  if (resolved.ok()) geometry_ = *resolved;
  return resolved.status();
}

Status MistakeSession::reserve(MistakeSlot slot, std::int64_t length) {
  return tensors_[slot].reserve(length, "tensor");
}

mistakes::Inputs MistakeSession::inputs() const noexcept {
  return {.x = span(MistakeSlot::x), .w = span(MistakeSlot::w), .b = span(MistakeSlot::b), .dy = span(MistakeSlot::dy)};
}

mistakes::LayerProblem MistakeSession::layer(LayerKind kind, bool count_include_pad) const {
  return {.kind = kind,
          .geometry = *geometry_,
          .count_include_pad = count_include_pad,
          .x = span(MistakeSlot::x),
          .dy = span(MistakeSlot::dy)};
}

DiagnosisResult MistakeSession::diagnose(Pass pass, std::int64_t cell, double value, double precision) const {
  if (!geometry_) return {{}, no_problem()};
  return with_status(mistakes::diagnose(*geometry_, pass, inputs(), cell, {.value = value, .precision = precision}));
}

AppliedMistakeResult MistakeSession::apply(Pass pass, int index) {
  if (!geometry_) return {{}, no_problem()};
  const std::int64_t length = geometry_->result_size(pass);
  for (const MistakeSlot slot : {MistakeSlot::wrong, MistakeSlot::difference}) {
    if (Status status = reserve(slot, length); !status.ok()) return {{}, std::move(status)};
  }
  return with_status(
      mistakes::apply(*geometry_, pass, inputs(), index, span(MistakeSlot::wrong), span(MistakeSlot::difference)));
}

GradientComparisonResult MistakeSession::compare_gradient() const {
  return with_status(mistakes::compare_gradient(span(MistakeSlot::wrong), span(MistakeSlot::measured)));
}

DifferenceResult MistakeSession::subtract() {
  const auto length = static_cast<std::int64_t>(span(MistakeSlot::expected).size());
  if (Status status = reserve(MistakeSlot::difference, length); !status.ok()) return {{}, std::move(status)};
  return with_status(
      mistakes::subtract(span(MistakeSlot::user_result), span(MistakeSlot::expected), span(MistakeSlot::difference)));
}

DiagnosisResult MistakeSession::diagnose_layer(LayerKind kind, bool count_include_pad, Pass pass, std::int64_t cell,
                                               double value, double precision) const {
  if (!geometry_) return {{}, no_problem()};
  return with_status(
      mistakes::diagnose(layer(kind, count_include_pad), pass, cell, {.value = value, .precision = precision}));
}

AmbiguityResult MistakeSession::ambiguity(LayerKind kind, bool count_include_pad, Pass pass, std::int64_t cell) const {
  if (!geometry_) return {{}, no_problem()};
  return with_status(kind == LayerKind::conv ? mistakes::ambiguity(*geometry_, pass, inputs(), cell)
                                             : mistakes::ambiguity(layer(kind, count_include_pad), pass, cell));
}

Status MistakeSession::drop_signs(MistakeSlot slot) {
  mistakes::drop_signs(span(slot));
  return {};
}

CheckSummary MistakeSession::gradient_check(const CheckOptions& options) {
  if (!geometry_) return {.status = no_problem()};
  Buffer<std::int64_t> cells;
  if (Status status = cells.reserve(std::ssize(check_cells()), "indices"); !status.ok()) {
    return {.status = std::move(status)};
  }
  std::ranges::copy(check_cells(), cells.span().begin());
  const CheckTensors tensors{.x = span(MistakeSlot::x),
                             .w = span(MistakeSlot::w),
                             .b = span(MistakeSlot::b),
                             .dy = span(MistakeSlot::dy),
                             .target = span(MistakeSlot::target),
                             .gradient = span(MistakeSlot::gradient)};
  return fill_gradient_table(*geometry_, tensors, options, cells.span(), check_table_);
}

double MistakeSession::rounding() const noexcept { return mistakes::rounding(span(MistakeSlot::magnitudes)); }

}  // namespace conv2d::session
