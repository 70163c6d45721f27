#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "support/compare.hpp"
#include "support/failures.hpp"
#include "support/guarded_buffer.hpp"
#include "support/oracle.hpp"
#include "support/page_guarded.hpp"
#include "support/rng.hpp"

/// Memory that detects wrong reads and writes of a function, and the comparison of its results.
namespace conv2d::test {

/// Every kernel runs both trials: on small integers, with sums that are exact in float in any order, and on real
/// numbers, with sums that must stay within a bound. Its inputs end at an unreadable page, then start after one.
struct Trial {
  Data data;
  Guard guard;
};
inline constexpr Trial kTrials[] = {{Data::integers, Guard::behind}, {Data::reals, Guard::in_front}};

inline std::vector<float> numbers(std::int64_t size, Data data, Rng& rng) {
  std::vector<float> values(static_cast<std::size_t>(size));
  for (float& value : values) value = data == Data::reals ? rng.real() : static_cast<float>(rng.between(-8, 8));
  return values;
}

/// 1, 2, 3 ...: a float read from a wrong address has a wrong value.
inline std::vector<float> iota_floats(std::int64_t size) {
  std::vector<float> values(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
  return values;
}

/// A read-only operand. One end touches an unreadable page, the other end is unguarded; without pages both have
/// canaries. With a page behind, the alignment of the first float depends on the size.
class GuardedInput {
 public:
#if defined(CONV2D_TEST_PAGES) && !defined(CONV2D_TEST_ASAN)
  explicit GuardedInput(std::span<const float> contents, Guard guard = Guard::behind) : memory_(contents, guard) {}
#else
  explicit GuardedInput(std::span<const float> contents, Guard /*both*/ = Guard::behind) : memory_(contents) {}
#endif
  [[nodiscard]] const float* data() noexcept { return memory_.span().data(); }

 private:
#if defined(CONV2D_TEST_PAGES) && !defined(CONV2D_TEST_ASAN)
  PageGuarded memory_;
#else
  GuardedBuffer memory_;
#endif
};

/// A sum as its contract defines it, in double, and the bound of its error in float: at most one rounding per term and
/// one for its product, in any order of summation.
class Sum {
 public:
  void add(float term) { add(static_cast<double>(term), 1); }
  void add(float a, float b) { add(static_cast<double>(a), static_cast<double>(b)); }
  void add(double a, double b) {
    value_ += a * b;
    magnitude_ += std::abs(a * b);
    ++terms_;
  }

  [[nodiscard]] double value() const noexcept { return value_; }
  [[nodiscard]] double magnitude() const noexcept { return magnitude_; }
  [[nodiscard]] double roundings() const noexcept { return static_cast<double>(terms_ + 1); }

 private:
  double value_ = 0, magnitude_ = 0;
  std::int64_t terms_ = 0;
};

/// An output buffer with its expected values. Elements start as kUnwritten in both.
class CheckedOutput {
 public:
  static constexpr float kUnwritten = -77.25F;

  explicit CheckedOutput(std::int64_t size, Data data = Data::integers)
      : data_(data), memory_(static_cast<std::size_t>(size)) {
    expected_.value.assign(static_cast<std::size_t>(size), kUnwritten);
    expected_.magnitude.assign(static_cast<std::size_t>(size), 0);
    for (float& cell : memory_.span()) cell = kUnwritten;
  }

  [[nodiscard]] float* data() noexcept { return memory_.span().data(); }
  /// Sets the initial value of an element; NaN if it must not be read.
  void set_initial(std::int64_t cell, float value) { memory_.span()[static_cast<std::size_t>(cell)] = value; }
  /// Expects a copy, which is exact for all numbers.
  void expect(std::int64_t cell, float value) { expect(cell, static_cast<double>(value), 0, 0); }
  void expect(std::int64_t cell, const Sum& sum) { expect(cell, sum.value(), sum.magnitude(), sum.roundings()); }
  void expect(std::int64_t cell, double value, double magnitude, double roundings) {
    expected_.value[static_cast<std::size_t>(cell)] = value;
    expected_.magnitude[static_cast<std::size_t>(cell)] = magnitude;
    roundings_ = std::max(roundings_, roundings);
  }

  /// No failure if all elements are as expected, including untouched ones and the memory around them.
  [[nodiscard]] Failure failure() {
    if (!memory_.intact()) return "wrote outside its output";
    return data_ == Data::integers || roundings_ == 0 ? difference(memory_.span(), expected_.value)
                                                      : difference_beyond_bound(memory_.span(), expected_, roundings_);
  }

 private:
  Data data_;
  GuardedBuffer memory_;
  Exact expected_;
  double roundings_ = 0;
};

}  // namespace conv2d::test
