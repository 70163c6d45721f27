#include <catch2/catch_test_macros.hpp>
#include <string_view>

#include "evidence/names.hpp"

using namespace conv2d_check;

namespace {

struct Case {
  std::string_view name, role, layer;
};

constexpr Case kNames[]{
    // PyTorch
    {"x", "x", ""},
    {"weight.grad", "dw", ""},
    {"conv1.weight", "w", "conv1"},
    {"model.0.bias.grad", "db", "model.0"},
    {"layer1.0.conv2.weight", "w", "layer1.0.conv2"},
    {"x.grad", "dx", ""},
    {"grad_output", "dy", ""},
    {"gradInput", "dx", ""},
    // CS231n
    {"out", "y", ""},
    {"dout", "dy", ""},
    {"db", "db", ""},
    // Coursera
    {"A_prev", "x", ""},
    {"dA_prev", "dx", ""},
    {"Z", "y", ""},
    {"dZ", "dy", ""},
    {"dW", "dw", ""},
    // Chainer
    {"gx", "dx", ""},
    {"gW", "dw", ""},
    {"gy", "dy", ""},
    {"gb", "db", ""},
    // TensorFlow and Keras
    {"filter", "w", ""},
    {"out_backprop", "dy", ""},
    {"filter_backprop", "dw", ""},
    {"input_backprop", "dx", ""},
    {"conv2d_1/kernel:0", "w", "conv2d_1"},
    {"depthwise_kernel", "w", ""},
    {"outputs", "y", ""},
    // oneDNN
    {"src", "x", ""},
    {"dst", "y", ""},
    {"diff_weights", "dw", ""},
    {"diff_bias", "db", ""},
    {"diff_src", "dx", ""},
    {"diff_dst", "dy", ""},
    // MLX, JAX, Flax
    {"grads.weight", "dw", ""},
    {"grads/conv/w", "dw", "conv"},
    {"params/conv/kernel", "w", "conv"},
    // Books
    {"W1", "w", "1"},
    {"dW1", "dw", "1"},
    {"x1", "x", "1"},
    {"delta", "dy", ""},
    {"cot", "dy", ""},
    {"dL_dw", "dw", ""},
    {"d_L_d_out", "dy", ""},
    {"d_w", "dw", ""},
    {"nabla_b", "db", ""},
    {"dvalues", "dy", ""},
    {"dinputs", "dx", ""},
    {"layer1.x", "x", "layer1"},
    {"W1.grad", "dw", "1"},
};

constexpr std::string_view kOther[]{
    "epoch", "x_shape", "dx_num", "arr_0", "running_mean", "", "loss", "y_true", "conv1.weight_v2_shape"};

}  // namespace

TEST_CASE("Names of frameworks, courses and books are read", "[evidence]") {
  for (const Case& one : kNames) {
    INFO(one.name);
    const auto found = read_name(one.name);
    REQUIRE(found.has_value());
    CHECK(to_string(found->role) == one.role);
    CHECK(found->layer == one.layer);
  }
}

TEST_CASE("Other names are no tensor's", "[evidence]") {
  for (const std::string_view name : kOther) {
    INFO(name);
    CHECK_FALSE(read_name(name).has_value());
  }
}

TEST_CASE("A transposed convolution may say so in its name", "[evidence]") {
  CHECK(read_name("deconv1.weight")->is_deconv);
  CHECK(read_name("up.conv_transpose2d.weight")->is_deconv);
  CHECK_FALSE(read_name("conv1.weight")->is_deconv);
}

TEST_CASE("Names that say nothing", "[evidence]") {
  for (const std::string_view name : {"", "arr_0", "array 3", "0", "arr_12"}) CHECK(is_unnamed(name));
  for (const std::string_view name : {"x", "epoch", "arrow", "w_0"}) CHECK_FALSE(is_unnamed(name));
}
