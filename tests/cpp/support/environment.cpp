#include "support/environment.hpp"

#include <cstdio>
#include <cstdlib>
#include <random>

#include "support/guarded_buffer.hpp"

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#endif

namespace conv2d::test {

#ifdef __EMSCRIPTEN__
// getenv of Emscripten returns a simulated environment, not that of Node.
EM_JS_DEPS(conv2d_test, "$stringToUTF8,$UTF8ToString");
EM_JS(void, conv2d_test_environment, (const char* name, char* out, int size),
      { stringToUTF8(process.env[UTF8ToString(name)] || "", out, size); });

std::string environment(const char* name) {
  char value[256];
  conv2d_test_environment(name, value, sizeof value);
  return value;
}
#else
std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}
#endif

std::uint64_t property_seed() {
  static const std::uint64_t seed = [] {
    const std::string given = environment("CONV2D_SEED");
    const std::uint64_t chosen = given.empty() ? std::random_device{}() : std::strtoull(given.c_str(), nullptr, 10);
    std::printf("CONV2D_SEED=%llu CONV2D_PROPERTY_RUNS=%lld\n", static_cast<unsigned long long>(chosen),
                static_cast<long long>(property_runs()));
    return chosen;
  }();
  return seed;
}

std::int64_t property_runs() {
  const std::string given = environment("CONV2D_PROPERTY_RUNS");
  if (!given.empty()) return std::strtoll(given.c_str(), nullptr, 10);
  return 2000;
}

}  // namespace conv2d::test

#ifdef CONV2D_TEST_ASAN
/// A failed allocation returns null, as without the sanitizer, so the library can report the error.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
#endif
