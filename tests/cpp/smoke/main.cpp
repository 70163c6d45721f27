// Runs every algorithm of some convolutions on each instruction set of the machine, and compares the results with the
// reference. It needs only the library, so that a new compiler or system is tried in a minute (docs/systems.md).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "conv2d/algorithm.hpp"
#include "conv2d/conv2d.hpp"
#include "conv2d/reference.hpp"
#include "conv2d/thread_pool.hpp"

using namespace conv2d;

namespace {

void request_set(const char* name) {
#if defined(_WIN32)
  _putenv_s("CONV2D_INSTRUCTION_SET", name);
#else
  setenv("CONV2D_INSTRUCTION_SET", name, 1);
#endif
}

/// Integers from -8 to 7, so that most algorithms compute exactly.
std::vector<float> integers(std::int64_t count) {
  static std::uint32_t state = 1;
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<float>(state >> 28U) - 8.0F;
  }
  return values;
}

std::size_t out_size(const Geometry& g, Pass pass) {
  const std::int64_t sizes[] = {g.y_size, g.x_size, g.w_size, g.k};
  return static_cast<std::size_t>(sizes[static_cast<int>(pass)]);
}

struct Count {
  int runs = 0, wrong = 0;
};

void compare(const Geometry& g, Pass pass, const Team& team, Count& count) {
  const std::vector<float> x = integers(g.x_size), w = integers(g.w_size), b = integers(g.k), dy = integers(g.y_size);
  std::vector<float> expected(out_size(g, pass)), out(expected.size());
  reference::run(g, pass, {.x = x, .w = w, .b = b, .dy = dy, .out = expected});
  for (const AlgorithmInfo& info : algorithms(g, pass)) {
    if (!info.supported) continue;
    const Plan planned = plan(g, pass, {.algorithm = info.name, .threads = team.threads, .macs_per_thread = 0}).value();
    std::vector<float> workspace(static_cast<std::size_t>(planned.workspace_floats()));
    std::ranges::fill(out, 1e30F);
    const Status status =
        run(planned, {.x = x, .w = w, .b = b, .dy = dy, .out = out}, {.workspace = workspace, .team = team});
    // Winograd rounds: its sums here are below 5,000.
    const bool right =
        status.ok() && std::ranges::equal(out, expected, [](float a, float e) { return std::fabs(a - e) < 0.05F; });
    ++count.runs;
    if (right) continue;
    ++count.wrong;
    std::printf("wrong: %s\n", info.name.data());
  }
}

}  // namespace

int main() {
  ThreadPool pool(3);
  Count all;
  const ConvDesc problems[] = {
      {.n = 2, .h = 9, .w = 11, .c = 5, .k = 7, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same},
      {.h = 12, .w = 8, .c = 16, .k = 16, .kh = 3, .kw = 3, .groups = 16}};
  for (const char* set : {"avx512", "avx2", "sse2", "neon", "portable"}) {
    request_set(set);
    if (!plan(problems[0], Pass::forward).ok()) continue;
    const Count before = all;
    for (const ConvDesc& problem : problems) {
      for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias}) {
        compare(resolve(problem).value(), pass, pool.team(), all);
      }
    }
    std::printf("%s: %d runs, %d wrong\n", set, all.runs - before.runs, all.wrong - before.wrong);
  }
  return all.runs > 0 && all.wrong == 0 ? 0 : 1;
}
