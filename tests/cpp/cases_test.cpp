// The case runner must detect a wrong expectation and accept every valid case file.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "cases/case_file.hpp"
#include "cases/run_case.hpp"
#include "cases/verify.hpp"
#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

/// x = 1 2 3, w = 10 1: y = 12 23, and for dy = 1 2: dx = 10 21 2, dw = 5 8, db = 3.
std::string valid_case(const std::string& y = "[12,23]", const std::string& dx = "[10,21,2]",
                       const std::string& extra = "") {
  return R"({"tags":["exact-f32"],"layout":"NHWC","x_shape":[1,1,3,1],"w_shape":[1,2,1,1],"y_shape":[1,1,2,1],
    "stride":[1,1],"padding":"VALID","pads":[0,0,0,0],"dilation":[1,1],"groups":1,
    "x":[1,2,3],"w":[10,1],"b":null,"dy":[1,2],"dw":[5,8],"db":[3],"rtol":1e-5,
    "atol_each":{"y":1e-4,"dx":1e-4,"dw":1e-4,"db":1e-4},"may_reject":false,"y":)" +
         y + R"(,"dx":)" + dx + extra + "}";
}

std::string invalid_case(const std::string& change) {
  return R"({"invalid":true,"op":"forward","layout":"NHWC","x_shape":[1,4,4,1],"stride":[1,1],"dilation":[1,1],
    "groups":1,"b_shape":null,"dy_shape":null,)" +
         change + "}";
}

std::size_t failures_of_valid(const std::string& text) {
  return run_valid_case(read_valid_case(Json::parse(text))).failures.size();
}

bool refused(const std::string& change) {
  const std::string must = change + R"(,"must_reject":true)";
  return run_invalid_case(read_invalid_case(Json::parse(invalid_case(must)))).failures.empty();
}

ExpectedTensor digest_of(const std::vector<float>& values, double tol) {
  Lcg lcg(9);
  ExpectedTensor::Digest d{.n = std::ssize(values), .tol = tol, .dot_seed = 9, .idx = {1}, .val = {values[1]}};
  for (const float v : values) {
    d.sum += v;
    d.abs_sum += std::abs(v);
    d.dot += v * lcg.next();
  }
  return {.digest = d, .atol = 1e-6};
}

}  // namespace

TEST_CASE("the generator of case files produces the specified values") {
  Lcg lcg(1);
  CHECK(lcg.next() == 1015568748u / 256 / 16777216.0 * 2 - 1);
  CHECK(lcg.next() == 1586005467u / 256 / 16777216.0 * 2 - 1);
  CHECK(lcg.next() == 2165703038u / 256 / 16777216.0 * 2 - 1);
}

TEST_CASE("a correct case passes, with every algorithm of every pass compared") {
  const CaseReport report = run_valid_case(read_valid_case(Json::parse(valid_case())));
  CHECK(report.failures.empty());
  CHECK(report.comparisons >= 4);
}

TEST_CASE("a wrong expectation fails with its location") {
  CHECK(failures_of_valid(valid_case("[12,24]")) > 0);
  CHECK(failures_of_valid(valid_case("[12]")) > 0);
  CHECK(failures_of_valid(valid_case("[12,23.000002]")) > 0);  // one ulp: the `exact` tag requires equal bits
  CHECK(failures_of_valid(valid_case("[12,23]", "[10,21,2.5]")) > 0);
  const auto report = run_valid_case(read_valid_case(Json::parse(valid_case("[12,24]"))));
  CHECK(report.failures.front().find("forward") == 0);
  CHECK(report.failures.front().find("element 1: got 23, expected 24") != std::string::npos);
}

TEST_CASE("a case fails if its shapes differ from the library's") {
  std::string text = valid_case();
  text.replace(text.find("[1,1,2,1]"), 9, "[1,2,1,1]");
  CHECK(failures_of_valid(text) > 0);
  text = valid_case();
  text.replace(text.find("[0,0,0,0]"), 9, "[0,0,0,1]");
  CHECK(failures_of_valid(text) > 0);
}

TEST_CASE("a rejected case fails unless the case allows rejection") {
  std::string text = valid_case();
  text.replace(text.find("\"groups\":1"), 10, "\"groups\":2");
  CHECK(failures_of_valid(text) == 1);
  text.replace(text.find("\"may_reject\":false"), 18, "\"may_reject\":true");
  CHECK(failures_of_valid(text) == 0);
}

TEST_CASE("a malformed case is an error, not a pass") {
  std::string text = valid_case();
  text.replace(text.find("\"stride\""), 8, "\"strides\"");
  CHECK_THROWS_AS(read_valid_case(Json::parse(text)), JsonError);
  text = valid_case();
  text.replace(text.find("[1,2,3]"), 7, "[1,2]");
  CHECK_THROWS_AS(read_valid_case(Json::parse(text)), JsonError);
  CHECK_THROWS_AS(read_valid_case(Json::parse(valid_case(R"({"n":2})"))), JsonError);
  CHECK_THROWS_AS(read_invalid_case(Json::parse(R"({"invalid":true,"op":"forward","must_reject":true})")), JsonError);
}

TEST_CASE("only invalid descriptions count as rejected") {
  CHECK(!refused(R"("w_shape":[2,2,1,1],"padding":"VALID")"));
  CHECK(refused(R"("w_shape":[2,2,1,1],"padding":"FULL")"));
  CHECK(refused(R"("w_shape":[2,2,1],"padding":"VALID")"));
  CHECK(refused(R"("w_shape":[2,2,2,1],"padding":"VALID")"));
  CHECK(refused(R"("w_shape":[2,2,1,1],"padding":[0,-1,0,0])"));
  CHECK(refused(R"("w_shape":[2,2,1,1],"padding":[4611686018427387904,4611686018427387904,0,0],"no_alloc":true)"));
  CHECK(refused(R"("w_shape":[2,2,1,1],"padding":[18446744073709551616,0,0,0])"));
  CHECK(refused(R"("w_shape":[2,2,1,1],"padding":[0,0,0])"));
}

TEST_CASE("a bias or dy of the wrong length counts as rejected") {
  const std::string rest = R"({"invalid":true,"layout":"NHWC","x_shape":[1,4,4,1],"stride":[1,1],"dilation":[1,1],
    "groups":1,"w_shape":[2,2,1,1],"padding":"VALID","must_reject":true,)";
  const auto refused_with = [&](const std::string& op, const std::string& b, const std::string& dy) {
    const std::string text = rest + R"("op":")" + op + R"(","b_shape":)" + b + R"(,"dy_shape":)" + dy + "}";
    return run_invalid_case(read_invalid_case(Json::parse(text))).failures.empty();
  };
  CHECK(!refused_with("forward", "[1]", "null"));  // valid input
  CHECK(refused_with("forward", "[3]", "null"));
  CHECK(refused_with("forward", "[0]", "null"));
  CHECK(!refused_with("backward_data", "null", "[1,3,3,1]"));
  CHECK(refused_with("backward_data", "null", "[1,4,3,1]"));
  CHECK(refused_with("backward_weights", "null", "[2,3,3,1]"));
}

TEST_CASE("a digest detects every kind of difference") {
  const std::vector<float> values{1.5f, -2.0f, 4.25f, 8.0f};
  const ExpectedTensor expected = digest_of(values, 1e-3);
  CHECK_THAT(verify(values, expected, true), NoFailure());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<float> off = values;
    off[i] += 0.01f;
    CHECK_THAT(verify(off, expected, false), !NoFailure());
    off[i] = std::numeric_limits<float>::quiet_NaN();
    CHECK_THAT(verify(off, expected, false), !NoFailure());
  }
  std::vector<float> swapped = values;
  std::swap(swapped[2], swapped[3]);
  CHECK(verify(swapped, expected, false)->starts_with("dot product"));
  std::vector<float> negated = values;
  negated[0] = -negated[0];
  CHECK(verify(negated, expected, false)->starts_with("sum"));
  CHECK(verify(std::span(values).first(3), expected, false) == "3 elements, expected 4");
  std::vector<float> ulp = values;
  ulp[1] = std::nextafter(ulp[1], 0.0f);
  CHECK_THAT(verify(ulp, expected, false), NoFailure());
  CHECK(verify(ulp, expected, true)->find("element 0") != std::string::npos);
}
