#include "algorithms/prepared_pass.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>

#include "base/checked.hpp"
#include "base/errors.hpp"
#include "conv2d/version.hpp"
#include "cost/constants.hpp"
#include "dcheck/dcheck.hpp"
#include "desc/geometry.hpp"
#include "desc/size_fields.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/layout_change.hpp"

namespace conv2d::algorithm {
namespace {

constexpr std::string_view kBegin = "w for ";

/// The name of a field of PackedTag::geometry_.
std::string_view name_of(std::size_t field) noexcept {
  if (field < 2) return field == 0 ? "layout" : "weights_layout";
  const std::size_t sizes = std::size(kSizeFields);
  return field - 2 < sizes ? kSizeFields[field - 2].name : kSideFields[field - 2 - sizes].name;
}

/// The text up to the first zero, which memory from elsewhere may lack.
std::string_view text_at(const char* text, std::size_t max_size) noexcept {
  const void* end = std::memchr(text, 0, max_size);
  return {text, end ? static_cast<std::size_t>(static_cast<const char*>(end) - text) : max_size};
}

using engine::Executable;

/// Calls work(part, worker) once for each of `parts` parts. Each of at most `workers` threads of the team takes the
/// next part when it is done with one, so that a thread with a busy processor takes fewer. Worker 0, the calling
/// thread, takes the first.
template <class Work>
void on_team(const Team& team, int workers, int parts, const Work& work) noexcept {
  if (!kThreads || parts == 1) return work(Part{}, 0);
  struct Call {
    const Work& work;
    int parts = 1;
    std::atomic<int> next{1};
  } call{work, parts};
  const auto take_parts = [](void* argument, int worker) noexcept {
    Call& all = *static_cast<Call*>(argument);
    for (int i = worker == 0 ? 0 : all.next++; i < all.parts; i = all.next++) all.work(Part{i, all.parts}, worker);
  };
  workers = std::min({workers, parts, team.run ? team.threads : 1});
  if (workers <= 1) return take_parts(&call, 0);
  team.run(team.context, workers, take_parts, &call);
}

/// The progress of a run in parts. The calling thread calls the hook with the progress of all, and the other threads
/// only check whether it has canceled the run.
struct PartsProgress {
  const ProgressHook& hook;
  int parts;
  std::atomic<int> finished{0};
  std::atomic<bool> stopped{false};

  ProgressHook hook_of(int worker) noexcept {
    if (!hook.step) return {};
    return {.step = worker == 0 ? &call_hook : &check_stopped, .context = this};
  }
  /// After a part, which may have been too short for a call.
  void finish(int worker, bool completed) noexcept {
    ++finished;
    if (!completed || (hook.step && worker == 0 && !call_hook(this, 0, 1))) stopped = true;
  }

 private:
  static bool call_hook(void* context, std::int64_t done, std::int64_t total) noexcept {
    constexpr std::int64_t kPart = 1 << 20;  // steps that the hook sees per part
    auto& all = *static_cast<PartsProgress*>(context);
    const double fraction = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1.0;
    const std::int64_t done_of_part = static_cast<std::int64_t>(fraction * kPart);
    if (!all.hook.step(all.hook.context, all.finished * kPart + done_of_part, all.parts * kPart)) all.stopped = true;
    return !all.stopped;
  }
  static bool check_stopped(void* context, std::int64_t, std::int64_t) noexcept {
    return !static_cast<PartsProgress*>(context)->stopped;
  }
};

/// Runs all parts; each worker has its own memory, `own_step` floats after that of the one before. False when the hook
/// cancels the run.
bool run_parts(const Executable& executable, const Operands& operands, const engine::Memory& memory,
               std::int64_t own_step, int workers, const Resources& resources) noexcept {
  const auto memory_of = [&](int worker) { return engine::Memory{memory.common, memory.own + worker * own_step}; };
  if (executable.fills_common(operands.packed != nullptr)) {
    on_team(resources.team, workers, executable.shares(),
            [&](Part share, int worker) { executable.fill_common(operands, share, memory_of(worker)); });
  }
  PartsProgress progress{resources.progress, executable.parts()};
  on_team(resources.team, workers, executable.parts(), [&](Part part, int worker) {
    if (progress.stopped) return;
    progress.finish(worker, executable.run(operands, part, memory_of(worker), progress.hook_of(worker)));
  });
  return !progress.stopped;
}

}  // namespace

PackedTag::PackedTag(const Geometry& g, Pass pass, std::string_view algorithm, std::string_view instruction_set,
                     std::uint64_t order, std::string_view version) noexcept
    : order_(order) {
  const ConvDesc d = description(g);
  std::int64_t* to = geometry_.data();
  *to++ = static_cast<std::int64_t>(g.layout);
  *to++ = static_cast<std::int64_t>(g.weights_layout);
  for (const SizeField& size : kSizeFields) *to++ = d.*size.value;
  for (const SideField& side : kSideFields) *to++ = d.padding.*side.value;
  const Message plan = text(kBegin, to_string(pass), " by ", algorithm, " on ", instruction_set);
  std::string_view(plan).copy(plan_.data(), plan_.size());
  version.copy(version_.data(), version_.size());
}

void PackedTag::write(float* packed) const noexcept {
  static_assert(sizeof(PackedTag) == kFloats * sizeof(float));
  std::memcpy(packed, this, sizeof(PackedTag));
}

Status PackedTag::check(const float* packed) const noexcept {
  if (std::memcmp(packed, this, sizeof(PackedTag)) == 0) return {};
  PackedTag found;
  std::memcpy(static_cast<void*>(&found), packed, sizeof(PackedTag));
  const std::string_view holds = text_at(found.plan_.data(), plan_.size());
  const std::string_view needs = text_at(plan_.data(), plan_.size());
  const auto refused = [](const Message& why) {
    return Status{ErrorCode::invalid_argument, "packed",
                  text("packed holds ", why, ". Call pack_weights with this plan.")};
  };
  if (holds != needs) {
    return refused(text(holds.starts_with(kBegin) ? holds : "data that pack_weights did not write",
                        ", but the plan needs ", needs));
  }
  for (std::size_t i = 0; i < kFields; ++i) {
    if (found.geometry_[i] == geometry_[i]) continue;
    const std::string_view name = name_of(i);
    return refused(
        text(needs, " with ", name, " ", found.geometry_[i], ", but the plan has ", name, " ", geometry_[i]));
  }
  return refused(text(needs, " of another version of the library"));
}

PreparedPass::PreparedPass(const Entry& entry, const Geometry& g, const PrepareOptions& options, int threads)
    : entry_(entry), instruction_set_(options.kernels->instruction_set), g_(g), accumulates_(options.accumulate) {
  CONV2D_DCHECK(options.parts >= 1 && threads >= 1 && entry.unsupported_reason(g).empty());
  ScratchLayout layout;
  PrepareOptions own_options = options;
  const bool nhwc = entry.layouts == Layouts::nhwc_only || entry.layouts == Layouts::nhwc_activations;
  const bool hwio = entry.layouts == Layouts::nhwc_only || entry.layouts == Layouts::hwio_weights;
  clamps_ = entry.engine && options.kernels->clamp;
  // One channel and one filter are in the same order in all layouts.
  const bool ordered = g.c > 1 || g.k > 1;
  converts_activations_ = nhwc && g.layout == Layout::nchw && ordered;
  converts_weights_ = hwio && g.weights_layout != WeightsLayout::hwio && ordered;
  converts_out_ = entry.pass == Pass::backward_weights ? converts_weights_
                                                       : converts_activations_ && entry.pass != Pass::backward_bias;
  // Weights that are converted are not packed: that would need memory for the copy.
  if (converts_weights_) own_options.packed_weights = false;
  const PassTensors has = tensors_of(entry.pass);
  std::int64_t converted = 0;
  const auto take = [&](bool converts, std::int64_t size) {
    converted += converts ? size : 0;
    return converts ? layout.take(size) : Offset();
  };
  x_ = take(has.x && converts_activations_, g.x_size);
  dy_ = take(has.dy && converts_activations_, g.y_size);
  w_ = take(has.w && converts_weights_, g.w_size);
  out_ = take(converts_out_, g.result_size(entry.pass));
  if (accumulates_) {
    const std::int64_t elements = g.result_size(entry.pass);
    sum_ = layout.take(elements);
    cost_ += options.kernels->costs->loops.image_float * static_cast<double>(elements);
  }
  executable_ = entry.prepare(
      in_layout(g, nhwc ? Layout::nhwc : g.layout, hwio ? WeightsLayout::hwio : g.weights_layout), own_options);
  CONV2D_DCHECK(executable_->parts() >= 1 && executable_->parts() <= options.parts);
  if (kThreads) threads_ = std::min(threads, parts());
  cost_ += cycles(options.kernels->costs->loops, own_options.packed_weights, converted);
  const CheckedInt packed = executable_->packed_floats() + PackedTag::kFloats;
  if (!converts_weights_ && executable_->packed_floats().value_or(0) > 0 &&
      packed.value_or(kMaxFloats + 1) <= kMaxFloats) {
    packed_floats_ = packed.value();
    tag_ = PackedTag(g, entry.pass, entry.name, instruction_set_, executable_->packed_order(), version());
  }
  common_ = layout.take(executable_->common().floats());
  const CheckedInt step = executable_->own().next();
  own_step_ = step.value_or(0);
  own_ = layout.take(step * (threads_ - 1) + executable_->own().floats());
  const CheckedInt all = layout.floats();
  const CheckedInt aligned = all.value_or(1) > 0 ? all + (kCacheLineFloats - 1) : all;
  workspace_floats_ = aligned.value_or(kMaxFloats + 1) <= kMaxFloats ? aligned.value() : -1;
}

double PreparedPass::cycles(const cost::Loops& c, bool packed_weights, std::int64_t converted) const noexcept {
  if (!kThreads) return executable_->cost() + c.converted_float * static_cast<double>(converted);
  const bool fills_common = executable_->fills_common(packed_weights);
  const int parts = executable_->parts();
  // Of the thread that takes the most parts.
  const auto parts_of_thread = static_cast<double>(ceil_div(parts, threads_));
  double cycles = executable_->cost() * (parts_of_thread + (parts > 1 ? c.late_part : 0.0));
  if (fills_common) {
    const int shares = executable_->shares();
    cycles += executable_->common_cost() * (largest_part(shares, threads_) + (shares > 1 ? c.late_part / shares : 0.0));
  }
  cycles += c.converted_float * static_cast<double>(converted) / threads_;
  // Common data and conversions take forks and joins of their own, before and after the parts.
  const int forks = (parts > 1 ? 1 : 0) + (fills_common ? 1 : 0) +
                    (converts_activations_ || converts_weights_ ? 1 : 0) + (converts_out_ ? 1 : 0);
  return cycles + (threads_ > 1 ? c.fork_join * forks : 0.0);
}

void PreparedPass::pack(const float* w, float* packed) const noexcept {
  tag_.write(packed);
  executable_->pack(w, packed + PackedTag::kFloats);
}

bool PreparedPass::run(const Operands& operands, const Resources& resources) const noexcept {
  CONV2D_DCHECK(resources.workspace.data() || workspace_floats_ == 0);
  // An empty workspace has no cache line.
  float* const scratch =
      workspace_floats_ > 0 ? align_to_cache_line(resources.workspace.data()) : resources.workspace.data();
  Operands whole = operands;
  if (accumulates_) whole.out = sum_.in(scratch);
  Operands inner = places(whole, scratch);
  if (converts_activations_ || converts_weights_) {
    on_team(resources.team, threads_, threads_, [&](Part share, int) { convert_inputs(whole, inner, share); });
  }
  if (inner.packed) inner.packed += PackedTag::kFloats;
  const engine::Memory memory{common_.in(scratch), own_.in(scratch)};
  const bool finished = !kThreads || parts() == 1
                            ? executable_->run(inner, {}, memory, resources.progress)
                            : run_parts(*executable_, inner, memory, own_step_, threads_, resources);
  if (!finished) return false;
  if (converts_out_) {
    on_team(resources.team, threads_, threads_, [&](Part share, int) { convert_out(inner.out, whole.out, share); });
  }
  if (accumulates_) {
    const std::int64_t elements = g_.result_size(entry_.pass);
    for (std::int64_t i = 0; i < elements; ++i) operands.out[i] += whole.out[i];
  }
  return true;
}

Operands PreparedPass::places(const Operands& operands, float* scratch) const noexcept {
  Operands inner = operands;
  if (operands.x && converts_activations_) inner.x = x_.in(scratch);
  if (operands.dy && converts_activations_) inner.dy = dy_.in(scratch);
  if (operands.w && converts_weights_) inner.w = w_.in(scratch);
  if (converts_out_) inner.out = out_.in(scratch);
  return inner;
}

void PreparedPass::convert_inputs(const Operands& from, const Operands& to, Part part) const noexcept {
  const Geometry& g = g_;
  // The places are in the workspace.
  const auto place = [](const float* copy) { return const_cast<float*>(copy); };
  if (to.x != from.x) activation_nchw_to_nhwc(from.x, g.n, g.c, g.h * g.w, place(to.x), part);
  if (to.dy != from.dy) activation_nchw_to_nhwc(from.dy, g.n, g.k, g.oh * g.ow, place(to.dy), part);
  if (to.w != from.w) weights_to_hwio(g, from.w, place(to.w), part);
}

void PreparedPass::convert_out(const float* from, float* to, Part part) const noexcept {
  const Geometry& g = g_;
  switch (entry_.pass) {
    case Pass::forward:
      return activation_nhwc_to_nchw(from, g.n, g.k, g.oh * g.ow, to, part);
    case Pass::backward_data:
      return activation_nhwc_to_nchw(from, g.n, g.c, g.h * g.w, to, part);
    case Pass::backward_weights:
      return weights_from_hwio(g, from, to, part);
    case Pass::backward_bias:
      return;
  }
}

}  // namespace conv2d::algorithm
