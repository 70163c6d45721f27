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
#include "micro_kernels/kernel_set.hpp"
#include "transforms/layout_change.hpp"

namespace conv2d::algorithm {
namespace {

constexpr std::string_view kBegin = "w for ";

/// In the order of PackedTag's fields.
constexpr std::string_view kFieldNames[]{
    "layout",       "weights_layout", "n",        "h",          "w",          "c",      "k",           "kh",
    "kw",           "stride_h",       "stride_w", "dilation_h", "dilation_w", "groups", "padding.top", "padding.bottom",
    "padding.left", "padding.right"};

/// The text up to the first zero, which memory from elsewhere may lack.
std::string_view text_at(const char* text, std::size_t max_size) noexcept {
  const void* end = std::memchr(text, 0, max_size);
  return {text, end ? static_cast<std::size_t>(static_cast<const char*>(end) - text) : max_size};
}

using engine::Executable;

/// The common state of the parts of one run. The own memory of a part begins `own_step` floats after that of the one
/// before.
struct PartsRun {
  const Executable& executable;
  const Operands& operands;
  const ProgressHook& progress;
  engine::Memory memory;  ///< of part 0
  std::int64_t own_step = 0;
  std::atomic<bool> stopped{false};

  [[nodiscard]] Part part(int index) const noexcept { return {index, executable.parts()}; }
  [[nodiscard]] engine::Memory memory_of(int index) const noexcept {
    return {memory.common, memory.own + index * own_step};
  }
  [[nodiscard]] bool fills_common() const noexcept { return executable.fills_common(operands.packed != nullptr); }
  void fill_common(int index) const noexcept { executable.fill_common(operands, part(index), memory_of(index)); }
  void run(int index, const ProgressHook& hook) noexcept {
    if (stopped.load(std::memory_order_relaxed)) return;
    if (!executable.run(operands, part(index), memory_of(index), hook)) stopped.store(true, std::memory_order_relaxed);
  }
};

void fill_on_team(void* argument, int index) noexcept { static_cast<const PartsRun*>(argument)->fill_common(index); }

/// Part 0, on the calling thread, calls the caller's hook and stops the other parts, which only check for the stop.
void run_on_team(void* argument, int index) noexcept {
  auto& run = *static_cast<PartsRun*>(argument);
  const auto call_hook = [](void* context, std::int64_t done, std::int64_t total) noexcept {
    auto& state = *static_cast<PartsRun*>(context);
    if (!state.progress.step(state.progress.context, done, total)) state.stopped.store(true, std::memory_order_relaxed);
    return !state.stopped.load(std::memory_order_relaxed);
  };
  const auto check_stopped = [](void* context, std::int64_t, std::int64_t) noexcept {
    return !static_cast<PartsRun*>(context)->stopped.load(std::memory_order_relaxed);
  };
  if (!run.progress.step) return run.run(index, {});
  run.run(index, {.step = index == 0 ? +call_hook : +check_stopped, .context = &run});
}

/// Runs one part after the other on the calling thread. The hook gets their combined progress.
void run_sequentially(PartsRun& run) noexcept {
  struct PartProgress {
    const ProgressHook& hook;
    std::int64_t index, count;
  };
  const auto step = [](void* context, std::int64_t done, std::int64_t total) noexcept {
    constexpr std::int64_t kWhole = 1 << 20;  // steps that the hook sees per part
    const auto& part = *static_cast<const PartProgress*>(context);
    const double fraction = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1.0;
    const auto done_of_part = static_cast<std::int64_t>(fraction * kWhole);
    return part.hook.step(part.hook.context, part.index * kWhole + done_of_part, part.count * kWhole);
  };
  const int parts = run.executable.parts();
  for (int i = 0; i < parts && run.fills_common(); ++i) run.fill_common(i);
  for (int i = 0; i < parts; ++i) {
    PartProgress part{run.progress, i, parts};
    run.run(i, run.progress.step ? ProgressHook{.step = step, .context = &part} : ProgressHook{});
  }
}

/// Calls work(part) for all parts, on the threads of the team if it has enough.
template <class Work>
void on_team(const Team& team, int parts, const Work& work) noexcept {
  if (!kThreads || parts == 1 || !team.run || team.threads < parts) return work(Part{});
  struct Call {
    const Work& work;
    int parts;
  } call{work, parts};
  const auto one = [](void* argument, int index) noexcept {
    const Call& all = *static_cast<const Call*>(argument);
    all.work(Part{index, all.parts});
  };
  team.run(team.context, parts, one, &call);
}

/// On the threads of the team, or one part after the other when it has too few. False when the hook cancels the run.
bool run_parts(PartsRun& run, const Team& team) noexcept {
  const int parts = run.executable.parts();
  if (team.run && team.threads >= parts) {
    if (run.fills_common()) team.run(team.context, parts, fill_on_team, &run);
    team.run(team.context, parts, run_on_team, &run);
  } else {
    run_sequentially(run);
  }
  return !run.stopped.load(std::memory_order_relaxed);
}

}  // namespace

PackedTag::PackedTag(const Geometry& g, Pass pass, std::string_view algorithm, std::string_view instruction_set,
                     std::uint64_t order, std::string_view version) noexcept
    : order_(order),
      geometry_{static_cast<std::int64_t>(g.layout),
                static_cast<std::int64_t>(g.weights_layout),
                g.n,
                g.h,
                g.w,
                g.c,
                g.k,
                g.kh,
                g.kw,
                g.stride_h,
                g.stride_w,
                g.dilation_h,
                g.dilation_w,
                g.groups,
                g.padding.top,
                g.padding.bottom,
                g.padding.left,
                g.padding.right} {
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
    const std::string_view name = kFieldNames[i];
    return refused(
        text(needs, " with ", name, " ", found.geometry_[i], ", but the plan has ", name, " ", geometry_[i]));
  }
  return refused(text(needs, " of another version of the library"));
}

PreparedPass::PreparedPass(const Entry& entry, const Geometry& g, const PrepareOptions& options)
    : entry_(entry), instruction_set_(options.kernels->instruction_set), g_(g), accumulates_(options.accumulate) {
  CONV2D_DCHECK(options.threads >= 1 && entry.unsupported_reason(g).empty());
  ScratchLayout layout;
  PrepareOptions own_options = options;
  const bool nhwc = entry.layouts == Layouts::nhwc_only || entry.layouts == Layouts::nhwc_activations;
  const bool hwio = entry.layouts == Layouts::nhwc_only || entry.layouts == Layouts::hwio_weights;
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
  CONV2D_DCHECK(executable_->parts() >= 1 && executable_->parts() <= options.threads);
  const cost::Loops& c = options.kernels->costs->loops;
  cost_ += executable_->cost() + c.converted_float * static_cast<double>(converted) / parts();
  // Common data and conversions take forks and joins of their own, before and after the parts.
  const int forks = 1 + (executable_->fills_common(own_options.packed_weights) ? 1 : 0) +
                    (converts_activations_ || converts_weights_ ? 1 : 0) + (converts_out_ ? 1 : 0);
  if (parts() > 1) cost_ += c.fork_join * forks;
  const CheckedInt packed = executable_->packed_floats() + PackedTag::kFloats;
  if (!converts_weights_ && executable_->packed_floats().value_or(0) > 0 &&
      packed.value_or(kMaxFloats + 1) <= kMaxFloats) {
    packed_floats_ = packed.value();
    tag_ = PackedTag(g, entry.pass, entry.name, instruction_set_, executable_->packed_order(), version());
  }
  common_ = layout.take(executable_->common().floats());
  const CheckedInt step = executable_->own().next();
  own_step_ = step.value_or(0);
  own_ = layout.take(step * (parts() - 1) + executable_->own().floats());
  const CheckedInt all = layout.floats();
  const CheckedInt aligned = all.value_or(1) > 0 ? all + (kCacheLineFloats - 1) : all;
  workspace_floats_ = aligned.value_or(kMaxFloats + 1) <= kMaxFloats ? aligned.value() : -1;
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
    const auto convert = [&](Part part) { convert_inputs(whole, inner, part); };
    on_team(resources.team, parts(), convert);
  }
  if (inner.packed) inner.packed += PackedTag::kFloats;
  const engine::Memory memory{common_.in(scratch), own_.in(scratch)};
  bool finished = false;
  if (!kThreads || parts() == 1) {
    finished = executable_->run(inner, {}, memory, resources.progress);
  } else {
    PartsRun run{*executable_, inner, resources.progress, memory, own_step_};
    finished = run_parts(run, resources.team);
  }
  if (!finished) return false;
  if (converts_out_) {
    const auto convert = [&](Part part) { convert_out(inner.out, whole.out, part); };
    on_team(resources.team, parts(), convert);
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
