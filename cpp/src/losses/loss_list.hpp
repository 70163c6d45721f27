#pragma once

#include <tuple>

#include "losses/absolute_error.hpp"
#include "losses/cross_entropy.hpp"
#include "losses/log_cosh.hpp"
#include "losses/mse.hpp"

namespace conv2d::losses {

/// All losses with a target.
using Losses = std::tuple<Mse, LogCosh, AbsoluteError, CrossEntropy>;

}  // namespace conv2d::losses
