#include "session/mistake_session.hpp"

#include <utility>

#include "conv2d_teach/chain.hpp"

namespace conv2d::session {
namespace {

template <class T>
WithStatus<T> with_status(const Result<T>& result) {
  return result.ok() ? WithStatus<T>{*result, {}} : WithStatus<T>{{}, result.status()};
}

}  // namespace

Status MistakeSession::set_problem(const LayerDesc& desc) {
  const ConvDesc& x = desc.windows;
  const auto resolved =
      resolve_chain({.layout = x.layout, .n = x.n, .h = x.h, .w = x.w, .c = x.c, .layers = {&desc, 1}});
  if (resolved.ok()) layer_ = resolved->front();
  return resolved.status();
}

Status MistakeSession::reserve(MistakeSlot slot, std::int64_t length) {
  return tensors_[slot].reserve(length, "tensor");
}

mistakes::Inputs MistakeSession::inputs() const noexcept {
  return {.x = span(MistakeSlot::x), .w = span(MistakeSlot::w), .b = span(MistakeSlot::b), .dy = span(MistakeSlot::dy)};
}

mistakes::LayerProblem MistakeSession::layer() const {
  return {.kind = layer_->kind,
          .options = layer_->options,
          .geometry = layer_->geometry,
          .x = span(MistakeSlot::x),
          .dy = span(MistakeSlot::dy),
          .w = span(MistakeSlot::w),
          .b = span(MistakeSlot::b),
          .is_transposed = layer_->is_transposed};
}

DiagnosisResult MistakeSession::diagnose(Pass pass, std::int64_t cell, double value, double precision) const {
  if (!layer_) return {{}, no_problem()};
  const mistakes::WrittenValue written{.value = value, .precision = precision};
  return with_status(layer_->is_convolution() ? mistakes::diagnose(layer_->geometry, pass, inputs(), cell, written)
                                              : mistakes::diagnose(layer(), pass, cell, written));
}

AppliedMistakeResult MistakeSession::apply(Pass pass, int index) {
  if (!layer_) return {{}, no_problem()};
  const std::int64_t length = layer_->result_size(pass);
  for (const MistakeSlot slot : {MistakeSlot::wrong, MistakeSlot::difference}) {
    if (Status status = reserve(slot, length); !status.ok()) return {{}, std::move(status)};
  }
  return with_status(mistakes::apply(layer_->geometry, pass, inputs(), index, span(MistakeSlot::wrong),
                                     span(MistakeSlot::difference)));
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

AmbiguityResult MistakeSession::ambiguity(Pass pass, std::int64_t cell) const {
  if (!layer_) return {{}, no_problem()};
  return with_status(layer_->is_convolution() ? mistakes::ambiguity(layer_->geometry, pass, inputs(), cell)
                                              : mistakes::ambiguity(layer(), pass, cell));
}

Status MistakeSession::drop_signs(MistakeSlot slot) {
  mistakes::drop_signs(span(slot));
  return {};
}

double MistakeSession::rounding() const noexcept { return mistakes::rounding(span(MistakeSlot::magnitudes)); }

}  // namespace conv2d::session
