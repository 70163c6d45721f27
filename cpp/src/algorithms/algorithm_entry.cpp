#include <cstdlib>

#include "algorithms/algorithm_entry.hpp"
#include "base/errors.hpp"
#include "cost/constants.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "teaching_loops/teaching_loops.hpp"

namespace conv2d::algorithm {
namespace {

using teaching_loops::LoopKernel;

Status no_such_set(std::string_view field, std::string_view requested_isa) {
  Message all, here;
  for (const micro_kernels::CompiledSet& set : micro_kernels::compiled_sets()) {
    const std::string_view name = set.kernels->instruction_set;
    all += text(all.empty() ? "" : ", ", name);
    if (set.runs_here()) here += text(here.empty() ? "" : ", ", name);
  }
  return Status{
      ErrorCode::invalid_argument, field,
      text(field, " is \"", requested_isa, "\", but this build has ", all, ", and this processor can run ", here)};
}

class LoopExecutable final : public engine::Executable {
 public:
  LoopExecutable(const Geometry& g, const LoopKernel& loops, const cost::Loops& costs) : g_(g), loops_(loops) {
    if (loops.scratch) own_.take(loops.scratch(g));
    divides_ = false;
    cost_ = loops.cost(g, costs);
  }

  bool run(const Operands& o, Part, const engine::Memory& memory, const ProgressHook& hook) const noexcept override {
    return loops_.run(g_, o, memory.own, hook);
  }

 private:
  Geometry g_;
  const LoopKernel& loops_;
};

}  // namespace

double Entry::error_bound(const Geometry& g) const {
  if (bound) return bound(g, pass);
  switch (pass) {
    case Pass::forward:
      return sum_error_bound(g.kh * g.kw * g.group_c + 1);
    case Pass::backward_data:
      return sum_error_bound(g.kh * g.kw * g.group_k);
    case Pass::backward_weights:
    case Pass::backward_bias:
      return sum_error_bound(g.n * g.oh * g.ow);
  }
  return 0;
}

ExecutablePointer Entry::prepare(const Geometry& g, const PrepareOptions& options) const {
  if (loops) return std::make_unique<LoopExecutable>(g, *loops, options.kernels->costs->loops);
  return engine(g, pass, options);
}

Result<const KernelSet*> kernels_of(std::string_view instruction_set) {
  std::string_view field = "instruction_set";
#if !defined(__wasm__)  // one set, and no environment variables
  constexpr const char* kVariable = "CONV2D_INSTRUCTION_SET";
  if (const char* value = std::getenv(kVariable); value && instruction_set.empty()) {
    field = kVariable;
    instruction_set = value;
  }
#endif
  if (const KernelSet* set = micro_kernels::select(instruction_set)) return set;
  return no_such_set(field, instruction_set);
}

}  // namespace conv2d::algorithm
