#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>

#include "support/json.hpp"

using conv2d::test::Json;
using conv2d::test::JsonError;

TEST_CASE("JSON: parses values of all kinds") {
  const Json json =
      Json::parse(R"( {"a": [1, -2.5e-1, true, false, null, "x\"\\\/\b\f\n\r\t\u0041\u00e9\u2212"], "b": {}} )");
  const auto& a = json.at("a").items();
  REQUIRE(a.size() == 6);
  CHECK(a[0].as_int() == 1);
  CHECK(a[1].as_double() == -0.25);
  CHECK(a[2].as_bool());
  CHECK(!a[3].as_bool());
  CHECK(a[4].is_null());
  CHECK(a[5].as_string() == "x\"\\/\b\f\n\r\tA\xC3\xA9\xE2\x88\x92");
  CHECK(json.at("b").members().empty());
  CHECK(json.find("c") == nullptr);
  CHECK(Json::parse("[]").items().empty());
}

TEST_CASE("JSON: 64-bit integers are exact") {
  CHECK(Json::parse("4611686018427387904").as_int() == std::int64_t{1} << 62);
  CHECK(Json::parse("9223372036854775807").as_int() == 9223372036854775807);
  CHECK(Json::parse("-9223372036854775807").as_int() == -9223372036854775807);
  CHECK_THROWS_AS(Json::parse("9223372036854775808").as_int(), JsonError);
  CHECK_THROWS_AS(Json::parse("1.5").as_int(), JsonError);
  CHECK_THROWS_AS(Json::parse("1e3").as_int(), JsonError);
}

TEST_CASE("JSON: rejects malformed texts") {
  const char* const malformed[] = {"",      "{",       "[1,",       "[1 2]",       "{\"a\" 1}", "{\"a\":1,}", "[1,]",
                                   "tru",   "nul",     "01",        "1.",          "-",         "1e",         ".5",
                                   "\"abc", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\n\"",    "1 2",        "{1:2}",
                                   "[1]]",  "NaN",     "\"\\",      "'a'"};
  for (const char* text : malformed) {
    CAPTURE(text);
    CHECK_THROWS_AS(Json::parse(text), JsonError);
  }
  CHECK_THROWS_AS(Json::parse(std::string(100000, '[')), JsonError);
}

TEST_CASE("JSON: rejects a value of the wrong kind") {
  const Json json = Json::parse(R"({"n": 1, "s": "x", "l": [], "z": null})");
  CHECK_THROWS_AS(json.at("s").as_double(), JsonError);
  CHECK_THROWS_AS(json.at("n").as_string(), JsonError);
  CHECK_THROWS_AS(json.at("n").items(), JsonError);
  CHECK_THROWS_AS(json.at("l").members(), JsonError);
  CHECK_THROWS_AS(json.at("l").find("x"), JsonError);
  CHECK_THROWS_AS(json.at("z").as_bool(), JsonError);
  CHECK_THROWS_WITH(json.at("missing"), "no field \"missing\"");
}

TEST_CASE("JSON: a missing file is an error") { CHECK_THROWS_AS(Json::read("no/such/file.json"), JsonError); }
