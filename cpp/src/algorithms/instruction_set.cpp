#include "algorithms/instruction_set.hpp"

#include "base/text.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::algorithm {

Status check_instruction_set() {
#if defined(__wasm__)
  return {};  // there is one, and nobody to ask for another
#else
  const std::string_view refused = micro_kernels::refused_wish();
  if (refused.empty()) return {};
  std::string all, here;
  for (const micro_kernels::CompiledSet& set : micro_kernels::compiled_sets()) {
    const std::string_view name = set.kernels->instruction_set;
    all += text(all.empty() ? "" : ", ", name);
    if (set.runs_here()) here += text(here.empty() ? "" : ", ", name);
  }
  constexpr std::string_view kVariable = "CONV2D_INSTRUCTION_SET";
  return Status{
      ErrorCode::invalid_argument, kVariable,
      text(kVariable, " asks for \"", refused, "\"; there are ", all, ", of which this processor can run ", here)};
#endif
}

std::string_view instruction_set() noexcept { return micro_kernels::kernels().instruction_set; }

}  // namespace conv2d::algorithm
