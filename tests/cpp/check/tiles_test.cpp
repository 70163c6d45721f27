#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "check/layer_file.hpp"
#include "conv2d/conv2d.hpp"
#include "conv2d/reference.hpp"
#include "conv2d_check/check.hpp"
#include "conv2d_check/samples.hpp"
#include "support/run.hpp"

using namespace conv2d_check;
using namespace conv2d_check::test;
using conv2d::ConvDesc;

// Tiles of Winograd may be off by more than a plain sum, but not in one cell, and not everywhere in one direction.

namespace {

const ConvDesc kLayer{
    .layout = conv2d::Layout::nchw, .n = 2, .h = 9, .w = 8, .c = 3, .k = 4, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}};

/// `units` of 2^-24 of the scale of y of kLayer: sums of 28 products of numbers in [-1, 1).
float error_of(double units) { return static_cast<float>(units * 0x1p-24 * std::sqrt(4.0 * 28 / 9)); }

Verdict judged(const ConvDesc& desc, File& file, const std::vector<float>& y) {
  return judge(desc, Pass::forward, {.x = file.values("x"), .w = file.values("w"), .b = file.values("b")}, y);
}

/// y of operands that are rounded to bfloat16 first.
std::vector<float> rounded_y(File& file) {
  const auto rounded = [](const std::vector<float>& values) {
    std::vector<float> back;
    for (const std::uint16_t bits : to_bfloat16(values))
      back.push_back(std::bit_cast<float>(std::uint32_t{bits} << 16));
    return back;
  };
  std::vector<float> y(file.values("y").size());
  conv2d::reference::forward<float>(conv2d::resolve(kLayer).value(), rounded(file.values("x")),
                                    rounded(file.values("w")), rounded(file.values("b")), y);
  return y;
}

}  // namespace

TEST_CASE("one cell that is off alone is no tile", "[check]") {
  File file = conv_file(kLayer, 3);
  for (const bool is_rounded : {false, true}) {
    const std::vector<float> right = is_rounded ? rounded_y(file) : file.values("y");
    CHECK(judged(kLayer, file, right));
    for (const std::size_t cell : {std::size_t{0}, std::size_t{44}, right.size() - 1}) {
      std::vector<float> wrong = right;
      wrong[cell] += error_of(40);
      const Verdict verdict = judged(kLayer, file, wrong);
      INFO(verdict.sentence);
      CHECK(verdict.judgement == Judgement::cannot_tell);
      CHECK(verdict.worst == static_cast<std::int64_t>(cell));
      CHECK(verdict.differing == 1);
    }
  }
}

TEST_CASE("one cell that is off by far more than all others is wrong", "[check]") {
  File file = conv_file(kLayer, 3);
  file.values("y").front() += error_of(120);
  const Verdict verdict = judged(kLayer, file, file.values("y"));
  INFO(verdict.sentence);
  CHECK(verdict.judgement == Judgement::partly_wrong);
  CHECK(verdict.worst == 0);
}

TEST_CASE("cells that are off together may be a tile", "[check]") {
  File file = conv_file(kLayer, 3);
  std::vector<float> y = file.values("y");
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t column = 0; column < 4; ++column)
      y[row * 8 + column] += ((row + column) % 2 == 0 ? 1.0F : -0.5F) * error_of(55);
  const Verdict verdict = judged(kLayer, file, y);
  INFO(verdict.sentence);
  CHECK(verdict);
}

TEST_CASE("one small cell of a stored result that is off alone is no tile", "[check]") {
  // Around the smallest of 576 values, bfloat16 numbers are nearer to each other than the errors of tiles.
  File file = conv_file(kLayer, 3);
  std::vector<float> y = file.values("y");
  std::size_t smallest = 0;
  for (std::size_t i = 0; i < y.size(); ++i) smallest = std::abs(y[i]) < std::abs(y[smallest]) ? i : smallest;
  const auto stored = [&] {
    return judge(kLayer, Pass::forward, {.x = file.values("x"), .w = file.values("w"), .b = file.values("b")},
                 Elements::bfloat16(to_bfloat16(y)));
  };
  CHECK(stored());
  y[smallest] += error_of(200);
  const Verdict verdict = stored();
  INFO(verdict.sentence);
  CHECK(verdict.judgement == Judgement::cannot_tell);
}

TEST_CASE("errors that a spike hides in one reading show in another", "[check]") {
  // The spike allows errors of 0.2. Without rounding, all cells are off by what bfloat16 changed; with it, one is.
  File file = conv_file(kLayer, 3);
  for (std::size_t i = 0; i < file.values("x").size(); i += 29) file.values("x")[i] *= 3e3F;
  const std::vector<float> right = rounded_y(file);
  CHECK(judged(kLayer, file, right).format == "bfloat16");
  std::vector<float> wrong = right;
  wrong[44] += 0.02F;
  const Verdict verdict = judged(kLayer, file, wrong);
  INFO(verdict.sentence);
  CHECK(verdict.judgement == Judgement::cannot_tell);
}

TEST_CASE("an offset within the errors of tiles is no tile", "[check]") {
  // y is about 720,000, and 320,000 in the corners.
  ConvDesc desc = kLayer;
  desc.c = 8;
  desc.h = desc.w = 14;
  File file = conv_file(desc, 3);
  for (const char* name : {"x", "w"})
    for (float& value : file.values(name)) value += 100;
  std::vector<float> y = file.values("y");
  conv2d::reference::forward<float>(conv2d::resolve(desc).value(), file.values("x"), file.values("w"), file.values("b"),
                                    y);
  CHECK(judged(desc, file, y));
  for (float& value : y) value += 1;
  const Verdict verdict = judged(desc, file, y);
  INFO(verdict.sentence);
  CHECK(verdict.judgement == Judgement::cannot_tell);
}

TEST_CASE("kernels of even sizes and with dilation have no tiles", "[check]") {
  const auto off = [](const ConvDesc& desc) {
    File file = conv_file(desc, 3);
    std::vector<float> wrong = file.values("y");
    CHECK(judged(desc, file, wrong));
    for (std::size_t i = 0; i < wrong.size(); i += 4) wrong[i] += (i % 8 == 0 ? 1.0F : -1.0F) * error_of(300);
    return judged(desc, file, wrong);
  };
  ConvDesc even = kLayer, dilated = kLayer;
  even.kh = even.kw = 2;
  dilated.dilation_h = dilated.dilation_w = 2;
  dilated.padding = {2, 2, 2, 2};
  CHECK(off(kLayer));
  CHECK_FALSE(off(even));
  CHECK_FALSE(off(dilated));
}

TEST_CASE("right results of Winograd match", "[check]") {
  ConvDesc desc = kLayer;
  desc.c = 16;
  desc.h = desc.w = 24;
  desc.k = 8;
  File file = conv_file(desc, 5);
  for (const char* algorithm : {"winograd_2x2", "winograd_4x4"}) {
    const conv2d::Plan plan = conv2d::plan(desc, Pass::forward, {.algorithm = algorithm}).value();
    const auto outcome = conv2d::test::run(plan, {.x = file.values("x"), .w = file.values("w"), .b = file.values("b")});
    REQUIRE(outcome.status.ok());
    const Verdict verdict = judged(desc, file, outcome.out);
    INFO(algorithm << ": " << verdict.sentence);
    CHECK(verdict);
  }
}

TEST_CASE("a multiple of w in the errors of tiles is doubted before it is named", "[check]") {
  ConvDesc desc = kLayer;
  desc.n = 1;
  desc.h = desc.w = desc.c = desc.k = 8;
  File file = conv_file(desc, 5);
  const auto &x = file.values("x"), &w = file.values("w"), &dy = file.values("dy");
  const conv2d::Plan plan = conv2d::plan(desc, Pass::backward_weights, {.algorithm = "winograd_4x4"}).value();
  const auto outcome = conv2d::test::run(plan, {.x = x, .w = w, .b = {}, .dy = dy});
  REQUIRE(outcome.status.ok());
  std::vector<Judgement> verdicts;
  for (float amount = 1e-7F; amount < 1e-3F; amount *= 1.1F) {
    std::vector<float> wrong = outcome.out;
    for (std::size_t i = 0; i < wrong.size(); ++i) wrong[i] += amount * w[i];
    const Judgement found = backward_weights(desc, {.x = x, .w = w, .dy = dy}, wrong).judgement;
    if (verdicts.empty() || verdicts.back() != found) verdicts.push_back(found);
  }
  CHECK(verdicts == std::vector{Judgement::matches, Judgement::cannot_tell, Judgement::mistake});
}
