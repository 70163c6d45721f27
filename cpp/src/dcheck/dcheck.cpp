#include "dcheck/dcheck.hpp"

#if defined(CONV2D_DCHECKS)

#include <cstdio>
#include <cstdlib>

namespace conv2d {

void check_failed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "conv2d: %s:%d: precondition does not hold: %s\n", file, line, condition);
  std::abort();
}

}  // namespace conv2d

#endif
