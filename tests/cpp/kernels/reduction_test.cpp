#include "micro_kernels/window_tile_impl.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace conv2d::micro_kernels;

namespace {

/// The steps of a reduction, as offsets from its start.
template <int kSteps>
std::vector<std::ptrdiff_t> steps_of(std::ptrdiff_t count) {
  std::vector<std::ptrdiff_t> steps;
  std::ptrdiff_t address = 0;
  reduce<kSteps>(
      count, [&](auto u) { steps.push_back(address + u); }, [&] { address += kSteps; });
  CHECK(count - address == steps_left<kSteps>(count));
  return steps;
}

template <int kSteps>
void check_steps() {
  std::vector<std::ptrdiff_t> each;
  for (std::ptrdiff_t count = 1; count <= 4 * kSteps + 1; ++count) {
    each.push_back(count - 1);
    CHECK(steps_of<kSteps>(count) == each);
  }
}

}  // namespace

TEST_CASE("a reduction takes each step once, in order, and its addresses end within the last few", "[micro]") {
  check_steps<2>();
  check_steps<3>();
  check_steps<4>();
}
