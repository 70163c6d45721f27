#include "algorithms/prepared_pass.hpp"

#include "base/checked.hpp"
#include "check/check.hpp"
#include "cost/constants.hpp"
#include "desc/changed.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/layout_change.hpp"

namespace conv2d::algorithm {
namespace {

/// Elements of the pass's output, when it has a layout.
std::int64_t converted_output(Pass pass, const Geometry& g) noexcept {
  return pass == Pass::backward_bias ? 0 : g.result_size(pass);
}

}  // namespace

PreparedPass::PreparedPass(const Entry& entry, const Geometry& g, const Request& request)
    : entry_(entry), instruction_set_(request.kernels->instruction_set), g_(g) {
  CONV2D_CHECK(request.threads >= 1 && entry.why_not(g).empty());
  Ledger ledger;
  Request own_request = request;
  if (converts()) {
    const Pass pass = entry.pass;
    // Out of OIHW they would have to be converted before they are packed.
    own_request.packed_weights = false;
    const bool x = pass == Pass::forward || pass == Pass::backward_weights;
    const bool w = pass == Pass::forward || pass == Pass::backward_data;
    if (x) x_ = ledger.take(g.x_size);
    if (pass != Pass::forward) dy_ = ledger.take(g.y_size);
    if (w) w_ = ledger.take(g.w_size);
    out_ = ledger.take(converted_output(pass, g));
    const std::int64_t elements =
        (x ? g.x_size : 0) + (w ? g.w_size : 0) + (pass != Pass::forward ? g.y_size : 0) + converted_output(pass, g);
    cost_ = request.kernels->costs->loops.converted_float * static_cast<double>(elements);
  }
  prepared_ = entry.prepare(converts() ? in_layout(g, Layout::nhwc) : g, own_request);
  CONV2D_CHECK(prepared_->parts() >= 1 && prepared_->parts() <= request.threads);
  cost_ += prepared_->cost();
  if (parts() > 1) cost_ += request.kernels->costs->loops.handed_out;
  if (!converts()) {
    const CheckedInt packed = prepared_->packed_floats();
    packed_floats_ = packed.value_or(kMaxFloats + 1) <= kMaxFloats ? packed.value() : 0;
  }
  common_ = ledger.take(prepared_->common().floats());
  const CheckedInt step = prepared_->own().next();
  own_step_ = step.value_or(0);
  own_ = ledger.take(step * (parts() - 1) + prepared_->own().floats());
  const CheckedInt all = ledger.floats();
  const CheckedInt aligned = all.value_or(1) > 0 ? all + (kLineFloats - 1) : all;
  workspace_floats_ = aligned.value_or(kMaxFloats + 1) <= kMaxFloats ? aligned.value() : -1;
}

bool PreparedPass::converts() const noexcept {
  return entry_.layouts == Layouts::nhwc_only && g_.layout == Layout::nchw;
}

bool PreparedPass::run(const Operands& operands, float* workspace, const Execution& execution) const noexcept {
  CONV2D_CHECK(workspace || workspace_floats_ == 0);
  float* const scratch = to_line(workspace);
  return converts() ? run_converted(operands, scratch, execution) : run_parts_in(operands, scratch, execution);
}

bool PreparedPass::run_parts_in(const Operands& operands, float* scratch, const Execution& execution) const noexcept {
  const PartsMemory memory{.common = common_.in(scratch), .own = own_.in(scratch), .own_step = own_step_};
  return run_parts(*prepared_, operands, memory, execution);
}

bool PreparedPass::run_converted(const Operands& operands, float* scratch, const Execution& execution) const noexcept {
  const Geometry& g = g_;
  Operands nhwc = operands;
  const auto convert = [&](const float* nchw, std::int64_t c, std::int64_t pixels, const Place& place) {
    float* copy = place.in(scratch);
    activation_nchw_to_nhwc(nchw, g.n, c, pixels, copy);
    return copy;
  };
  if (operands.x) nhwc.x = convert(operands.x, g.c, g.h * g.w, x_);
  if (operands.dy) nhwc.dy = convert(operands.dy, g.k, g.oh * g.ow, dy_);
  if (operands.w) {
    float* copy = w_.in(scratch);
    weights_oihw_to_hwio(g, operands.w, copy);
    nhwc.w = copy;
  }
  const Pass pass = entry_.pass;
  if (pass != Pass::backward_bias) nhwc.out = out_.in(scratch);  // db has no layout
  if (!run_parts_in(nhwc, scratch, execution)) return false;
  switch (pass) {
    case Pass::forward:
      activation_nhwc_to_nchw(nhwc.out, g.n, g.k, g.oh * g.ow, operands.out);
      break;
    case Pass::backward_data:
      activation_nhwc_to_nchw(nhwc.out, g.n, g.c, g.h * g.w, operands.out);
      break;
    case Pass::backward_weights:
      weights_hwio_to_oihw(g, nhwc.out, operands.out);
      break;
    case Pass::backward_bias:
      break;
  }
  return true;
}

}  // namespace conv2d::algorithm
