#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>

#include "check/layer_file.hpp"
#include "conv2d/reference.hpp"

using namespace conv2d_check;
using namespace conv2d_check::test;
using conv2d::ConvDesc;

namespace {

/// A transposed convolution: its y is the dx of a convolution, so w is IOHW.
File transposed_file(const ConvDesc& conv, bool has_bias) {
  const conv2d::Geometry g = conv2d::resolve(conv).value();
  const File of_conv = conv_file(conv);
  const auto w = random_values(g.w_size, 1), x = random_values(g.y_size, 2), dy = random_values(g.x_size, 3);
  const auto b = random_values(g.c, 4);
  std::vector<float> y(dy.size()), dx(x.size()), dw(w.size()), db(b.size());
  conv2d::reference::backward_data<float>(g, x, w, y);
  conv2d::reference::forward<float>(g, dy, w, {}, dx);
  conv2d::reference::backward_weights<float>(g, dy, x, dw);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto channel = static_cast<std::size_t>(static_cast<std::int64_t>(i) / (g.h * g.w) % g.c);
    if (has_bias) y[i] += b[channel];
    db[channel] += dy[i];
  }
  File file;
  file.add("x", of_conv.array("y").shape, x)
      .add("weight", of_conv.array("w").shape, w)
      .add("y", of_conv.array("x").shape, y);
  file.add("y.grad", of_conv.array("x").shape, dy)
      .add("x.grad", of_conv.array("y").shape, dx)
      .add("weight.grad", of_conv.array("w").shape, dw);
  if (has_bias) file.add("bias", {g.c}, b).add("bias.grad", {g.c}, db);
  return file;
}

/// Pooling, by loops of its own. NCHW, a square window without padding counted as a cell.
File pool_file(bool is_max, std::int64_t window, std::int64_t stride, std::int64_t pad) {
  const std::int64_t size = 8, out = (size + 2 * pad - window) / stride + 1, planes = 6;
  const auto x = random_values(planes * size * size, 5), dy = random_values(planes * out * out, 6);
  std::vector<float> y(dy.size()), dx(x.size());
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    for (std::int64_t i = 0; i < out; ++i) {
      for (std::int64_t j = 0; j < out; ++j) {
        const auto at = static_cast<std::size_t>((plane * out + i) * out + j);
        float largest = -std::numeric_limits<float>::infinity(), sum = 0;
        std::size_t winner = 0;
        std::vector<std::size_t> cells;
        for (std::int64_t p = 0; p < window; ++p) {
          for (std::int64_t q = 0; q < window; ++q) {
            const std::int64_t row = i * stride + p - pad, column = j * stride + q - pad;
            if (row < 0 || row >= size || column < 0 || column >= size) continue;
            const auto cell = static_cast<std::size_t>((plane * size + row) * size + column);
            cells.push_back(cell);
            sum += x[cell];
            if (x[cell] > largest) largest = x[cell], winner = cell;
          }
        }
        const auto count = static_cast<float>(window * window);
        y[at] = is_max ? largest : sum / count;
        if (is_max) dx[winner] += dy[at];
        for (const std::size_t cell : cells) dx[cell] += is_max ? 0 : dy[at] / count;
      }
    }
  }
  File file;
  file.add("x", {2, 3, size, size}, x).add("y", {2, 3, out, out}, y);
  file.add("dy", {2, 3, out, out}, dy).add("dx", {2, 3, size, size}, dx);
  return file;
}

File relu_file() {
  const auto x = random_values(60, 7), dy = random_values(60, 8);
  std::vector<float> y, dx;
  for (std::size_t i = 0; i < x.size(); ++i) {
    y.push_back(std::max(x[i], 0.0F));
    dx.push_back(x[i] > 0 ? dy[i] : 0);
  }
  File file;
  file.add("x", {1, 3, 4, 5}, x).add("y", {1, 3, 4, 5}, y).add("dy", {1, 3, 4, 5}, dy);
  file.add("dx", {1, 3, 4, 5}, dx);
  return file;
}

}  // namespace

TEST_CASE("A transposed convolution is recognized by its values", "[evidence]") {
  ConvDesc conv{.layout = conv2d::Layout::nchw,
                .n = 2,
                .h = 8,
                .w = 8,
                .c = 3,
                .k = 2,
                .kh = 3,
                .kw = 3,
                .stride_h = 2,
                .stride_w = 2,
                .padding = {1, 1, 1, 1}};
  for (const bool has_bias : {false, true}) {
    INFO("bias " << has_bias);
    const ArraysVerdict verdict = transposed_file(conv, has_bias).judge();
    CHECK(verdict.verdict == FileVerdict::right);
    REQUIRE(verdict.layers.size() == 1);
    CHECK(verdict.layers[0].kind == "conv_transpose");
    CHECK(verdict.layers[0].geometry.stride == std::array<std::int64_t, 2>{2, 2});
    CHECK(verdict.layers[0].geometry.output_padding == std::array<std::int64_t, 2>{1, 1});
    CHECK(verdict.layers[0].geometry.w_order == "IOHW");
    CHECK(verdict.layers[0].tensors.size() == (has_bias ? 4 : 3));
    CHECK(verdict_of(verdict, "y").sentence.find("dx") == std::string::npos);
  }
  File wrong = transposed_file(conv, true);
  wrong.values("x.grad")[5] += 1;
  CHECK_FALSE(verdict_of(wrong.judge(), "dx"));
  CHECK(verdict_of(wrong.judge(), "y"));
}

TEST_CASE("A constant in dx of a transposed convolution is no bias", "[evidence]") {
  // dx of a transposed convolution is a convolution of its dy. Of this one, y with its bias is taken for dx.
  const ConvDesc conv{.layout = conv2d::Layout::nchw, .n = 2, .h = 9, .w = 8, .c = 3, .k = 2, .kh = 3, .kw = 2};
  File whole = conv_file(conv);
  File file;
  file.add("deconv.dy", whole.array("x").shape, whole.values("x"));
  file.add("deconv.w", whole.array("w").shape, whole.values("w"));
  file.add("deconv.dx", whole.array("y").shape, whole.values("y"));
  const ArraysVerdict verdict = file.judge();
  INFO(to_json(verdict));
  CHECK(verdict.verdict == FileVerdict::wrong);
  CHECK_FALSE(verdict_of(verdict, "dx"));
}

TEST_CASE("A convolution along one axis", "[evidence]") {
  const ConvDesc desc{.layout = conv2d::Layout::nchw,
                      .n = 2,
                      .h = 1,
                      .w = 20,
                      .c = 4,
                      .k = 6,
                      .kh = 1,
                      .kw = 3,
                      .stride_w = 2,
                      .groups = 2,
                      .padding = {0, 0, 2, 0}};
  File file = conv_file(desc);
  File flat;
  for (const Array& array : file.arrays()) {
    std::vector<std::int64_t> shape = array.shape;
    if (shape.size() == 4) shape.erase(shape.begin() + 2);
    flat.add(array.name, shape, file.values(array.name));
  }
  const ArraysVerdict verdict = flat.judge();
  CHECK(verdict.verdict == FileVerdict::right);
  REQUIRE(verdict.layers.size() == 1);
  CHECK(verdict.layers[0].kind == "conv1d");
  CHECK(verdict.layers[0].geometry.padding == std::array<std::int64_t, 4>{0, 0, 2, 0});
  CHECK(verdict.layers[0].geometry.groups == 2);
  CHECK(verdict.layers[0].geometry.x_order == "NCL");
  flat.values("dx")[3] += 1;
  CHECK(flat.judge().verdict == FileVerdict::wrong);
}

TEST_CASE("Pooling is recognized by its values", "[evidence]") {
  struct Case {
    bool is_max;
    std::int64_t window, stride, pad;
  };
  for (const Case& one : {Case{true, 2, 2, 0}, {true, 3, 2, 1}, {false, 2, 2, 0}, {false, 3, 1, 1}, {false, 8, 1, 0}}) {
    INFO(one.is_max << " " << one.window << " " << one.stride << " " << one.pad);
    File file = pool_file(one.is_max, one.window, one.stride, one.pad);
    const ArraysVerdict verdict = file.judge();
    CHECK(verdict.verdict == FileVerdict::right);
    REQUIRE(verdict.layers.size() == 1);
    const LayerVerdict& layer = verdict.layers[0];
    INFO(layer.evidence);
    CHECK(layer.kind == (one.is_max ? "max_pool" : "average_pool"));
    CHECK(layer.geometry.kernel == std::array{one.window, one.window});
    CHECK((layer.geometry.stride == std::array{one.stride, one.stride} || one.window == 8));
    CHECK(layer.geometry.padding == std::array{one.pad, one.pad, one.pad, one.pad});
    file.values("dx")[0] += 2;
    CHECK_FALSE(verdict_of(file.judge(), "dx"));
    CHECK(verdict_of(file.judge(), "y"));
  }
}

TEST_CASE("y that is x is a window of one cell or a ReLU that was left out: nothing is said of it", "[evidence]") {
  File file = relu_file();
  file.values("y") = file.values("x");
  file.values("dx") = file.values("dy");
  const ArraysVerdict verdict = file.judge();
  CHECK(verdict.verdict == FileVerdict::cannot_tell);
  for (const char* result : {"y", "dx"}) CHECK(verdict_of(verdict, result).judgement == Judgement::cannot_tell);
  // A gradient that no window gives is wrong all the same.
  for (float& value : file.values("dx")) value *= 3;
  const ArraysVerdict scaled = file.judge();
  CHECK(scaled.verdict == FileVerdict::wrong);
  CHECK(verdict_of(scaled, "dx").judgement == Judgement::scaled);
}

TEST_CASE("ReLU is recognized by its values", "[evidence]") {
  File file = relu_file();
  const ArraysVerdict verdict = file.judge();
  CHECK(verdict.verdict == FileVerdict::right);
  REQUIRE(verdict.layers.size() == 1);
  CHECK(verdict.layers[0].kind == "relu");
  CHECK_FALSE(verdict.layers[0].has_geometry);
  file.values("dx") = file.values("dy");
  CHECK_FALSE(verdict_of(file.judge(), "dx"));
}

TEST_CASE("Arrays of one size that fit no layer without weights", "[evidence]") {
  File file;
  file.add("x", {1, 1, 4, 4}, random_values(16, 1)).add("y", {1, 1, 4, 4}, random_values(16, 2));
  const ArraysVerdict verdict = file.judge();
  CHECK(verdict.verdict == FileVerdict::cannot_tell);
  CHECK(verdict_of(verdict, "y").reason == "w is missing");
}
