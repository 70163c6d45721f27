#include "base/scratch.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>

using namespace conv2d;

TEST_CASE("a scratch layout assigns disjoint offsets at cache lines, and its size ends with the last block",
          "[engines]") {
  ScratchLayout layout;
  const std::int64_t sizes[] = {1, 15, 16, 17, 0, 100};
  std::int64_t end = 0;
  for (const std::int64_t size : sizes) {
    const Offset offset = layout.take(size);
    CHECK(offset.floats % kCacheLineFloats == 0);
    if (size == 0) {
      // An empty block gets offset 0: the next cache line could be beyond the end of the memory.
      CHECK(offset.floats == 0);
    } else {
      CHECK(offset.floats >= end);
      CHECK(offset.floats - end < kCacheLineFloats);
      end = offset.floats + size;
    }
    CHECK(layout.floats().value() == end);
  }
  CHECK(layout.next().value() % kCacheLineFloats == 0);
  CHECK(layout.next().value() >= end);
}

TEST_CASE("an empty scratch layout has size 0", "[engines]") {
  ScratchLayout layout;
  CHECK(layout.take(0).floats == 0);
  CHECK(layout.floats().value() == 0);
  CHECK(layout.next().value() == 0);
}

TEST_CASE("a scratch layout that overflows stays invalid", "[engines]") {
  ScratchLayout layout;
  layout.take(CheckedInt(INT64_MAX) * 2);
  CHECK_FALSE(layout.floats().fits());
  layout.take(1);
  CHECK_FALSE(layout.floats().fits());
  ScratchLayout small;
  small.take(8);
  CHECK_FALSE(larger_of(small, layout).floats().fits());
  CHECK_FALSE(larger_of(layout, small).floats().fits());
  ScratchLayout larger;
  larger.take(9);
  CHECK(larger_of(small, larger).floats().value() == 9);
}

TEST_CASE("scratch memory starts at its first cache line", "[engines]") {
  alignas(64) float floats[3 * kCacheLineFloats] = {};
  CHECK(align_to_cache_line(floats) == floats);
  for (std::int64_t skip = 1; skip <= kCacheLineFloats; ++skip)
    CHECK(align_to_cache_line(floats + skip) == floats + kCacheLineFloats);
}

TEST_CASE("scratch memory may exceed a quarter of the address space", "[engines]") {
  // More bytes than the float count of a tensor may have with 32-bit addresses. The memory is never written, so no
  // pages are allocated.
  constexpr std::int64_t kFloats = (std::int64_t{1} << 27) + 1;
  Scratch<float> scratch;
  CHECK(scratch.allocate(kFloats));
  CHECK(scratch.span().size() == static_cast<std::size_t>(kFloats));
  CHECK_FALSE(Scratch<float>().allocate(std::int64_t{1} << 62));
}
