#pragma once

#include <functional>
#include <string>

#include "support/failures.hpp"

#if !defined(__EMSCRIPTEN__) && !defined(_WIN32)
#define CONV2D_TEST_PROCESSES 1  ///< whether a test can run code in a separate process

namespace conv2d::test {

/// Calls `act` in a separate process. Returns the output to stderr if it aborts, nothing if it exits normally.
std::optional<std::string> abort_message(const std::function<void()>& act);

/// A failure unless a build that checks preconditions aborts in `act` with a message that starts with `words`, and any
/// other build does not abort.
Failure precondition_failure(const std::string& words, const std::function<void()>& act);

}  // namespace conv2d::test

#endif
