#include <cstddef>
#include <iterator>

#include "gradient_check/loss_entry.hpp"

/// A source of its own: with it come the bounds of gradient checks.
namespace conv2d {
namespace {

/// In the order of the enumerators, after Loss::linear.
constexpr const LossChecks* kChecks[] = {&kMseChecks, &kLogCoshChecks, &kAbsoluteErrorChecks};
static_assert(std::size(kChecks) == static_cast<std::size_t>(kLastLoss));

}  // namespace

const LossChecks& loss_checks_of(Loss loss) noexcept { return *kChecks[static_cast<std::size_t>(loss) - 1]; }

}  // namespace conv2d
