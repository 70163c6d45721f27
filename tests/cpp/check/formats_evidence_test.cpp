#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "check/layer_file.hpp"
#include "conv2d/reference.hpp"
#include "conv2d_check/check.hpp"
#include "conv2d_check/samples.hpp"

using namespace conv2d_check;
using namespace conv2d_check::test;
using conv2d::ConvDesc;

// A format is believed only if values speak for it that nothing else explains. The wrong results here fit a format by
// accident; each right one of the same kind is judged beside it.

namespace {

Verdict judged(const ConvDesc& desc, Pass pass, File& file, const std::vector<float>& result,
               const Options& options = {}) {
  return judge(desc, pass,
               {.x = file.values("x"), .w = file.values("w"), .b = file.values("b"), .dy = file.values("dy")}, result,
               options);
}

/// conv_file() with operands of the caller.
template <class Change>
File changed_file(const ConvDesc& desc, Change change, std::uint64_t seed = 5) {
  File file = conv_file(desc, seed);
  for (const char* name : {"x", "w", "b", "dy"}) change(name, file.values(name));
  const conv2d::Geometry g = conv2d::resolve(desc).value();
  const auto &x = file.values("x"), &w = file.values("w"), &b = file.values("b"), &dy = file.values("dy");
  conv2d::reference::forward<float>(g, x, w, b, file.values("y"));
  conv2d::reference::backward_data<float>(g, dy, w, file.values("dx"));
  conv2d::reference::backward_weights<float>(g, x, dy, file.values("dw"));
  conv2d::reference::backward_bias<float>(g, dy, file.values("db"));
  return file;
}

File tenths(const ConvDesc& desc) {
  return changed_file(desc, [](const char*, std::vector<float>& values) { std::ranges::fill(values, 0.1F); });
}

std::vector<float> printed(std::vector<float> values, int decimals) {
  const double scale = std::pow(10.0, decimals);
  for (float& value : values) value = static_cast<float>(std::round(value * scale) / scale);
  return values;
}

/// `value` with `digits` significant digits.
float with_digits(float value, int digits) {
  if (value == 0) return value;
  const double scale = std::pow(10.0, digits - 1 - std::floor(std::log10(std::abs(static_cast<double>(value)))));
  return static_cast<float>(std::round(value * scale) / scale);
}

const ConvDesc kLayer{
    .layout = conv2d::Layout::nchw, .n = 2, .h = 9, .w = 8, .c = 3, .k = 4, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}};

}  // namespace

TEST_CASE("one value does not tell its format, unless another result does", "[check]") {
  // 0.1 nine times: bfloat16 holds 0.8984 and 0.9023. The first is 0.9 stored, the second 9 times the stored 0.1.
  const ConvDesc desc{.layout = conv2d::Layout::nchw, .n = 1, .h = 3, .w = 3, .c = 1, .k = 1, .kh = 1, .kw = 1};
  File file = tenths(desc);
  const std::vector<float> stored{0.8984375F};
  const Verdict alone = judged(desc, Pass::backward_bias, file, stored);
  INFO(alone.sentence);
  CHECK(alone.judgement == Judgement::cannot_tell);
  CHECK(judged(desc, Pass::backward_bias, file, stored, {.formats = {"bfloat16"}}));
  // No format has this one.
  CHECK(judged(desc, Pass::backward_bias, file, {0.93F}).judgement != Judgement::matches);
}

TEST_CASE("products of short decimals are no printed numbers", "[check]") {
  // dx = 0.01 times the taps that reach a cell. 1.001 times that is 0.02002, 0.06006 and so on: five decimals, and what
  // bfloat16 makes of 0.02 and 0.06.
  const ConvDesc desc{.layout = conv2d::Layout::nchw, .n = 1, .h = 6, .w = 6, .c = 1, .k = 2, .kh = 3, .kw = 2};
  File file = tenths(desc);
  std::vector<float> wrong = file.values("dx");
  CHECK(judged(desc, Pass::backward_data, file, printed(wrong, 5)));
  for (float& value : wrong) value *= 1.001F;
  for (const bool is_text : {false, true}) {
    const Verdict verdict = judged(desc, Pass::backward_data, file, printed(wrong, 5), {.is_text = is_text});
    INFO(verdict.sentence);
    CHECK_FALSE(verdict);
  }
}

TEST_CASE("whole numbers with one that is off are no printed numbers", "[check]") {
  // 1.01 is what two decimals make of the bfloat16 number after 1, which is within the tolerance of tiles.
  const ConvDesc desc{.layout = conv2d::Layout::nchw,
                      .n = 1,
                      .h = 4,
                      .w = 4,
                      .c = 1,
                      .k = 64,
                      .kh = 3,
                      .kw = 3,
                      .padding = {1, 1, 1, 1}};
  int found = 0;
  for (std::uint64_t seed = 1; seed < 100 && found < 3; ++seed) {
    File file = changed_file(
        desc,
        [](const char*, std::vector<float>& values) {
          for (float& value : values) value = std::round(value * 5);
        },
        seed);
    std::vector<float> wrong = file.values("dx");
    const auto one = std::ranges::find_if(wrong, [](float value) { return std::abs(value) == 1; });
    if (one == wrong.end()) continue;
    ++found;
    CHECK(judged(desc, Pass::backward_data, file, wrong));
    *one *= 1.01F;
    const Verdict verdict = judged(desc, Pass::backward_data, file, wrong);
    INFO("seed " << seed << ": " << verdict.sentence);
    CHECK_FALSE(verdict);
  }
  CHECK(found == 3);
}

TEST_CASE("large float32 numbers are multiples of 0.01 by chance", "[check]") {
  // From 65,536 on, float32 numbers are 0.0078 apart.
  ConvDesc desc = kLayer;
  desc.padding = {};
  File file = changed_file(desc, [](const char* name, std::vector<float>& values) {
    if (std::string(name) == "x" || std::string(name) == "w")
      for (float& value : values) value += 55;
  });
  std::vector<float> wrong = file.values("y");
  CHECK(judged(desc, Pass::forward, file, wrong));
  for (float& value : wrong) value += 1;
  const Verdict verdict = judged(desc, Pass::forward, file, wrong);
  INFO(verdict.sentence);
  CHECK_FALSE(verdict);
}

TEST_CASE("a result with another stride than 1 has no tiles to blame", "[check]") {
  // 300 units of 2^-24 of the scale in each row: Winograd can be off by as much, a sum of 28 terms cannot.
  const auto off = [](const ConvDesc& desc) {
    File file = conv_file(desc, 3);
    std::vector<float> wrong = file.values("y");
    CHECK(judged(desc, Pass::forward, file, wrong));
    for (std::size_t i = 0; i < wrong.size(); i += 4)
      wrong[i] += (i % 8 == 0 ? 300 : -300) * 0x1p-24F * static_cast<float>(std::sqrt(4.0 * 28 / 9));
    return judged(desc, Pass::forward, file, wrong);
  };
  ConvDesc strided = kLayer;
  strided.stride_h = strided.stride_w = 2;
  CHECK(off(kLayer));
  CHECK_FALSE(off(strided));
}

TEST_CASE("a multiple of w shows in the digits of small values", "[check]") {
  // Five digits hide 1e-6 w from the large values of dw only.
  const ConvDesc desc{.layout = conv2d::Layout::nchw, .n = 2, .h = 12, .w = 12, .c = 4, .k = 16, .kh = 3, .kw = 3};
  File file = changed_file(desc, [](const char* name, std::vector<float>& values) {
    if (std::string(name) != "dy") return;
    const std::size_t filter = values.size() / 32;  // two images of 16 filters
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] *= static_cast<float>(std::pow(10.0, -static_cast<double>(i / filter % 16) / 4));
  });
  std::vector<float> wrong = file.values("dw");
  for (float& value : wrong) value = with_digits(value, 5);
  CHECK(judged(desc, Pass::backward_weights, file, wrong));
  wrong = file.values("dw");
  for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i] = with_digits(wrong[i] + 1e-6F * file.values("w")[i], 5);
  const Verdict verdict = judged(desc, Pass::backward_weights, file, wrong);
  INFO(verdict.sentence);
  CHECK_FALSE(verdict);
}

TEST_CASE("results that were printed or stored still match", "[check]") {
  File file = conv_file(kLayer, 3);
  constexpr const char* kNames[]{"y", "dx", "dw", "db"};
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias}) {
    const std::vector<float>& right = file.values(kNames[static_cast<std::size_t>(pass)]);
    const Verdict decimals = judged(kLayer, pass, file, printed(right, 3));
    INFO(decimals.sentence);
    CHECK(decimals);
    CHECK(decimals.format == "3 decimals");
    const Verdict stored = judge(
        kLayer, pass, {.x = file.values("x"), .w = file.values("w"), .b = file.values("b"), .dy = file.values("dy")},
        Elements::bfloat16(to_bfloat16(right)), {});
    INFO(stored.sentence);
    CHECK(stored);
    CHECK(stored.format == "bfloat16");
  }
}
