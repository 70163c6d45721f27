#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "conv2d_check/check.hpp"

/// Geometries and data to test a kernel with, chosen so that every known mistake shows in some of them.
///
///   conv2d_check::Report report;
///   for (const auto& sample : conv2d_check::samples(Pass::backward_weights)) {
///     auto dw = sample.output();
///     my_dw(sample.desc, sample.x.data(), sample.dy.data(), dw.data());
///     report.add(sample, sample.judge(dw));
///   }
///   CHECK(report);  // prints "dw is right for 163 of 200 samples. It is wrong with groups > 1 and stride > 1: ..."
namespace conv2d_check {

/// Memory for a result: filled with NaN of a pattern, with guard cells on both sides, and not aligned to a vector.
class Output {
 public:
  explicit Output(std::size_t size);

  [[nodiscard]] float* data() noexcept { return cells_.data() + kGuard; }
  [[nodiscard]] std::size_t size() const noexcept { return cells_.size() - 2 * kGuard; }
  [[nodiscard]] std::span<float> span() noexcept { return {data(), size()}; }
  [[nodiscard]] std::span<const float> span() const noexcept { return {cells_.data() + kGuard, size()}; }
  /// What was written outside: "2 elements after the end"; empty if nothing was.
  [[nodiscard]] std::string outside() const;

 private:
  static constexpr std::size_t kGuard = 33;  ///< odd: the data do not start at a multiple of a vector's size
  std::vector<float> cells_;
};

/// A geometry with data and the right result.
struct Sample {
  std::string name;  ///< "5x7x3, kernel 3x2, stride 2, padding 1"
  ConvDesc desc;
  Pass pass = Pass::forward;
  Options options;
  std::vector<float> x, w, b,
      dy;                       ///< whole numbers, exact in bfloat16; those that the pass does not read are there, too
  std::vector<float> expected;  ///< the exact result, rounded to float32

  /// Memory for the result.
  [[nodiscard]] Output output() const { return Output(expected.size()); }

  [[nodiscard]] Verdict judge(const Elements& result) const;
  /// The same, and does_not_fit if the kernel wrote outside.
  [[nodiscard]] Verdict judge(const Output& result) const;
};

/// Which samples to make.
struct SampleOptions {
  conv2d::Layout layout = conv2d::Layout::nchw;
  conv2d::WeightsLayout weights_layout = conv2d::WeightsLayout::automatic;
  Layer layer = Layer::conv;
  bool count_include_pad = true;  ///< average_pool
  std::int64_t count = 200;
};

/// Always the same samples. The first ones are the simplest: no padding, stride 1, one group.
std::vector<Sample> samples(Pass pass, const SampleOptions& options = {});

/// Patterns of 16 bits, rounded to even, for kernels that read them.
std::vector<std::uint16_t> to_float16(std::span<const float> values);
/// The same in bfloat16.
std::vector<std::uint16_t> to_bfloat16(std::span<const float> values);

/// Collects verdicts, and says in words which geometries are wrong, and how.
class Report {
 public:
  void add(const Sample& sample, const Verdict& verdict);

  /// Whether every result is right.
  explicit operator bool() const noexcept { return wrong_ == 0; }
  /// "All 200 dw are right.", or what the wrong ones have in common, and the verdict on the simplest.
  [[nodiscard]] std::string sentence() const;

 private:
  struct Entry {
    ConvDesc desc;
    std::string name, sentence;
    bool is_right;
  };
  std::vector<Entry> entries_;
  Pass pass_ = Pass::forward;
  std::int64_t wrong_ = 0;
};

/// Prints Report::sentence().
std::ostream& operator<<(std::ostream& out, const Report& report);

}  // namespace conv2d_check
