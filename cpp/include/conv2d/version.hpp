#pragma once

#include <string_view>

/// The version of these headers; the build reads it here. While the first number is 0, the second one counts changes
/// that a caller may have to follow, and the third one those that nobody has to (CHANGELOG.md).
#define CONV2D_VERSION_MAJOR 0
#define CONV2D_VERSION_MINOR 1
#define CONV2D_VERSION_PATCH 0

namespace conv2d {

/// The version of the library that a program was linked with, e.g. "0.1.0".
std::string_view version() noexcept;

}  // namespace conv2d
