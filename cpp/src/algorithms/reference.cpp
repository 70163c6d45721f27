#include "conv2d/reference.hpp"

#include "algorithms/loop_kernels.hpp"
#include "engines/loop_kernel.hpp"

namespace conv2d::algorithm {
namespace {

template <class T>
std::span<T> view(T* data, std::int64_t size) {
  return {data, data ? static_cast<std::size_t>(size) : 0};
}

template <Pass kPass>
bool run(const Geometry& g, const Operands& o, float*, const ProgressHook& progress) noexcept {
  // In one piece: the hook is called once, before it.
  if (progress.step && !progress.step(progress.context, 0, 1)) return false;
  reference::run(g, kPass,
                 {.x = view(o.x, g.x_size),
                  .w = view(o.w, g.w_size),
                  .b = view(o.b, g.k),
                  .dy = view(o.dy, g.y_size),
                  .out = view(o.out, g.result_size(kPass))});
  return true;
}

}  // namespace

template <Pass kPass>
ExecutablePointer prepare_reference(const Geometry& g, const PrepareOptions& options) {
  const cost::Loops& c = engine::loop_costs(options);
  const double cost = kPass == Pass::backward_bias
                          ? c.reference_sum * static_cast<double>(g.y_size + g.k)
                          : c.reference_mac * static_cast<double>(g.macs() + g.x_size + g.y_size);
  return engine::prepare_loop_kernel(g, {.cost = cost, .run = run<kPass>});
}
template ExecutablePointer prepare_reference<Pass::forward>(const Geometry&, const PrepareOptions&);
template ExecutablePointer prepare_reference<Pass::backward_data>(const Geometry&, const PrepareOptions&);
template ExecutablePointer prepare_reference<Pass::backward_weights>(const Geometry&, const PrepareOptions&);
template ExecutablePointer prepare_reference<Pass::backward_bias>(const Geometry&, const PrepareOptions&);

}  // namespace conv2d::algorithm
