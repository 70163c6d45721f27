#include "module_team.hpp"

#ifdef __EMSCRIPTEN_PTHREADS__
#include <emscripten/em_asm.h>

#include "conv2d/thread_pool.hpp"
#endif

namespace conv2d::bindings {

Team module_team() {
#ifdef __EMSCRIPTEN_PTHREADS__
  static ThreadPool pool(EM_ASM_INT({ return Module["threads"]; }));
  return pool.team();
#else
  return {};
#endif
}

}  // namespace conv2d::bindings
