#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>

#include "check/layer_file.hpp"
#include "conv2d/reference.hpp"

using namespace conv2d_check;
using namespace conv2d_check::test;
using conv2d::ConvDesc;
using conv2d::reference::backward_data;
using conv2d::reference::backward_weights;

namespace {

const ConvDesc kFirst{
    .layout = conv2d::Layout::nchw, .n = 2, .h = 8, .w = 8, .c = 2, .k = 3, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}};
const ConvDesc kSecond{.layout = conv2d::Layout::nchw,
                       .n = 2,
                       .h = 8,
                       .w = 8,
                       .c = 3,
                       .k = 4,
                       .kh = 3,
                       .kw = 3,
                       .stride_h = 2,
                       .stride_w = 2};

/// Changes the gradient that conv1 receives.
using Change = std::function<void(std::vector<float>& dy)>;

/// conv1, ReLU and conv2, with all tensors of both convolutions. The gradients of conv1 are those of its dy.
File two_layers(const Change& change = nullptr) {
  const conv2d::Geometry g1 = conv2d::resolve(kFirst).value(), g2 = conv2d::resolve(kSecond).value();
  File first = conv_file(kFirst, 1), second = conv_file(kSecond, 2);
  std::vector<float>& hidden = second.values("x");
  hidden = first.values("y");
  for (float& value : hidden) value = std::max(value, 0.0F);
  conv2d::reference::forward<float>(g2, hidden, second.values("w"), second.values("b"), second.values("y"));
  backward_weights<float>(g2, hidden, second.values("dy"), second.values("dw"));
  std::vector<float>& dy = first.values("dy");
  dy = second.values("dx");
  for (std::size_t i = 0; i < dy.size(); ++i) dy[i] = hidden[i] > 0 ? dy[i] : 0;
  if (change) change(dy);
  backward_data<float>(g1, dy, first.values("w"), first.values("dx"));
  backward_weights<float>(g1, first.values("x"), dy, first.values("dw"));
  conv2d::reference::backward_bias<float>(g1, dy, first.values("db"));
  File file;
  for (const Array& array : second.arrays()) file.add("conv2." + array.name, array.shape, second.values(array.name));
  for (const Array& array : first.arrays()) file.add("conv1." + array.name, array.shape, first.values(array.name));
  return file;
}

bool has_join(const ArraysVerdict& verdict, const std::string& tensors, const std::string& relation) {
  return std::ranges::any_of(verdict.joins, [&](const Join& join) {
    return join.from == "conv1" && join.to == "conv2" && join.tensors == tensors && join.relation == relation;
  });
}

}  // namespace

TEST_CASE("Every layer of a file is judged, and their joins", "[evidence]") {
  const ArraysVerdict verdict = two_layers().judge();
  CHECK(verdict.verdict == FileVerdict::right);
  REQUIRE(verdict.layers.size() == 2);
  CHECK(verdict.layers[0].name == "conv1");
  CHECK(verdict.layers[1].name == "conv2");
  CHECK(verdict.layers[1].geometry.stride == std::array<std::int64_t, 2>{2, 2});
  CHECK(has_join(verdict, "y -> x", "relu"));
  CHECK(has_join(verdict, "dx -> dy", "relu"));
  CHECK(verdict.first_wrong_forward.empty());
}

TEST_CASE("The first wrong layer is named in both directions", "[evidence]") {
  File file = two_layers();
  file.values("conv1.dw")[0] += 1;
  file.values("conv2.y")[0] += 1;
  file.values("conv1.y")[0] += 1;
  file.values("conv2.db")[0] += 1;
  const ArraysVerdict verdict = file.judge();
  CHECK(verdict.verdict == FileVerdict::wrong);
  CHECK(verdict.first_wrong_forward == "conv1");
  CHECK(verdict.first_wrong_backward == "conv2");
}

TEST_CASE("A gradient that changes between two layers", "[evidence]") {
  File file = two_layers();
  file.values("conv1.dy")[3] += 1;
  CHECK(has_join(file.judge(), "dx -> dy", "differs"));
}

TEST_CASE("A file is wrong if a gradient changes between two layers, although each layer is right", "[evidence]") {
  const ArraysVerdict scaled = two_layers([](std::vector<float>& dy) {
                                 for (float& value : dy) value /= 2;
                               }).judge();
  for (const LayerVerdict& layer : scaled.layers) {
    for (const TensorVerdict& one : layer.tensors) CHECK(one.verdict);
  }
  CHECK(scaled.verdict == FileVerdict::wrong);
  CHECK(scaled.first_wrong_backward == "conv1");
  CHECK(scaled.first_wrong_forward.empty());
  CHECK(scaled.sentence == "All 8 results are right. But dy of conv1 is not dx of conv2 where ReLU passes it.");
  // One cell that ReLU does not pass.
  const ArraysVerdict one_cell =
      two_layers([](std::vector<float>& dy) { *std::ranges::find(dy, 0.0F) = 0.1F; }).judge();
  CHECK(one_cell.verdict == FileVerdict::wrong);
}

TEST_CASE("A gradient that is stored in a lower format between two layers does not change", "[evidence]") {
  const auto verdict_of_rounded = [](float (*round)(float)) {
    return two_layers([&](std::vector<float>& dy) {
             for (float& value : dy) value = round(value);
           })
        .judge()
        .verdict;
  };
  CHECK(verdict_of_rounded([](float value) { return std::round(value * 1e4F) / 1e4F; }) == FileVerdict::right);
  CHECK(verdict_of_rounded([](float value) {
          return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) + 0x8000U) & 0xffff0000U);
        }) == FileVerdict::right);
  // A sum in another order: an error beside the other cells, not beside a cell in which the terms cancel.
  CHECK(verdict_of_rounded([](float value) { return value == 0 ? 0 : value + 1e-6F; }) == FileVerdict::right);
  CHECK(verdict_of_rounded([](float value) { return value * 1.001F; }) == FileVerdict::wrong);
}

TEST_CASE("Several layers that read one y add their gradients", "[evidence]") {
  File branch = conv_file(kSecond, 7);
  std::vector<float>& hidden = branch.values("x");
  hidden = two_layers().values("conv2.x");
  File all = two_layers([&](std::vector<float>& dy) {
    for (std::size_t i = 0; i < dy.size(); ++i) dy[i] += hidden[i] > 0 ? branch.values("dx")[i] : 0;
  });
  const conv2d::Geometry g = conv2d::resolve(kSecond).value();
  conv2d::reference::forward<float>(g, hidden, branch.values("w"), branch.values("b"), branch.values("y"));
  backward_weights<float>(g, hidden, branch.values("dy"), branch.values("dw"));
  for (const Array& array : branch.arrays()) all.add("conv3." + array.name, array.shape, branch.values(array.name));
  const ArraysVerdict verdict = all.judge();
  CHECK(verdict.verdict == FileVerdict::right);
  CHECK(has_join(verdict, "dx -> dy", "sum"));
  // Without the second branch, nothing explains the sum.
  for (const char* name : {"x", "w", "b", "y", "dy", "dx", "dw", "db"}) all.remove(std::string("conv3.") + name);
  CHECK(all.judge().verdict == FileVerdict::wrong);
}

TEST_CASE("A residual connection adds the gradient of the layer behind it", "[evidence]") {
  std::vector<float> skipped;
  File all = two_layers([&](std::vector<float>& dy) {
    skipped = random_values(std::ssize(dy), 9);
    std::ranges::transform(dy, skipped, dy.begin(), std::plus());
  });
  CHECK(all.judge().verdict == FileVerdict::wrong);
  const ConvDesc behind{.layout = conv2d::Layout::nchw, .n = 2, .h = 8, .w = 8, .c = 2, .k = 3};
  File last = conv_file(behind, 11);
  const conv2d::Geometry g = conv2d::resolve(behind).value();
  last.values("dy") = skipped;
  backward_data<float>(g, skipped, last.values("w"), last.values("dx"));
  backward_weights<float>(g, last.values("x"), skipped, last.values("dw"));
  conv2d::reference::backward_bias<float>(g, skipped, last.values("db"));
  for (const Array& array : last.arrays()) all.add("conv3." + array.name, array.shape, last.values(array.name));
  const ArraysVerdict verdict = all.judge();
  CHECK(verdict.verdict == FileVerdict::right);
  CHECK(has_join(verdict, "dx -> dy", "sum"));
}

TEST_CASE("Arrays without the name of a layer belong to the only layer with weights", "[evidence]") {
  File file = conv_file(kFirst);
  file.rename("w", "model.0.weight")
      .rename("dw", "model.0.weight.grad")
      .rename("b", "model.0.bias")
      .rename("db", "model.0.bias.grad");
  const ArraysVerdict verdict = file.judge();
  REQUIRE(verdict.layers.size() == 1);
  CHECK(verdict.layers[0].name == "model.0");
  CHECK(verdict.layers[0].tensors.size() == 4);
  CHECK(verdict.verdict == FileVerdict::right);
}

TEST_CASE("A result of another shape says which shape it must have, and why", "[evidence]") {
  const auto sentence = [](const ConvDesc& desc, const char* name, std::vector<std::int64_t> shape) {
    File file = conv_file(desc);
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size;
    file.remove(name).add(name, shape, random_values(count, 3));
    const ArraysVerdict verdict = file.judge();
    CHECK(verdict_of(verdict, name).judgement == Judgement::does_not_fit);
    CHECK(verdict_of(verdict, "y"));
    return verdict_of(verdict, name).sentence;
  };
  const auto says = [](const std::string& text, const char* words) { return text.find(words) != std::string::npos; };
  CHECK(says(sentence(kSecond, "dx", {2, 3, 7, 7}), "no window reads"));
  CHECK(says(sentence(kFirst, "dx", {2, 2, 10, 10}), "crop the padding"));
  CHECK(says(sentence(kSecond, "dx", {2, 3, 0, 0}), "[pad:-pad]"));
  CHECK(says(sentence(kFirst, "dx", {2, 8, 8, 2}), "another order"));
  CHECK(says(sentence(kFirst, "db", {2, 3}), "must be [3]"));
  CHECK(says(sentence(kFirst, "dw", {3, 2, 4, 3}), "must be [3, 2, 3, 3]"));
}

TEST_CASE("db may be a row or a column", "[evidence]") {
  for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{1, 3}, {3, 1}, {1, 1, 1, 3}}) {
    File file = conv_file(kFirst);
    const std::vector<float> values = file.values("db");
    file.remove("db").add("db", shape, values);
    CHECK(verdict_of(file.judge(), "db"));
  }
}

TEST_CASE("Every array is used or listed", "[evidence]") {
  File file = two_layers();
  file.add("running_mean", {3}, {1, 2, 3}).add("conv3.weight", {1, 1, 1, 1}, {1}).add("broken", {2, 2}, {1});
  const ArraysVerdict verdict = file.judge();
  for (const char* name : {"running_mean", "conv3.weight", "broken"}) {
    INFO(name);
    CHECK(std::ranges::count(verdict.unused, name) == 1);
  }
  CHECK(verdict.unused.size() == 3);
}
