#include <catch2/catch_test_macros.hpp>
#include <string>

#include "check/layer_file.hpp"
#include "support/rng.hpp"

using namespace conv2d_check;
using namespace conv2d_check::test;
using conv2d::ConvDesc;

// The layers of well-known networks, with few channels, in the orders of PyTorch and of Keras: the geometry follows
// from the values, and all results are right.

namespace {

struct UsualLayer {
  const char* name;
  std::int64_t size;  ///< of the square image
  std::int64_t kh, kw, stride, pad_h, pad_w;
  std::int64_t dilation = 1, groups = 1;
};

constexpr UsualLayer kUsual[]{
    {"AlexNet 1", 63, 11, 11, 4, 2, 2},
    {"AlexNet 2", 27, 5, 5, 1, 2, 2},
    {"AlexNet 3", 13, 3, 3, 1, 1, 1},
    {"LeNet 1", 28, 5, 5, 1, 2, 2},
    {"LeNet 2", 14, 5, 5, 1, 0, 0},
    {"VGG", 32, 3, 3, 1, 1, 1},
    {"ResNet stem", 33, 7, 7, 2, 3, 3},
    {"ResNet stem, even", 32, 7, 7, 2, 3, 3},
    {"ResNet 3x3", 14, 3, 3, 1, 1, 1},
    {"ResNet 3x3, stride 2", 14, 3, 3, 2, 1, 1},
    {"ResNet 3x3, stride 2, odd", 7, 3, 3, 2, 1, 1},
    {"ResNet 1x1", 14, 1, 1, 1, 0, 0},
    {"ResNet shortcut", 14, 1, 1, 2, 0, 0},
    {"ResNeXt", 14, 3, 3, 1, 1, 1, 1, 2},
    {"ResNeXt, stride 2", 14, 3, 3, 2, 1, 1, 1, 2},
    {"MobileNet stem", 32, 3, 3, 2, 1, 1},
    {"MobileNet depthwise", 14, 3, 3, 1, 1, 1, 1, 4},
    {"MobileNet depthwise, stride 2", 14, 3, 3, 2, 1, 1, 1, 4},
    {"EfficientNet depthwise", 14, 5, 5, 1, 2, 2, 1, 4},
    {"EfficientNet depthwise, stride 2", 28, 5, 5, 2, 2, 2, 1, 4},
    {"Inception 1x7", 17, 1, 7, 1, 0, 3},
    {"Inception 7x1", 17, 7, 1, 1, 3, 0},
    {"Inception reduction", 35, 3, 3, 2, 0, 0},
    {"Inception 5x5", 28, 5, 5, 1, 2, 2},
    {"DeepLab 2", 13, 3, 3, 1, 2, 2, 2},
    {"DeepLab 4", 17, 3, 3, 1, 4, 4, 4},
    {"DeepLab 6", 33, 3, 3, 1, 6, 6, 6},
    {"DeepLab 12", 33, 3, 3, 1, 12, 12, 12},
    {"U-Net", 20, 3, 3, 1, 0, 0},
    {"ViT patches", 64, 16, 16, 16, 0, 0},
    {"ConvNeXt patches", 32, 4, 4, 4, 0, 0},
    {"ConvNeXt depthwise", 14, 7, 7, 1, 3, 3, 1, 4},
    {"DCGAN discriminator", 16, 4, 4, 2, 1, 1},
};

ConvDesc desc_of(const UsualLayer& layer, conv2d::Layout layout) {
  ConvDesc desc{
      .layout = layout, .n = 2, .h = layer.size, .w = layer.size, .c = 4, .k = 8, .kh = layer.kh, .kw = layer.kw};
  desc.stride_h = desc.stride_w = layer.stride;
  desc.dilation_h = desc.dilation_w = layer.dilation;
  desc.groups = layer.groups;
  desc.padding = {.top = layer.pad_h, .bottom = layer.pad_h, .left = layer.pad_w, .right = layer.pad_w};
  return desc;
}

void check_found(const ConvDesc& desc, const LayerVerdict& found) {
  const conv2d::Geometry g = conv2d::resolve(desc).value();
  INFO(found.evidence);
  CHECK(found.kind == "conv");
  CHECK((found.geometry.stride[0] == g.stride_h || g.oh == 1));
  CHECK((found.geometry.stride[1] == g.stride_w || g.ow == 1));
  CHECK((found.geometry.dilation[0] == g.dilation_h || g.kh == 1));
  CHECK((found.geometry.dilation[1] == g.dilation_w || g.kw == 1));
  CHECK(found.geometry.padding[0] == g.padding.top);
  CHECK(found.geometry.padding[2] == g.padding.left);
  CHECK(found.geometry.groups == g.groups);
  CHECK(found.alternatives.empty());
  for (const TensorVerdict& one : found.tensors) {
    INFO(one.name << ": " << one.verdict.sentence);
    CHECK(one.verdict.judgement == Judgement::matches);
  }
}

}  // namespace

TEST_CASE("The geometry of usual layers follows from the values in the order of PyTorch", "[evidence]") {
  for (const UsualLayer& layer : kUsual) {
    INFO(layer.name);
    const ConvDesc desc = desc_of(layer, conv2d::Layout::nchw);
    const ArraysVerdict verdict = conv_file(desc).judge();
    REQUIRE(verdict.layers.size() == 1);
    CHECK(verdict.verdict == FileVerdict::right);
    check_found(desc, verdict.layers[0]);
    CHECK(verdict.layers[0].geometry.padding == std::array{layer.pad_h, layer.pad_h, layer.pad_w, layer.pad_w});
    CHECK(verdict.layers[0].tensors.size() == 4);
    CHECK(verdict.unused.empty());
  }
}

TEST_CASE("The geometry of usual layers follows from the values in the order of Keras", "[evidence]") {
  for (const UsualLayer& layer : kUsual) {
    INFO(layer.name);
    ConvDesc desc = desc_of(layer, conv2d::Layout::nhwc);
    if (layer.pad_h + layer.pad_w > 0) desc.padding_mode = conv2d::PaddingMode::same;
    const ArraysVerdict verdict = conv_file(desc, 7).judge();
    REQUIRE(verdict.layers.size() == 1);
    CHECK(verdict.verdict == FileVerdict::right);
    check_found(desc, verdict.layers[0]);
    const conv2d::Padding pad = conv2d::resolve(desc).value().padding;
    CHECK(verdict.layers[0].geometry.padding == std::array{pad.top, pad.bottom, pad.left, pad.right});
    CHECK(verdict.layers[0].geometry.x_order == "NHWC");
  }
}

TEST_CASE("Symmetric padding with a stride is told apart from SAME", "[evidence]") {
  ConvDesc desc{.n = 1, .h = 14, .w = 14, .c = 2, .k = 3, .kh = 7, .kw = 7, .stride_h = 2, .stride_w = 2};
  desc.padding = {3, 3, 3, 3};
  const ArraysVerdict symmetric = conv_file(desc).judge();
  CHECK(symmetric.layers[0].geometry.padding == std::array<std::int64_t, 4>{3, 3, 3, 3});
  desc.padding_mode = conv2d::PaddingMode::same;
  const ArraysVerdict same = conv_file(desc).judge();
  CHECK(same.layers[0].geometry.padding == std::array<std::int64_t, 4>{2, 3, 2, 3});
}

TEST_CASE("The geometry of random layers follows from the values of y, or of dx and dw", "[evidence]") {
  conv2d::test::Rng rng(20261127);
  for (int run = 0; run < 60; ++run) {
    ConvDesc desc{.layout = rng.one_in(2) ? conv2d::Layout::nhwc : conv2d::Layout::nchw};
    desc.groups = rng.between(1, 2);
    desc.n = rng.between(1, 2);
    desc.c = desc.groups * rng.between(1, 3);
    desc.k = desc.groups * rng.between(1, 3);
    desc.h = rng.between(7, 12), desc.w = rng.between(7, 12);
    desc.kh = rng.between(1, 4), desc.kw = rng.between(1, 4);
    desc.stride_h = rng.between(1, 3), desc.stride_w = rng.between(1, 3);
    desc.dilation_h = desc.kh > 1 ? rng.between(1, 2) : 1, desc.dilation_w = desc.kw > 1 ? rng.between(1, 2) : 1;
    const auto pad = [&](std::int64_t kernel) { return rng.between(0, kernel - 1); };
    desc.padding = {.top = pad(desc.kh), .bottom = pad(desc.kh), .left = pad(desc.kw), .right = pad(desc.kw)};
    desc.weights_layout = static_cast<conv2d::WeightsLayout>(rng.between(0, 3));
    INFO("run " << run << ": " << desc.h << " x " << desc.w << ", c " << desc.c << ", k " << desc.k << ", kernel "
                << desc.kh << " x " << desc.kw << ", stride " << desc.stride_h << " x " << desc.stride_w
                << ", dilation " << desc.dilation_h << " x " << desc.dilation_w << ", top " << desc.padding.top
                << ", left " << desc.padding.left);
    File file = conv_file(desc, static_cast<std::uint64_t>(100 + run));
    if (run % 3 == 0) file.remove("y");
    const ArraysVerdict verdict = file.judge();
    REQUIRE(verdict.layers.size() == 1);
    CHECK(verdict.verdict == FileVerdict::right);
    check_found(desc, verdict.layers[0]);
  }
}

TEST_CASE("A layer with taps that read only padding is right, too", "[evidence]") {
  constexpr UsualLayer kSmall[]{
      {"3x3 on one cell", 1, 3, 3, 1, 1, 1},
      {"3x3 on 2x2 cells, stride 2", 2, 3, 3, 2, 1, 1},
      {"4x4 on 2x2 cells, stride 2", 2, 4, 4, 2, 1, 1},
      {"dilation larger than the image", 13, 3, 3, 1, 18, 18, 18},
      {"5x5 on 5x5 cells, less than half a window of padding", 5, 5, 5, 3, 1, 1},
      {"3x3 on 5x5 cells, stride 3, dilated, depthwise", 5, 3, 3, 3, 1, 1, 2, 4},
      {"5x5 on 6x6 cells, dilated, depthwise", 6, 5, 5, 1, 2, 2, 2, 4},
      {"5x5 on 9x9 cells, stride 3, dilated", 9, 5, 5, 3, 1, 1, 2},
  };
  for (const UsualLayer& layer : kSmall) {
    const ArraysVerdict verdict = conv_file(desc_of(layer, conv2d::Layout::nchw), 5).judge();
    INFO(layer.name << ": " << to_json(verdict));
    CHECK(verdict.verdict == FileVerdict::right);
  }
}
