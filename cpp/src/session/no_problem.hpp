#pragma once

#include "conv2d/status.hpp"

namespace conv2d::session {

/// The error of every call before set_problem().
inline Status no_problem() { return {ErrorCode::invalid_argument, "desc", "no problem has been set in this session"}; }

}  // namespace conv2d::session
