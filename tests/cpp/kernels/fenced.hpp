#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "support/compare.hpp"
#include "support/guarded_buffer.hpp"
#include "support/page_guarded.hpp"
#include "support/rng.hpp"

/// Memory in which a kernel shows what it reads and writes beside its operands, and the collection of what went wrong.
namespace conv2d::test {

/// An operand that is only read. Its last float is followed by a page that cannot be read; where there are no pages, by
/// canaries. The address of the first float is of any alignment, as the size happens to be.
#if defined(CONV2D_TEST_PAGES) && !defined(CONV2D_TEST_ASAN)
class Fenced {
 public:
  explicit Fenced(std::span<const float> contents) : memory_(contents, Guard::behind) {}
  [[nodiscard]] const float* data() const noexcept { return memory_.span().data(); }

 private:
  PageGuarded memory_;
};
#else
class Fenced {
 public:
  explicit Fenced(std::span<const float> contents) : memory_(contents) {}
  [[nodiscard]] const float* data() noexcept { return memory_.span().data(); }

 private:
  GuardedBuffer memory_;
};
#endif

/// What was written, and what should have been, cell by cell. Cells begin as kUntouched in both.
class Written {
 public:
  static constexpr float kUntouched = -77.25F;

  explicit Written(std::size_t size) : memory_(size), expected_(size, kUntouched) {
    for (float& cell : memory_.span()) cell = kUntouched;
  }

  [[nodiscard]] float* data() noexcept { return memory_.span().data(); }
  /// Sets what a cell holds beforehand, NaN for what must not be read.
  void begin(std::ptrdiff_t cell, float value) { memory_.span()[static_cast<std::size_t>(cell)] = value; }
  void expect(std::ptrdiff_t cell, double value) { expected_[static_cast<std::size_t>(cell)] = value; }

  /// Empty when all cells are as expected, the untouched ones and those beside the memory too.
  [[nodiscard]] std::string wrong(const Tolerance& tolerance = {}) {
    if (!memory_.intact()) return "wrote beside its output";
    return difference(memory_.span(), expected_, tolerance);
  }

 private:
  GuardedBuffer memory_;
  std::vector<double> expected_;
};

/// The first few failures of a test that runs many cases; a CHECK for each of them would cost more than the kernels.
class Failures {
 public:
  template <class... Parts>
  void add(const std::string& wrong, const Parts&... where) {
    if (wrong.empty() || ++count_ > 5) return;
    (append(where), ...);
    text_.append(": ").append(wrong).append("\n");
  }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  void append(const std::string& part) { text_ += part; }
  void append(std::int64_t number) { text_.append(" ").append(std::to_string(number)); }

  std::string text_;
  int count_ = 0;
};

/// Small integers: every sum of the tests is exact in float, whatever the order.
inline std::vector<float> integers(std::int64_t size, Rng& rng) {
  std::vector<float> values(static_cast<std::size_t>(size));
  for (float& value : values) value = static_cast<float>(rng.between(-8, 8));
  return values;
}

}  // namespace conv2d::test
