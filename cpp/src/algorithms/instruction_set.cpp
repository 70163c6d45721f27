#include "algorithms/instruction_set.hpp"

#include "base/text.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::algorithm {
namespace {

Status no_such_set(std::string_view field, std::string_view requested_isa) {
  std::string all, here;
  for (const micro_kernels::CompiledSet& set : micro_kernels::compiled_sets()) {
    const std::string_view name = set.kernels->instruction_set;
    all += text(all.empty() ? "" : ", ", name);
    if (set.runs_here()) here += text(here.empty() ? "" : ", ", name);
  }
  return Status{
      ErrorCode::invalid_argument, field,
      text(field, " is \"", requested_isa, "\", but this build has ", all, ", and this processor can run ", here)};
}

}  // namespace

Result<const micro_kernels::KernelSet*> kernels_of(std::string_view instruction_set) {
  if (instruction_set.empty()) return default_kernels();
  if (const micro_kernels::KernelSet* set = micro_kernels::fastest_set(instruction_set)) return set;
  return no_such_set("instruction_set", instruction_set);
}

Result<const micro_kernels::KernelSet*> default_kernels() {
#if !defined(__wasm__)  // one set, and no environment variables
  const std::string_view refused = micro_kernels::unavailable_isa();
  if (!refused.empty()) return no_such_set("CONV2D_INSTRUCTION_SET", refused);
#endif
  return &micro_kernels::kernels();
}

}  // namespace conv2d::algorithm
