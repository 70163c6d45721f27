#pragma once

#include <algorithm>
#include <catch2/matchers/catch_matchers.hpp>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conv2d/status.hpp"
#include "support/compare.hpp"
#include "support/failures.hpp"
#include "support/printed.hpp"

/// Matchers of the tests: CHECK_THAT(y, Equals(expected)) prints the worst element.
namespace conv2d::test {

/// Matches values for which compare(values) returns no failure. `what` follows "must" in the report.
template <class Compare>
class Comparison final : public Catch::Matchers::MatcherGenericBase {
 public:
  Comparison(std::string what, Compare compare) : what_(std::move(what)), compare_(std::move(compare)) {}

  template <class Values>
  bool match(const Values& values) const {
    failure_ = compare_(values);
    return !failure_;
  }
  std::string describe() const override {
    std::string text("must ");
    text += what_;
    if (failure_) text.append(": ").append(*failure_);
    return text;
  }

 private:
  std::string what_;
  Compare compare_;
  mutable Failure failure_;  ///< of the last match
};

/// Equal values, each within the tolerance; the default tolerance is zero.
inline auto Equals(std::vector<double> expected, const Tolerance& tolerance = {}) {
  return Comparison("be equal", [expected = std::move(expected), tolerance](const auto& values) {
    return difference(values, expected, tolerance);
  });
}
inline auto Equals(const std::vector<float>& expected) {
  return Equals(std::vector<double>(expected.begin(), expected.end()));
}

/// Equal bits: zeros of different signs differ, a NaN matches itself.
inline auto HasBitsOf(std::span<const float> expected) {
  return Comparison("have the same bits", [expected = std::vector<float>(expected.begin(), expected.end())](
                                              const auto& values) { return difference_of_bits(values, expected); });
}

/// The declared error of an algorithm: at most error_bound * 2^-24 * magnitude from the exact value.
inline auto WithinBound(Exact exact, double error_bound) {
  return Comparison("be within the bound", [exact = std::move(exact), error_bound](const auto& values) {
    return difference_beyond_bound(values, exact, error_bound);
  });
}

/// A Failure or Failures that is empty.
class NoFailure final : public Catch::Matchers::MatcherGenericBase {
 public:
  bool match(const Failure& failure) const { return !failure; }
  bool match(const Failures& failures) const { return failures.empty(); }
  std::string describe() const override { return "must be no failure"; }
};

/// A Status that is ok, or a Result that has a value.
class Succeeds final : public Catch::Matchers::MatcherGenericBase {
 public:
  bool match(const Status& status) const { return status.ok(); }
  template <class T>
  bool match(const Result<T>& result) const {
    return result.ok();
  }
  std::string describe() const override { return "must succeed"; }
};

/// A Status or Result with this error code, and with this field if one is given. `message_parts` are parts of the
/// message.
class Fails final : public Catch::Matchers::MatcherGenericBase {
 public:
  explicit Fails(ErrorCode code) : code_(code) {}
  Fails(ErrorCode code, std::string_view field, std::initializer_list<std::string_view> message_parts = {})
      : code_(code), field_(field), message_parts_(message_parts.begin(), message_parts.end()) {}

  bool match(const Status& status) const {
    if (status.ok() || status.code != code_ || (field_ && status.field != *field_)) return false;
    return std::ranges::all_of(message_parts_, [&](std::string_view part) { return mentions(status, part); });
  }
  template <class T>
  bool match(const Result<T>& result) const {
    return match(result.status());
  }
  std::string describe() const override {
    std::string text("must fail with ");
    text += conv2d::to_string(code_);
    if (field_) text.append(" of \"").append(*field_).append("\"");
    for (const std::string& part : message_parts_) text.append(", saying \"").append(part).append("\"");
    return text;
  }

 private:
  static bool mentions(const Status& status, std::string_view part) {
    return std::string_view(status.message).find(part) != std::string_view::npos;
  }

  ErrorCode code_;
  std::optional<std::string> field_{};
  std::vector<std::string> message_parts_{};
};

}  // namespace conv2d::test
