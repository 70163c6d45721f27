// Uses the loops of the algorithms (teaching_loops.hpp), as explained in stages.cpp.

#include "teaching_loops/full_convolution.hpp"
#include "teaching_loops/teaching_loops.hpp"
#include "trace/parts.hpp"

namespace conv2d {
namespace {

using engine::Operands;

/// The name of a process, and the pass that it computes.
struct ProcessEntry {
  std::string_view name;
  Pass pass;
};

/// In the order of Process.
constexpr ProcessEntry kProcesses[] = {
    {"forward", Pass::forward},
    {"dx_scatter", Pass::backward_data},
    {"dx_col2im", Pass::backward_data},
    {"dx_gather", Pass::backward_data},
    {"dx_full_conv", Pass::backward_data},
    {"dx_full_conv_unflipped", Pass::backward_data},
    {"dw_accumulate", Pass::backward_weights},
    {"dw_dilated_dy", Pass::backward_weights},
    {"db_accumulate", Pass::backward_bias},
};

bool exists(Process process) noexcept { return static_cast<std::size_t>(process) < std::size(kProcesses); }

/// Precondition: it exists.
const ProcessEntry& entry_of(Process process) noexcept { return kProcesses[static_cast<std::size_t>(process)]; }

bool is_full_conv(Process process) noexcept {
  return process == Process::dx_full_conv || process == Process::dx_full_conv_unflipped;
}

/// dx: adds the first `positions` rows of dx_col to the elements that their windows read, in blocks as in the
/// algorithm.
Status col2im_positions(const Geometry& g, const Operands& o, std::int64_t positions) {
  trace::NhwcDx dx;
  if (!dx.begin(g, o.out)) return trace::out_of_memory("dx");
  Status status = trace::compute_dx_col(g, "dx", o.dy, o.w, positions, ColumnOrder::kh_kw_c, nullptr, dx.data());
  if (status.ok()) dx.end(g, o.out);
  return status;
}

/// db: the sum of a copy of dy, in which all positions from `positions` on are 0.
Status sum_positions(const Geometry& g, const Operands& o, std::int64_t positions) {
  Scratch<float> masked;
  if (!masked.allocate(g.y_size)) return trace::out_of_memory("db");
  const std::int64_t pixels = g.oh * g.ow;
  // An NCHW image has k planes with 1 float per pixel; an NHWC image has 1 plane with k floats per pixel.
  const bool nchw = g.layout == Layout::nchw;
  const std::int64_t planes = nchw ? g.k : 1;
  const std::int64_t floats = nchw ? 1 : g.k;
  for (std::int64_t plane = 0; plane < g.n * planes; ++plane) {
    const std::int64_t done = std::clamp<std::int64_t>(positions - plane / planes * pixels, 0, pixels) * floats;
    float* to = masked.span().data() + plane * pixels * floats;
    std::copy_n(o.dy + plane * pixels * floats, done, to);
    std::fill_n(to + done, pixels * floats - done, 0.0F);
  }
  return trace::run_by_name(g, Pass::backward_bias, "sum",
                            {.dy = masked.span(), .out = {o.out, static_cast<std::size_t>(g.k)}});
}

void full_conv(const Geometry& g, const Operands& o, bool flip, std::int64_t steps, float* workspace) noexcept {
  float* kernel = workspace;
  float* upsampled = workspace + g.w_size;
  swap_weight_channels(g, o.w, flip, kernel);
  upsample_dy(g, full_grid(g), o.dy, upsampled);
  teaching_loops::full_conv_cells(g, upsampled, kernel, o.out, {0, steps});
}

Status run_steps(const Geometry& g, Process process, const Operands& o, std::int64_t steps, float* workspace) {
  switch (process) {
    case Process::forward:
      teaching_loops::forward_positions(g, o, {0, steps});
      break;
    case Process::dx_scatter:
      teaching_loops::scatter_positions(g, o, {0, steps});
      break;
    case Process::dx_col2im:
      return col2im_positions(g, o, steps);
    case Process::dx_gather:
      teaching_loops::gather_cells(g, o, {0, steps});
      break;
    case Process::dx_full_conv:
      full_conv(g, o, true, steps, workspace);
      break;
    case Process::dx_full_conv_unflipped:
      full_conv(g, o, false, steps, workspace);
      break;
    case Process::dw_accumulate:
      teaching_loops::reduce_positions(g, o, {0, steps});
      break;
    case Process::dw_dilated_dy:
      teaching_loops::dilated_dy_positions(g, o, teaching_loops::all_positions(g), {0, steps});
      break;
    case Process::db_accumulate:
      return sum_positions(g, o, steps);
  }
  return {};
}

}  // namespace

std::string_view to_string(Process process) noexcept { return exists(process) ? entry_of(process).name : "unknown"; }

std::int64_t process_steps(const Geometry& g, Process process) noexcept {
  if (!exists(process)) return -1;
  if (process == Process::dx_gather || is_full_conv(process)) return g.n * g.h * g.w;
  if (process != Process::dw_dilated_dy) return g.n * g.oh * g.ow;
  const teaching_loops::PositionGrid positions = teaching_loops::all_positions(g);
  return (CheckedInt(positions.rows) * positions.cols).value_or(-1);
}

Result<std::array<std::int64_t, 4>> process_shape(const Geometry& g, Process process) {
  if (Status status = check_enumerator("process", process, Process::db_accumulate); !status.ok()) return status;
  if (process == Process::dw_dilated_dy) return stage_shape(g, Stage::dw_uncropped);
  return result_shape(g, entry_of(process).pass);
}

std::int64_t process_workspace_floats(const Geometry& g, Process process) noexcept {
  if (!is_full_conv(process)) return exists(process) ? 0 : -1;
  const CheckedInt floats = teaching_loops::full_grid_floats(g) + g.w_size;
  return floats.value_or(kMaxFloats + 1) <= kMaxFloats ? floats.value() : -1;
}

Status compute_partial(const Geometry& g, Process process, std::int64_t steps, const PartialInputs& in,
                       std::span<float> out, std::span<float> workspace) {
  const Result<std::array<std::int64_t, 4>> shape = process_shape(g, process);
  if (!shape.ok()) return shape.status();
  const std::int64_t workspace_floats = process_workspace_floats(g, process);
  if (workspace_floats < 0) {
    return {ErrorCode::overflow, "workspace",
            text("the workspace of ", to_string(process), " exceeds the address space")};
  }
  const PassTensors has = tensors_of(entry_of(process).pass);
  Status status = check_lengths({
      {"x", in.x.size(), has.x ? g.x_size : -1},
      {"w", in.w.size(), has.w ? g.w_size : -1},
      {"b", in.b.size(), has.b && !in.b.empty() ? g.k : -1},
      {"dy", in.dy.size(), has.dy ? g.y_size : -1},
      {"out", out.size(), trace::elements(*shape)},
  });
  if (!status.ok()) return status;
  if (workspace.size() < static_cast<std::uint64_t>(workspace_floats)) {
    return {ErrorCode::length_mismatch, "workspace",
            text("workspace holds ", workspace.size(), " floats, but ", to_string(process), " needs ", workspace_floats,
                 " (process_workspace_floats)")};
  }
  if (status = trace::check_steps("steps", steps, process_steps(g, process)); !status.ok()) return status;
  std::fill(out.begin(), out.end(), 0.0F);
  const Operands operands{.x = in.x.data(),
                          .w = in.w.data(),
                          .b = in.b.empty() ? nullptr : in.b.data(),
                          .dy = in.dy.data(),
                          .out = out.data()};
  return run_steps(g, process, operands, steps, workspace.data());
}

}  // namespace conv2d
