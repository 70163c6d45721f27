#pragma once

#include <algorithm>
#include <catch2/catch_tostring.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conv2d/status.hpp"
#include "support/failures.hpp"

/// How Catch2 prints compared values: the first values of a tensor only, since the matcher reports the wrong element.
/// Part of the precompiled header, so every test prints a type the same way.
namespace conv2d::test {

template <class T>
std::string first_values(std::span<const T> values) {
  constexpr std::size_t kShown = 8;
  std::string text = std::to_string(values.size()).append(" values {");
  for (const T value : values.first(std::min(kShown, values.size()))) {
    text.append(" ").append(Catch::Detail::stringify(value));
  }
  return text.append(values.size() > kShown ? " ... }" : " }");
}

}  // namespace conv2d::test

namespace Catch {

template <>
struct StringMaker<std::vector<float>> {
  static std::string convert(const std::vector<float>& values) { return conv2d::test::first_values<float>(values); }
};

template <>
struct StringMaker<std::vector<double>> {
  static std::string convert(const std::vector<double>& values) { return conv2d::test::first_values<double>(values); }
};

template <>
struct StringMaker<std::span<float>> {
  static std::string convert(std::span<float> values) { return conv2d::test::first_values<float>(values); }
};

template <>
struct StringMaker<std::span<const float>> {
  static std::string convert(std::span<const float> values) { return conv2d::test::first_values<float>(values); }
};

template <>
struct StringMaker<std::span<double>> {
  static std::string convert(std::span<double> values) { return conv2d::test::first_values<double>(values); }
};

template <>
struct StringMaker<std::span<const double>> {
  static std::string convert(std::span<const double> values) { return conv2d::test::first_values<double>(values); }
};

template <>
struct StringMaker<conv2d::Status> {
  static std::string convert(const conv2d::Status& status) {
    if (status.ok()) return "ok";
    std::string text(conv2d::to_string(status.code));
    return text.append(" of \"").append(status.field).append("\": ").append(std::string(status.message));
  }
};

template <class T>
struct StringMaker<conv2d::Result<T>> {
  static std::string convert(const conv2d::Result<T>& result) {
    return result.ok() ? "a value" : StringMaker<conv2d::Status>::convert(result.status());
  }
};

template <>
struct StringMaker<conv2d::test::Failure> {
  static std::string convert(const conv2d::test::Failure& failure) { return failure.value_or("nothing"); }
};

template <>
struct StringMaker<conv2d::test::Failures> {
  static std::string convert(const conv2d::test::Failures& failures) { return failures.text(); }
};

}  // namespace Catch
