#include <cstddef>
#include <iterator>

#include "gradient_check/loss_entry.hpp"

namespace conv2d {
namespace {

constexpr const LossEntry* kEntries[] = {&kMse, &kLogCosh, &kAbsoluteError};
static_assert(std::size(kEntries) == static_cast<std::size_t>(kLastLoss));

}  // namespace

const LossEntry* entry_of(Loss loss) noexcept {
  for (const LossEntry* entry : kEntries) {
    if (entry->loss == loss) return entry;
  }
  return nullptr;
}

std::string_view to_string(Loss loss) noexcept {
  const LossEntry* entry = entry_of(loss);
  return entry ? entry->name : loss == Loss::linear ? "linear" : "unknown";
}

}  // namespace conv2d
