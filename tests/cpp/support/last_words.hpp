#pragma once

#include <functional>
#include <string>

#include "support/failures.hpp"

#if !defined(__EMSCRIPTEN__)
#define CONV2D_TEST_PROCESSES 1  ///< whether a test can have something done in a process of its own

namespace conv2d::test {

/// Calls `act` in a process of its own. What that one said before it aborted; nothing: it went on to its end.
std::optional<std::string> last_words(const std::function<void()>& act);

/// Wrong unless `act` aborts a build that checks preconditions, with one that begins with `words`, and no other build.
Failure wrong_about_precondition(const std::string& words, const std::function<void()>& act);

}  // namespace conv2d::test

#endif
