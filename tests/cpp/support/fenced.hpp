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

/// Memory in which a function shows what it reads and writes beside its operands, and the collection of what went
/// wrong.
namespace conv2d::test {

/// Every kernel runs on both: on small integers, whose sums are exact in float in any order, and on real numbers, whose
/// sums are held to a bound; what it reads touches a page that cannot be read with its end, then with its beginning.
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

/// 1, 2, 3 ...: a float that comes from the wrong place has the wrong value.
inline std::vector<float> counted(std::int64_t size) {
  std::vector<float> values(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
  return values;
}

/// An operand that is only read. One end touches a page that cannot be read, the other is as good as unguarded; where
/// there are no pages, both have canaries. The address of the first float is of any alignment when it is guarded
/// behind, as the size happens to be.
class Fenced {
 public:
#if defined(CONV2D_TEST_PAGES) && !defined(CONV2D_TEST_ASAN)
  explicit Fenced(std::span<const float> contents, Guard guard = Guard::behind) : memory_(contents, guard) {}
#else
  explicit Fenced(std::span<const float> contents, Guard /*both*/ = Guard::behind) : memory_(contents) {}
#endif
  [[nodiscard]] const float* data() noexcept { return memory_.span().data(); }

 private:
#if defined(CONV2D_TEST_PAGES) && !defined(CONV2D_TEST_ASAN)
  PageGuarded memory_;
#else
  GuardedBuffer memory_;
#endif
};

/// A sum as a contract writes it down, in double, and what bounds its error in float: at most a rounding for every term
/// and one for its product, in whatever order it is summed.
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

/// What was written, and what should have been, cell by cell. Cells begin as kUntouched in both.
class Written {
 public:
  static constexpr float kUntouched = -77.25F;

  explicit Written(std::int64_t size, Data data = Data::integers)
      : data_(data), memory_(static_cast<std::size_t>(size)) {
    expected_.value.assign(static_cast<std::size_t>(size), kUntouched);
    expected_.magnitude.assign(static_cast<std::size_t>(size), 0);
    for (float& cell : memory_.span()) cell = kUntouched;
  }

  [[nodiscard]] float* data() noexcept { return memory_.span().data(); }
  /// Sets what a cell holds beforehand, NaN for what must not be read.
  void begin(std::int64_t cell, float value) { memory_.span()[static_cast<std::size_t>(cell)] = value; }
  /// A copy, which is exact whatever the numbers.
  void expect(std::int64_t cell, float value) { expect(cell, static_cast<double>(value), 0, 0); }
  void expect(std::int64_t cell, const Sum& sum) { expect(cell, sum.value(), sum.magnitude(), sum.roundings()); }
  void expect(std::int64_t cell, double value, double magnitude, double roundings) {
    expected_.value[static_cast<std::size_t>(cell)] = value;
    expected_.magnitude[static_cast<std::size_t>(cell)] = magnitude;
    roundings_ = std::max(roundings_, roundings);
  }

  /// Nothing when all cells are as expected, the untouched ones and those beside the memory too.
  [[nodiscard]] Failure wrong() {
    if (!memory_.intact()) return "wrote beside its output";
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
