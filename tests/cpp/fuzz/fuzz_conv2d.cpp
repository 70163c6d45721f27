// libFuzzer over descriptors and data. Small problems run through every algorithm and are compared with the oracle.
// Hostile ones, with sizes of any 64 bits, are only described and planned. A finding crashes this program.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "conv2d/conv2d.hpp"
#include "conv2d_teach/trace.hpp"
#include "fuzz/byte_reader.hpp"
#include "support/run.hpp"

namespace {

using namespace conv2d;
using namespace conv2d::test;

/// Limit of products in one pass. The search is over geometries, so many small problems find more than few large ones.
constexpr std::int64_t kMostProducts = 1000;

constexpr PaddingMode kModes[] = {PaddingMode::explicit_sides, PaddingMode::valid, PaddingMode::same,
                                  PaddingMode::full};

void require(bool condition, const ConvDesc& d, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n%s\n", to_string(d).c_str(), what.c_str());
  std::abort();
}

ConvDesc small_desc(ByteReader& in) {
  ConvDesc d{.layout = in.flag() ? Layout::nchw : Layout::nhwc,
             .n = in.between(0, 3),
             .h = in.between(0, 12),
             .w = in.between(0, 12),
             .kh = in.between(1, 5),
             .kw = in.between(1, 5),
             .stride_h = in.between(1, 6),
             .stride_w = in.between(1, 6),
             .dilation_h = in.between(1, 4),
             .dilation_w = in.between(1, 4),
             .groups = in.between(1, 20)};
  d.c = d.groups * in.between(1, 20);
  d.k = d.groups * in.between(1, 20);
  d.padding_mode = kModes[in.between(0, 3)];
  d.padding = {in.between(0, 9), in.between(0, 9), in.between(0, 9), in.between(0, 9)};
  d.weights_layout = static_cast<WeightsLayout>(in.between(0, 3));
  return d;
}

ConvDesc hostile_desc(ByteReader& in) {
  ConvDesc d{.layout = in.flag() ? Layout::nchw : Layout::nhwc};
  for (std::int64_t* field :
       {&d.n, &d.h, &d.w, &d.c, &d.k, &d.kh, &d.kw, &d.stride_h, &d.stride_w, &d.dilation_h, &d.dilation_w, &d.groups,
        &d.padding.top, &d.padding.bottom, &d.padding.left, &d.padding.right}) {
    *field = in.hostile();
  }
  d.padding_mode = kModes[in.between(0, 3)];
  return d;
}

std::vector<float> integers(ByteReader& in, std::int64_t size) {
  std::vector<float> values(static_cast<std::size_t>(size));
  Rng rng(in.byte());  // Few bytes of input fill many elements: the search is over geometries.
  for (float& v : values) v = static_cast<float>(rng.between(-6, 6));
  return values;
}

/// For every process, a partial result stays within its memory, and the complete one equals the result of the pass.
void try_partials(const ConvDesc& d, const Geometry& g, const TensorValues& t, ByteReader& in) {
  const auto process = static_cast<Process>(in.between(0, static_cast<int>(Process::db_accumulate)));
  const auto shape = process_shape(g, process);
  require(shape.ok(), d, shape.status().message);
  std::vector<float> out(static_cast<std::size_t>((*shape)[0] * (*shape)[1] * (*shape)[2] * (*shape)[3]));
  std::vector<float> workspace(static_cast<std::size_t>(process_workspace_floats(g, process)));
  const std::int64_t steps = std::min<std::int64_t>(in.byte(), process_steps(g, process));
  const Status status = compute_partial(g, process, steps, {.x = t.x, .w = t.w, .b = t.b, .dy = t.dy}, out, workspace);
  require(status.ok(), d, status.message);
}

void try_stage(const ConvDesc& d, const Geometry& g, const TensorValues& t, ByteReader& in) {
  const auto stage = static_cast<Stage>(in.between(0, static_cast<int>(Stage::dw_per_image)));
  const StageOptions options{.order = in.flag() ? ColumnOrder::c_kh_kw : ColumnOrder::kh_kw_c, .transposed = in.flag()};
  const auto shape = stage_shape(g, stage, options);
  require(shape.ok(), d, shape.status().message);
  std::vector<float> out(static_cast<std::size_t>((*shape)[0] * (*shape)[1] * (*shape)[2] * (*shape)[3]));
  const Status status = compute_stage(g, stage, {.x = t.x, .w = t.w, .dy = t.dy}, out, options);
  require(status.ok(), d, status.message);
}

void compute(ByteReader& in) {
  const ConvDesc d = small_desc(in);
  const Result<Geometry> g = resolve(d);
  const std::optional<Sizes> sizes = sizes_of(d);
  require(g.ok() == sizes.has_value(), d, "resolve and the definition disagree: " + g.status().message);
  if (!g.ok() || g->macs() > kMostProducts || g->x_size > kMostProducts) return;
  TensorValues t{.x = integers(in, g->x_size),
                 .w = integers(in, g->w_size),
                 .b = integers(in, in.flag() ? g->k : 0),
                 .dy = integers(in, g->y_size)};
  const Failures failures = failures_of_all_algorithms(d, t);
  require(failures.empty(), d, failures.text());
  try_stage(d, *g, t, in);
  try_partials(d, *g, t, in);
}

void plan_only(ByteReader& in) {
  const ConvDesc d = hostile_desc(in);
  const Result<Geometry> g = resolve(d);
  if (!g.ok()) {
    require(!g.status().message.empty() && !g.status().field.empty(), d, "an error without a message or field");
    return;
  }
  for (const Pass pass : kPasses) {
    for (const AlgorithmInfo& info : algorithms(*g, pass)) {
      const Result<Plan> planned = plan(*g, pass, {.algorithm = info.name});
      if (!planned.ok()) continue;
      require(planned->workspace_floats() >= 0, d, "a negative workspace");
      if (planned->geometry().w_size > 0) require(!run_on(*planned, {}).ok(), d, "ran without its tensors");
      const Result<Plan> divided = plan(*g, pass, {.algorithm = info.name, .threads = 3, .macs_per_thread = 0});
      require(divided.ok() && divided->workspace_floats() >= 0, d, "cannot be divided");
    }
  }
  for (int stage = 0; stage <= static_cast<int>(Stage::dw_per_image); ++stage) {
    const auto shape = stage_shape(*g, static_cast<Stage>(stage));
    if (shape.ok()) require((*shape)[0] >= 0, d, "a negative shape");
  }
  for (int process = 0; process <= static_cast<int>(Process::db_accumulate); ++process) {
    static_cast<void>(process_steps(*g, static_cast<Process>(process)));
    static_cast<void>(process_workspace_floats(*g, static_cast<Process>(process)));
    static_cast<void>(process_shape(*g, static_cast<Process>(process)));
  }
  static_cast<void>(phase_count(*g));
  static_cast<void>(check_dy_shape(*g, {in.hostile(), in.hostile(), in.hostile(), in.hostile()}));
  static_cast<void>(check_w_shape(*g, {in.hostile(), in.hostile(), in.hostile(), in.hostile()}));
}

void solve_only(ByteReader& in) {
  const Axis axis{.in = in.hostile(),
                  .kernel = in.hostile(),
                  .stride = in.hostile(),
                  .dilation = in.hostile(),
                  .pad = in.hostile(),
                  .out = in.hostile()};
  const auto field = static_cast<AxisField>(in.between(0, static_cast<int>(AxisField::out)));
  const std::int64_t lowest = in.hostile();
  static_cast<void>(solve(axis, field, lowest, in.hostile()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader in({data, size});
  switch (in.byte() % 8) {
    case 0:
      plan_only(in);
      break;
    case 1:
      solve_only(in);
      break;
    default:
      compute(in);
      break;
  }
  return 0;
}
