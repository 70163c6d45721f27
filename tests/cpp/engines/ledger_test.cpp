#include "base/ledger.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>

using namespace conv2d;

TEST_CASE("a ledger gives out places on lines, none over another, and counts up to the end of the last", "[engines]") {
  Ledger ledger;
  const std::int64_t sizes[] = {1, 15, 16, 17, 0, 100};
  std::int64_t end = 0;
  for (const std::int64_t size : sizes) {
    const Place place = ledger.take(size);
    CHECK(place.first % kLineFloats == 0);
    CHECK(place.first >= end);
    CHECK(place.first - end < kLineFloats);
    if (size > 0) end = place.first + size;
    CHECK(ledger.floats().value() == end);
  }
  CHECK(ledger.next().value() % kLineFloats == 0);
  CHECK(ledger.next().value() >= end);
}

TEST_CASE("a ledger from which nothing was taken needs nothing", "[engines]") {
  Ledger ledger;
  CHECK(ledger.take(0).first == 0);
  CHECK(ledger.floats().value() == 0);
  CHECK(ledger.next().value() == 0);
}

TEST_CASE("a ledger remembers that what was taken cannot be counted", "[engines]") {
  Ledger ledger;
  ledger.take(CheckedInt(INT64_MAX) * 2);
  CHECK_FALSE(ledger.floats().fits());
  ledger.take(1);
  CHECK_FALSE(ledger.floats().fits());
  Ledger small;
  small.take(8);
  CHECK_FALSE(neediest(small, ledger).floats().fits());
  CHECK_FALSE(neediest(ledger, small).floats().fits());
  Ledger larger;
  larger.take(9);
  CHECK(neediest(small, larger).floats().value() == 9);
}

TEST_CASE("memory begins at its first line", "[engines]") {
  alignas(64) float floats[3 * kLineFloats] = {};
  CHECK(to_line(floats) == floats);
  for (std::int64_t skip = 1; skip <= kLineFloats; ++skip) CHECK(to_line(floats + skip) == floats + kLineFloats);
}
