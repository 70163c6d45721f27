#include "conv2d/reference.hpp"

#include "algorithms/loops.hpp"
#include "engines/loop_kernel.hpp"

namespace conv2d::algorithm {
namespace {

double exact(const Geometry&) { return 0.0; }

double mac_cost(const Geometry& g, const cost::Loops& c) {
  return c.reference_mac * static_cast<double>(g.macs() + g.x_size + g.y_size);
}
double sum_cost(const Geometry& g, const cost::Loops& c) {
  return c.reference_sum * static_cast<double>(g.y_size + g.k);
}

std::span<const float> view(const float* data, std::int64_t size) { return {data, static_cast<std::size_t>(size)}; }
std::span<float> view(float* data, std::int64_t size) { return {data, static_cast<std::size_t>(size)}; }

/// The reference runs in one piece: the hook is called once, before it.
bool may_start(const ProgressHook& progress) { return !progress.step || progress.step(progress.context, 0, 1); }

bool run_forward(const Geometry& g, const Operands& o, float*, const ProgressHook& progress) noexcept {
  if (!may_start(progress)) return false;
  reference::forward<float>(g, view(o.x, g.x_size), view(o.w, g.w_size), view(o.b, o.b ? g.k : 0),
                            view(o.out, g.y_size));
  return true;
}

bool run_backward_data(const Geometry& g, const Operands& o, float*, const ProgressHook& progress) noexcept {
  if (!may_start(progress)) return false;
  reference::backward_data<float>(g, view(o.dy, g.y_size), view(o.w, g.w_size), view(o.out, g.x_size));
  return true;
}

bool run_backward_weights(const Geometry& g, const Operands& o, float*, const ProgressHook& progress) noexcept {
  if (!may_start(progress)) return false;
  reference::backward_weights<float>(g, view(o.x, g.x_size), view(o.dy, g.y_size), view(o.out, g.w_size));
  return true;
}

bool run_backward_bias(const Geometry& g, const Operands& o, float*, const ProgressHook& progress) noexcept {
  if (!may_start(progress)) return false;
  reference::backward_bias<float>(g, view(o.dy, g.y_size), view(o.out, g.k));
  return true;
}

template <double (*cost)(const Geometry&, const cost::Loops&),
          bool (*run)(const Geometry&, const Operands&, float*, const ProgressHook&) noexcept>
ExecutablePointer prepare(const Geometry& g, const PrepareOptions& options) {
  return engine::prepare_loop_kernel(g, {.cost = cost(g, engine::loop_costs(options)), .run = run});
}

}  // namespace

extern const Entry forward_reference = {
    .name = "reference",
    .pass = Pass::forward,
    .description =
        "The formula, with one sum in double precision per cell of y. Slow; the other algorithms are checked against "
        "it.",
    .unsupported_reason = always_supported,
    .error_bound = exact,
    .prepare = prepare<mac_cost, run_forward>,
};

extern const Entry backward_data_reference = {
    .name = "reference",
    .pass = Pass::backward_data,
    .description = "One sum in double precision per cell of x, over every output that uses the cell.",
    .unsupported_reason = always_supported,
    .error_bound = exact,
    .prepare = prepare<mac_cost, run_backward_data>,
};

extern const Entry backward_weights_reference = {
    .name = "reference",
    .pass = Pass::backward_weights,
    .description = "One sum in double precision per weight, over the batch and every output position.",
    .unsupported_reason = always_supported,
    .error_bound = exact,
    .prepare = prepare<mac_cost, run_backward_weights>,
};

extern const Entry backward_bias_reference = {
    .name = "reference",
    .pass = Pass::backward_bias,
    .description = "One sum in double precision per filter, over the batch and every output position.",
    .unsupported_reason = always_supported,
    .error_bound = exact,
    .prepare = prepare<sum_cost, run_backward_bias>,
};

}  // namespace conv2d::algorithm
