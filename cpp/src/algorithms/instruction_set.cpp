#include "algorithms/instruction_set.hpp"

#include <cstdlib>

#include "base/errors.hpp"
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
  std::string_view field = "instruction_set";
#if !defined(__wasm__)  // one set, and no environment variables
  constexpr const char* kVariable = "CONV2D_INSTRUCTION_SET";
  if (const char* value = std::getenv(kVariable); value && instruction_set.empty()) {
    field = kVariable;
    instruction_set = value;
  }
#endif
  if (const micro_kernels::KernelSet* set = micro_kernels::select(instruction_set)) return set;
  return no_such_set(field, instruction_set);
}

}  // namespace conv2d::algorithm
