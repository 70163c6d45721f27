// A machine's fastest instruction set is the one that runs; the slower ones, which run elsewhere, are tested by running
// this program again without it. Native x86 on Linux only: everywhere else there is one instruction set.
#if defined(__linux__) && defined(__x86_64__)

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>

#include "support/environment.hpp"

using namespace conv2d::test;

namespace {

/// Runs the tests tagged [kernels] in a process of its own; returns its exit code.
int run_kernel_tests(const char* instruction_set) {
  const std::string runs = std::to_string((property_runs() + 9) / 10);
  const pid_t child = fork();
  if (child == 0) {
    setenv("CONV2D_INSTRUCTION_SET", instruction_set, 1);
    setenv("CONV2D_PROPERTY_RUNS", runs.c_str(), 1);
    execl("/proc/self/exe", "conv2d_tests", "[kernels]", static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 128;
  return WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("the kernels of the slower instruction sets pass the same tests") {
  CHECK(run_kernel_tests("avx2") == 0);
  CHECK(run_kernel_tests("sse2") == 0);
}

#endif
