#include "cases/verify.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

#include "support/compare.hpp"

namespace conv2d::test {

namespace {

Failure sum_failure(const char* name, double got, double expected, double tolerance) {
  if (std::abs(got - expected) <= tolerance) return {};  // a NaN does not pass
  char text[200];
  std::snprintf(text, sizeof text, "%s: got %.12g, expected %.12g, allowed error %.3g", name, got, expected, tolerance);
  return text;
}

Failure verify_digest(std::span<const float> got, const ExpectedTensor::Digest& digest, const Tolerance& tolerance) {
  if (std::ssize(got) != digest.n) {
    return std::to_string(got.size()) + " elements, expected " + std::to_string(digest.n);
  }
  std::vector<float> sampled;
  for (const std::int64_t i : digest.idx) sampled.push_back(got[static_cast<std::size_t>(i)]);
  if (const Failure failure = difference(sampled, digest.val, tolerance)) {
    return "sampled (idx gives the index) " + *failure;
  }
  Lcg lcg(digest.dot_seed);
  double sum = 0, abs_sum = 0, dot = 0;
  for (const double v : got) {
    sum += v;
    abs_sum += std::abs(v);
    dot += v * lcg.next();
  }
  Failure failure = sum_failure("sum", sum, digest.sum, digest.tol);
  if (!failure) failure = sum_failure("sum of magnitudes", abs_sum, digest.abs_sum, digest.tol);
  if (!failure) failure = sum_failure("dot product", dot, digest.dot, digest.tol);
  return failure;
}

/// The float32 that a decimal of nine or more digits denotes.
std::vector<double> rounded(std::span<const double> values) {
  std::vector<double> floats;
  for (const double v : values) floats.push_back(static_cast<float>(v));
  return floats;
}

}  // namespace

Failure verify(std::span<const float> got, const ExpectedTensor& expected, bool exact) {
  const Tolerance tolerance = exact ? Tolerance{} : Tolerance{.absolute = expected.atol, .relative = expected.rtol};
  if (!expected.digest) return difference(got, exact ? rounded(expected.values) : expected.values, tolerance);
  ExpectedTensor::Digest digest = *expected.digest;
  if (exact) digest.val = rounded(digest.val);
  return verify_digest(got, digest, tolerance);
}

}  // namespace conv2d::test
