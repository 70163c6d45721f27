#include "algorithms/prepared_pass.hpp"

#include "base/checked.hpp"
#include "check/check.hpp"
#include "cost/constants.hpp"
#include "desc/changed.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/layout_change.hpp"

namespace conv2d::algorithm {
namespace {

/// Elements of the pass's output; 0 for db, which has no layout.
std::int64_t converted_output(Pass pass, const Geometry& g) noexcept {
  return pass == Pass::backward_bias ? 0 : g.result_size(pass);
}

}  // namespace

PreparedPass::PreparedPass(const Entry& entry, const Geometry& g, const PrepareOptions& options)
    : entry_(entry), instruction_set_(options.kernels->instruction_set), g_(g), accumulates_(options.accumulate) {
  CONV2D_DCHECK(options.threads >= 1 && entry.unsupported_reason(g).empty());
  ScratchLayout layout;
  PrepareOptions own_options = options;
  if (converts()) {
    const Pass pass = entry.pass;
    // OIHW weights would have to be converted before they are packed.
    own_options.packed_weights = false;
    const bool x = pass == Pass::forward || pass == Pass::backward_weights;
    const bool w = pass == Pass::forward || pass == Pass::backward_data;
    if (x) x_ = layout.take(g.x_size);
    if (pass != Pass::forward) dy_ = layout.take(g.y_size);
    if (w) w_ = layout.take(g.w_size);
    out_ = layout.take(converted_output(pass, g));
    const std::int64_t elements =
        (x ? g.x_size : 0) + (w ? g.w_size : 0) + (pass != Pass::forward ? g.y_size : 0) + converted_output(pass, g);
    cost_ = options.kernels->costs->loops.converted_float * static_cast<double>(elements);
  }
  if (accumulates_) {
    const std::int64_t elements = g.result_size(entry.pass);
    sum_ = layout.take(elements);
    cost_ += options.kernels->costs->loops.image_float * static_cast<double>(elements);
  }
  executable_ = entry.prepare(converts() ? in_layout(g, Layout::nhwc) : g, own_options);
  CONV2D_DCHECK(executable_->parts() >= 1 && executable_->parts() <= options.threads);
  cost_ += executable_->cost();
  // Common data take a fork and join of their own, before the parts.
  if (parts() > 1) cost_ += options.kernels->costs->loops.fork_join * (executable_->fills_common() ? 2.0 : 1.0);
  const CheckedInt packed = executable_->packed_floats() + PackedTag::kFloats;
  if (!converts() && executable_->packed_floats().value_or(0) > 0 && packed.value_or(kMaxFloats + 1) <= kMaxFloats) {
    packed_floats_ = packed.value();
    tag_ = PackedTag(g, entry.pass, entry.name, instruction_set_);
  }
  common_ = layout.take(executable_->common().floats());
  const CheckedInt step = executable_->own().next();
  own_step_ = step.value_or(0);
  own_ = layout.take(step * (parts() - 1) + executable_->own().floats());
  const CheckedInt all = layout.floats();
  const CheckedInt aligned = all.value_or(1) > 0 ? all + (kCacheLineFloats - 1) : all;
  workspace_floats_ = aligned.value_or(kMaxFloats + 1) <= kMaxFloats ? aligned.value() : -1;
}

bool PreparedPass::converts() const noexcept {
  return entry_.layouts == Layouts::nhwc_only && g_.layout == Layout::nchw;
}

void PreparedPass::pack(const float* w, float* packed) const noexcept {
  tag_.write(packed);
  executable_->pack(w, packed + PackedTag::kFloats);
}

bool PreparedPass::run(const Operands& operands, float* workspace, const Execution& execution) const noexcept {
  CONV2D_DCHECK(workspace || workspace_floats_ == 0);
  // An empty workspace has no cache line.
  float* const scratch = workspace_floats_ > 0 ? align_to_cache_line(workspace) : workspace;
  if (accumulates_) return run_and_add(operands, scratch, execution);
  if (converts()) return run_converted(operands, scratch, execution);
  Operands behind_tag = operands;
  if (operands.packed) behind_tag.packed += PackedTag::kFloats;
  return run_parts_in(behind_tag, scratch, execution);
}

bool PreparedPass::run_and_add(const Operands& operands, float* scratch, const Execution& execution) const noexcept {
  Operands alone = operands;
  alone.out = sum_.in(scratch);
  if (!(converts() ? run_converted(alone, scratch, execution) : run_parts_in(alone, scratch, execution))) return false;
  const std::int64_t elements = g_.result_size(entry_.pass);
  for (std::int64_t i = 0; i < elements; ++i) operands.out[i] += alone.out[i];
  return true;
}

bool PreparedPass::run_parts_in(const Operands& operands, float* scratch, const Execution& execution) const noexcept {
  const PartsMemory memory{.common = common_.in(scratch), .own = own_.in(scratch), .own_step = own_step_};
  return run_parts(*executable_, operands, memory, execution);
}

bool PreparedPass::run_converted(const Operands& operands, float* scratch, const Execution& execution) const noexcept {
  const Geometry& g = g_;
  Operands nhwc = operands;
  const auto convert = [&](const float* nchw, std::int64_t c, std::int64_t pixels, const Offset& place) {
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
