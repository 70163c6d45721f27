#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "c/calls.hpp"
#include "c/structures.hpp"
#include "conv2d/conv2d.hpp"
#include "conv2d/thread_pool.hpp"
#include "conv2d/version.hpp"

/// Plans, runs and threads of the C API.

struct conv2d_plan {
  conv2d::Plan plan;
  std::string algorithm, instruction_set;  // with the zero at the end that a std::string_view need not have
};

struct conv2d_pool {
  conv2d::ThreadPool threads;
};

namespace conv2d::c {
namespace {

static_assert(CONV2D_CANCELLED == static_cast<int>(ErrorCode::cancelled));
static_assert(CONV2D_OUT_OF_MEMORY == static_cast<int>(ErrorCode::out_of_memory));
static_assert(CONV2D_NCHW == static_cast<int>(Layout::nchw));
static_assert(CONV2D_OHWI == static_cast<int>(WeightsLayout::ohwi));
static_assert(CONV2D_FULL == static_cast<int>(PaddingMode::full));
static_assert(CONV2D_BACKWARD_BIAS == static_cast<int>(Pass::backward_bias));
static_assert(CONV2D_STRICT == static_cast<int>(Accuracy::strict));
static_assert(sizeof(conv2d_status::message) > Message::kCapacity);

/// Sizes of the structures in the first version.
constexpr std::size_t kFirstDesc = offsetof(conv2d_desc, reserved) + sizeof(std::int32_t);
constexpr std::size_t kFirstGeometry = offsetof(conv2d_geometry, macs) + sizeof(std::int64_t);
constexpr std::size_t kFirstOptions = offsetof(conv2d_plan_options, reserved) + sizeof(std::int32_t);
constexpr std::size_t kFirstInfo = offsetof(conv2d_plan_info, threads) + sizeof(std::int32_t);
constexpr std::size_t kFirstTensors = offsetof(conv2d_tensors, workspace) + sizeof(conv2d_output);

/// Copies what fits, with a zero at the end.
template <std::size_t kSize>
void copy_text(std::string_view text, char (&out)[kSize]) noexcept {
  out[text.copy(out, kSize - 1)] = '\0';
}

conv2d_geometry to_c(const Geometry& g) noexcept {
  conv2d_geometry out = conv2d_empty_geometry();
  out.oh = g.oh, out.ow = g.ow;
  out.top = g.padding.top, out.bottom = g.padding.bottom, out.left = g.padding.left, out.right = g.padding.right;
  out.remainder_h = g.remainder_h, out.remainder_w = g.remainder_w;
  out.x_size = g.x_size, out.w_size = g.w_size, out.y_size = g.y_size;
  const auto copy = [](const std::array<std::int64_t, 4>& shape, std::int64_t* to) {
    std::copy(shape.begin(), shape.end(), to);
  };
  copy(g.x_shape(), out.x_shape);
  copy(g.w_shape(), out.w_shape);
  copy(g.y_shape(), out.y_shape);
  out.macs = g.macs();
  return out;
}

Status reserved_is_0(std::int32_t reserved) noexcept {
  return reserved == 0 ? Status{} : invalid("reserved", "reserved must be 0");
}

Status to_options(const conv2d_plan_options* given, PlanOptions& options) noexcept {
  conv2d_plan_options own = conv2d_default_plan_options();
  if (given) {
    if (Status status = read_structure(given, "options", kFirstOptions, own); !status.ok()) return status;
  }
  options = {.algorithm = own.algorithm ? own.algorithm : "",
             .threads = own.threads,
             .macs_per_thread = own.macs_per_thread,
             .packed_weights = own.packed_weights != 0,
             .instruction_set = own.instruction_set ? own.instruction_set : "",
             .accuracy = static_cast<Accuracy>(own.accuracy),
             .deterministic = own.deterministic != 0,
             .accumulate = own.accumulate != 0};
  return reserved_is_0(own.reserved);
}

Status create(const conv2d_desc* desc, std::int32_t pass, const conv2d_plan_options* options, conv2d_plan** plan) {
  if (!plan) return missing("plan");
  ConvDesc own_desc;
  PlanOptions own_options;
  Status given = first_error([&] { return to_desc(desc, own_desc); }, [&] { return to_options(options, own_options); });
  if (!given.ok()) return given;
  const Result<Plan> made = conv2d::plan(own_desc, static_cast<Pass>(pass), own_options);
  if (!made.ok()) return made.status();
  *plan = new conv2d_plan{*made, std::string(made->algorithm()), std::string(made->instruction_set())};
  return {};
}

Status run(const conv2d_plan* plan, const conv2d_tensors* given, conv2d_pool* pool) noexcept {
  if (!plan) return missing("plan");
  conv2d_tensors own = conv2d_no_tensors();
  Tensors tensors;
  Resources resources{.team = pool ? pool->threads.team() : Team{}};
  const Status status =
      first_error([&] { return read_structure(given, "tensors", kFirstTensors, own); },
                  [&] { return to_span(own.x.data, own.x.count, "x", tensors.x); },
                  [&] { return to_span(own.w.data, own.w.count, "w", tensors.w); },
                  [&] { return to_span(own.packed.data, own.packed.count, "packed", tensors.packed); },
                  [&] { return to_span(own.b.data, own.b.count, "b", tensors.b); },
                  [&] { return to_span(own.dy.data, own.dy.count, "dy", tensors.dy); },
                  [&] { return to_span(own.out.data, own.out.count, "out", tensors.out); },
                  [&] { return to_span(own.workspace.data, own.workspace.count, "workspace", resources.workspace); });
  return status.ok() ? conv2d::run(plan->plan, tensors, resources) : status;
}

Status pack(const conv2d_plan* plan, const conv2d_input& w, const conv2d_output& packed) noexcept {
  if (!plan) return missing("plan");
  std::span<const float> weights;
  std::span<float> room;
  const Status status = first_error([&] { return to_span(w.data, w.count, "w", weights); },
                                    [&] { return to_span(packed.data, packed.count, "packed", room); });
  return status.ok() ? conv2d::pack_weights(plan->plan, weights, room) : status;
}

}  // namespace

std::int32_t report(const Status& status, conv2d_status* out) noexcept {
  if (out) {
    out->code = static_cast<std::int32_t>(status.code);
    copy_text(status.field, out->field);
    copy_text(status.message, out->message);
  }
  return static_cast<std::int32_t>(status.code);
}

Status to_desc(const conv2d_desc* given, ConvDesc& desc) noexcept {
  conv2d_desc own = conv2d_default_desc();
  if (Status status = read_structure(given, "desc", kFirstDesc, own); !status.ok()) return status;
  desc = {.layout = static_cast<Layout>(own.layout),
          .n = own.n,
          .h = own.h,
          .w = own.w,
          .c = own.c,
          .k = own.k,
          .kh = own.kh,
          .kw = own.kw,
          .stride_h = own.stride_h,
          .stride_w = own.stride_w,
          .dilation_h = own.dilation_h,
          .dilation_w = own.dilation_w,
          .groups = own.groups,
          .padding_mode = static_cast<PaddingMode>(own.padding_mode),
          .padding = {own.top, own.bottom, own.left, own.right},
          .weights_layout = static_cast<WeightsLayout>(own.weights_layout)};
  return reserved_is_0(own.reserved);
}

}  // namespace conv2d::c

using namespace conv2d;

const char* conv2d_version() { return version().data(); }

const char* conv2d_code_name(int32_t code) {
  // Names are literals, which end with a zero.
  return code >= 0 && code <= CONV2D_CANCELLED ? to_string(static_cast<ErrorCode>(code)).data() : nullptr;
}

int32_t conv2d_get_geometry(const conv2d_desc* desc, conv2d_geometry* geometry, conv2d_status* status) {
  return c::guarded(status, [=]() -> Status {
    ConvDesc own;
    if (Status given = c::to_desc(desc, own); !given.ok()) return given;
    const Result<Geometry> resolved = resolve(own);
    return resolved.ok() ? c::write_structure(c::to_c(*resolved), "geometry", c::kFirstGeometry, geometry)
                         : resolved.status();
  });
}

int32_t conv2d_create_plan(const conv2d_desc* desc, int32_t pass, const conv2d_plan_options* options,
                           conv2d_plan** plan, conv2d_status* status) {
  return c::guarded(status, [=] { return c::create(desc, pass, options, plan); });
}

int32_t conv2d_get_plan_info(const conv2d_plan* plan, conv2d_plan_info* info, conv2d_status* status) {
  return c::guarded(status, [=]() -> Status {
    if (!plan) return c::missing("plan");
    const conv2d_plan_info own{sizeof(conv2d_plan_info),      plan->algorithm.c_str(),
                               plan->instruction_set.c_str(), plan->plan.workspace_floats(),
                               plan->plan.packed_floats(),    static_cast<std::int32_t>(plan->plan.pass()),
                               plan->plan.threads()};
    return c::write_structure(own, "info", c::kFirstInfo, info);
  });
}

void conv2d_destroy_plan(conv2d_plan* plan) { delete plan; }

int32_t conv2d_create_pool(int32_t threads, conv2d_pool** pool, conv2d_status* status) {
  return c::guarded(status, [=]() -> Status {
    if (!pool) return c::missing("pool");
    if (threads < 1) {
      Message message("threads is ");
      message += std::int64_t{threads};
      return c::invalid("threads", message += ", but must be at least 1");
    }
    *pool = new conv2d_pool{conv2d::ThreadPool(threads)};
    return {};
  });
}

int32_t conv2d_pool_threads(const conv2d_pool* pool) { return pool ? pool->threads.threads() : 1; }

void conv2d_destroy_pool(conv2d_pool* pool) { delete pool; }

int32_t conv2d_pack_weights(const conv2d_plan* plan, conv2d_input w, conv2d_output packed, conv2d_status* status) {
  return c::report(c::pack(plan, w, packed), status);
}

int32_t conv2d_run(const conv2d_plan* plan, const conv2d_tensors* tensors, conv2d_pool* pool, conv2d_status* status) {
  return c::report(c::run(plan, tensors, pool), status);
}
