#include "engines/loop_kernel.hpp"

#include "micro_kernels/kernel_set.hpp"

namespace conv2d::engine {
namespace {

class LoopExecutable final : public Executable {
 public:
  LoopExecutable(const Geometry& g, const LoopKernel& kernel) : g_(g), run_(kernel.run) {
    own_.take(kernel.scratch);
    cost_ = kernel.cost;
  }

  bool run(const Operands& o, Part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    return run_(g_, o, memory.own, progress);
  }

 private:
  Geometry g_;
  decltype(LoopKernel::run) run_;
};

}  // namespace

const cost::Loops& loop_costs(const PrepareOptions& options) noexcept { return options.kernels->costs->loops; }

ExecutablePointer prepare_loop_kernel(const Geometry& g, const LoopKernel& kernel) {
  return std::make_unique<LoopExecutable>(g, kernel);
}

}  // namespace conv2d::engine
