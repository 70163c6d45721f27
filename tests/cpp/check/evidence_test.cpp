#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "check/layer_file.hpp"
#include "conv2d/reference.hpp"

using namespace conv2d_check;
using namespace conv2d_check::test;
using conv2d::ConvDesc;

namespace {

const ConvDesc kStride2{.layout = conv2d::Layout::nchw,
                        .n = 2,
                        .h = 7,
                        .w = 7,
                        .c = 2,
                        .k = 3,
                        .kh = 3,
                        .kw = 3,
                        .stride_h = 2,
                        .stride_w = 2,
                        .padding = {1, 1, 1, 1}};

/// Gradients of the loss with this dy, in a file without dy.
File without_dy(float (*dy_of)(float y, std::int64_t size)) {
  const conv2d::Geometry g = conv2d::resolve(kStride2).value();
  File file = conv_file(kStride2, 3);
  std::vector<float> dy = file.values("y");
  for (float& value : dy) value = dy_of(value, g.y_size);
  conv2d::reference::backward_data<float>(g, dy, file.values("w"), file.values("dx"));
  conv2d::reference::backward_weights<float>(g, file.values("x"), dy, file.values("dw"));
  conv2d::reference::backward_bias<float>(g, dy, file.values("db"));
  file.remove("dy");
  return file;
}

ArraysOptions with_argument(std::string name, std::vector<std::int64_t> values, std::string text = "") {
  ArraysOptions options;
  options.arguments.push_back({.name = std::move(name), .values = std::move(values), .text = std::move(text)});
  return options;
}

}  // namespace

TEST_CASE("A wrong cell is found wherever the arrays come from", "[evidence]") {
  for (const char* result : {"y", "dx", "dw", "db"}) {
    INFO(result);
    File file = conv_file(kStride2);
    file.values(result)[1] += 0.5F;
    const ArraysVerdict verdict = file.judge();
    CHECK(verdict.verdict == FileVerdict::wrong);
    CHECK_FALSE(verdict_of(verdict, result));
    for (const char* other : {"y", "dx", "dw", "db"}) {
      if (std::string(other) != result) CHECK(verdict_of(verdict, other));
    }
    CHECK(verdict.layers[0].geometry.stride == std::array<std::int64_t, 2>{2, 2});
  }
}

TEST_CASE("A file without dy has the gradients of a usual loss", "[evidence]") {
  const auto judged = [](const File& file) { return file.judge(); };
  const ArraysVerdict ones = judged(without_dy([](float, std::int64_t) { return 1.0F; }));
  CHECK(ones.verdict == FileVerdict::right);
  CHECK(ones.layers[0].dy == DySource::ones);
  const ArraysVerdict mean =
      judged(without_dy([](float, std::int64_t size) { return 1.0F / static_cast<float>(size); }));
  CHECK(mean.verdict == FileVerdict::right);
  CHECK(mean.layers[0].dy == DySource::mean);
  const ArraysVerdict y = judged(without_dy([](float value, std::int64_t) { return value; }));
  CHECK(y.verdict == FileVerdict::right);
  CHECK(y.layers[0].dy == DySource::y);
  // None of them.
  const ArraysVerdict other = judged(without_dy([](float value, std::int64_t) { return value * value + 3 * value; }));
  CHECK(other.layers[0].dy == DySource::missing);
  CHECK(verdict_of(other, "dw").judgement == Judgement::cannot_tell);
  CHECK(verdict_of(other, "y"));
}

TEST_CASE("Gradients with an unknown output are those of a sum", "[evidence]") {
  File file = without_dy([](float, std::int64_t) { return 1.0F; });
  file.remove("y");
  const ArraysVerdict verdict = file.judge();
  CHECK(verdict.verdict == FileVerdict::right);
  CHECK(verdict.layers[0].dy == DySource::ones);
  CHECK(verdict.layers[0].geometry.stride == std::array<std::int64_t, 2>{2, 2});
}

TEST_CASE("No verdict on dw without x", "[evidence]") {
  File file = conv_file(kStride2);
  file.remove("x").remove("dx").remove("y");
  const ArraysVerdict verdict = file.judge();
  CHECK(verdict.verdict == FileVerdict::cannot_tell);
  CHECK(verdict_of(verdict, "dw").judgement == Judgement::cannot_tell);
  CHECK(verdict_of(verdict, "dw").reason == "x is missing");
}

TEST_CASE("The operands of the caller are named", "[evidence]") {
  const File whole = conv_file(kStride2);
  File file = conv_file(kStride2);
  file.remove("x");
  const ArraysOptions options{.operands = {whole.array("x")}};
  const ArraysVerdict verdict = file.judge(options);
  CHECK(verdict_of(verdict, "dw"));
  CHECK(verdict_of(verdict, "dw").sentence.find("the page") != std::string::npos);
  CHECK(verdict_of(verdict, "dx").sentence.find("the page") == std::string::npos);
  ArraysOptions other = options;
  const std::vector<float> zeros(whole.array("x").values.size());
  other.operands[0].values = Elements(zeros);
  CHECK_FALSE(verdict_of(file.judge(other), "dw"));
}

TEST_CASE("The arguments of a file are believed only if the values agree", "[evidence]") {
  const File file = conv_file(kStride2);
  const ArraysVerdict right = file.judge(with_argument("stride", {2}));
  CHECK(right.arguments == "stride 2");
  CHECK(right.verdict == FileVerdict::right);
  const ArraysVerdict wrong = file.judge(with_argument("stride", {1}));
  CHECK(wrong.arguments.find("do not agree") != std::string::npos);
  CHECK(wrong.verdict == FileVerdict::right);
  CHECK(wrong.layers[0].geometry.stride == std::array<std::int64_t, 2>{2, 2});
  // y is wrong everywhere: the arguments stand.
  File broken = conv_file(kStride2);
  std::ranges::copy(random_values(std::ssize(broken.values("y")), 99), broken.values("y").begin());
  broken.remove("dx").remove("dw").remove("db").remove("dy");
  ArraysOptions options = with_argument("padding", {0, 2, 0, 2});
  options.arguments.push_back({.name = "strides", .values = {2, 2}});
  const LayerVerdict layer = broken.judge(options).layers[0];
  CHECK(layer.geometry.padding == std::array<std::int64_t, 4>{0, 2, 0, 2});
  CHECK(layer.evidence.find("gives y") != std::string::npos);
}

TEST_CASE("An array of whole numbers is an argument", "[evidence]") {
  File file = conv_file(kStride2);
  file.add("stride", {}, {2}).add("pad", {1}, {1}).add("epoch", {}, {12});
  const ArraysVerdict verdict = file.judge();
  CHECK(verdict.arguments == "stride 2, pad 1");
  CHECK(verdict.unused == std::vector<std::string>{"epoch"});
  CHECK(verdict.layers[0].evidence.find("the values agree") != std::string::npos);
}

TEST_CASE("A bias that the file does not have", "[evidence]") {
  File file = conv_file(kStride2);
  file.remove("b");
  const ArraysVerdict verdict = file.judge();
  CHECK(verdict.verdict == FileVerdict::right);
  CHECK(verdict.layers[0].evidence.find("bias") != std::string::npos);
}

TEST_CASE("Equal values leave several geometries", "[evidence]") {
  File file = conv_file(kStride2);
  std::ranges::fill(file.values("x"), 0.0F);
  conv2d::reference::forward<float>(conv2d::resolve(kStride2).value(), file.values("x"), file.values("w"),
                                    file.values("b"), file.values("y"));
  file.remove("dx").remove("dw").remove("db").remove("dy");
  const LayerVerdict layer = file.judge().layers[0];
  CHECK_FALSE(layer.alternatives.empty());
  CHECK_FALSE(layer.told_apart_by.empty());
}

TEST_CASE("Each alternative can be chosen by arguments, also one with another order of axes", "[evidence]") {
  File file;
  // A y of zeros fits every geometry and order.
  const std::vector<float> zeros(27);
  file.add("x", {1, 3, 3, 3}, zeros).add("w", {3, 3, 3, 3}, random_values(81, 1)).add("y", {1, 3, 3, 3}, zeros);
  const LayerVerdict first = file.judge().layers[0];
  const auto orders_of = [](const LayerGeometry& g) { return std::pair(g.x_order, g.w_order); };
  std::int64_t others = 0;
  for (const Choice& choice : first.choices) {
    INFO(choice.words);
    REQUIRE(choice.has_geometry);
    const LayerGeometry& g = choice.geometry;
    others += orders_of(g) != orders_of(first.geometry) ? 1 : 0;
    ArraysOptions options;
    options.arguments = {
        {.name = "stride", .values = {g.stride[0], g.stride[1]}},
        {.name = "dilation", .values = {g.dilation[0], g.dilation[1]}},
        {.name = "padding", .values = {0, 0, g.padding[0], g.padding[1], g.padding[2], g.padding[3], 0, 0}},
        {.name = "groups", .values = {g.groups}},
        {.name = "x_order", .text = g.x_order},
        {.name = "w_order", .text = g.w_order}};
    const LayerGeometry chosen = file.judge(options).layers[0].geometry;
    CHECK(orders_of(chosen) == orders_of(g));
    CHECK(chosen.stride == g.stride);
    CHECK(chosen.padding == g.padding);
    CHECK(chosen.dilation == g.dilation);
  }
  CHECK(others > 0);
  CHECK(first.choices.size() > 2);
}

TEST_CASE("An order that the values contradict is not believed", "[evidence]") {
  const ArraysVerdict verdict =
      conv_file({.n = 1, .h = 3, .w = 3, .c = 3, .k = 3, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}})
          .judge(with_argument("x_order", {}, "NCHW"));
  CHECK(verdict.verdict == FileVerdict::right);
  CHECK(verdict.layers[0].geometry.x_order == "NHWC");
}

TEST_CASE("Arrays without names are assigned by sizes and values", "[evidence]") {
  File file = conv_file(kStride2);
  int index = 0;
  for (const char* name : {"x", "w", "b", "y", "dy", "dx", "dw", "db"})
    file.rename(name, "arr_" + std::to_string(index++));
  const ArraysVerdict verdict = file.judge();
  CHECK(verdict.verdict == FileVerdict::right);
  REQUIRE(verdict.layers.size() == 1);
  CHECK(verdict.layers[0].tensors.size() == 4);
  CHECK(verdict.unused.empty());
}

TEST_CASE("Arrays without names and of one size are assigned by their values", "[evidence]") {
  const ConvDesc same{.layout = conv2d::Layout::nchw,
                      .n = 1,
                      .h = 3,
                      .w = 3,
                      .c = 1,
                      .k = 1,
                      .kh = 3,
                      .kw = 3,
                      .padding = {1, 1, 1, 1}};
  const std::vector<std::vector<const char*>> orders{
      {"x", "w", "y", "dy", "dx", "dw"}, {"x", "w", "y", "dx", "dw", "dy"}, {"x", "y", "dx", "w", "dw", "dy"}};
  for (const auto& order : orders) {
    for (const bool is_wrong : {false, true}) {
      File all = conv_file(same), file;
      std::ranges::fill(all.values("b"), 0.0F);
      const conv2d::Geometry g = conv2d::resolve(same).value();
      conv2d::reference::forward<float>(g, all.values("x"), all.values("w"), {}, all.values("y"));
      if (is_wrong) all.values("dw")[4] += 0.5F;
      for (std::size_t i = 0; i < order.size(); ++i)
        file.add("arr_" + std::to_string(i), {1, 1, 3, 3}, all.values(order[i]));
      const ArraysVerdict verdict = file.judge();
      INFO(order[1] << ": " << verdict.sentence);
      CHECK(verdict.verdict == (is_wrong ? FileVerdict::wrong : FileVerdict::right));
      REQUIRE(verdict.layers.size() == 1);
      CHECK(verdict.layers[0].tensors.size() == 3);
    }
  }
}

TEST_CASE("Names of Coursera in a file with everything", "[evidence]") {
  ConvDesc desc = kStride2;
  desc.layout = conv2d::Layout::nhwc;
  File file = conv_file(desc);
  for (const auto& [from, to] :
       {std::pair{"x", "A_prev"}, {"w", "W"}, {"y", "Z"}, {"dy", "dZ"}, {"dx", "dA_prev"}, {"dw", "dW"}})
    file.rename(from, to);
  const ArraysVerdict verdict = file.judge();
  CHECK(verdict.verdict == FileVerdict::right);
  CHECK(verdict.layers[0].geometry.w_order == "HWIO");
  CHECK(verdict.layers[0].tensors[1].array == "dA_prev");
}

TEST_CASE("The answer as JSON", "[evidence]") {
  File file = conv_file(kStride2);
  file.values("dw")[0] = 9;
  const std::string json = to_json(file.judge(), "a \"b\".npz");
  CHECK(json.starts_with(R"({"file":"a \"b\".npz","verdict":"wrong")"));
  CHECK(json.find(R"("stride":[2,2],"padding":[1,1,1,1],"dilation":[1,1],"groups":1)") != std::string::npos);
  CHECK(json.find(R"("order":{"x":"NCHW","w":"OIHW"})") != std::string::npos);
  CHECK(json.find(R"("y":{"verdict":"matches")") != std::string::npos);
  CHECK(json.find('\n') == std::string::npos);
}
