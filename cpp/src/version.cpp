#include "conv2d/version.hpp"

#define CONV2D_TEXT(number) #number
#define CONV2D_DOTTED(major, minor, patch) CONV2D_TEXT(major) "." CONV2D_TEXT(minor) "." CONV2D_TEXT(patch)

namespace conv2d {

std::string_view version() noexcept {
  return CONV2D_DOTTED(CONV2D_VERSION_MAJOR, CONV2D_VERSION_MINOR, CONV2D_VERSION_PATCH);
}

}  // namespace conv2d
