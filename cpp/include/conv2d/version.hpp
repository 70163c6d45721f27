#pragma once

#include <string_view>

#include "conv2d/config.hpp"

/// Version of these headers; the build reads it from here. While MAJOR is 0, MINOR increases with incompatible changes
/// and PATCH with compatible ones (CHANGELOG.md).
#define CONV2D_VERSION_MAJOR 0
#define CONV2D_VERSION_MINOR 1
#define CONV2D_VERSION_PATCH 0

namespace conv2d {

/// Version of the linked library, e.g. "0.1.0".
CONV2D_API std::string_view version() noexcept;

}  // namespace conv2d
