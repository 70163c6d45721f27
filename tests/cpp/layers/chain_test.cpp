#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "layers/chain_values.hpp"
#include "support/environment.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// One layer on one image of one channel, rows x columns.
struct OneLayer {
  OneLayer(const LayerDesc& desc, std::int64_t rows, std::int64_t columns, const std::vector<float>& x, Layout layout)
      : chain(plan_chain({.layout = layout, .h = rows, .w = columns, .layers = {&desc, 1}}).value()), values(chain) {
    values.x = x;
    std::ranges::fill(values.layers[0].dy, 1.0F);
    REQUIRE_THAT(run_chain(chain, values), Succeeds());
  }

  Chain chain;
  ChainValues<float> values;
};

std::vector<float> one_to(std::int64_t last) {
  std::vector<float> values(static_cast<std::size_t>(last));
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

LayerDesc pool(std::string_view kind, std::int64_t window, std::int64_t stride, std::int64_t padding,
               bool count_include_pad = false) {
  return {.kind = kind,
          .windows = {.kh = window,
                      .kw = window,
                      .stride_h = stride,
                      .stride_w = stride,
                      .padding = {padding, padding, padding, padding}},
          .options = {{{kind == "average_pool" ? "count_include_pad" : "", count_include_pad ? 1.0 : 0.0}}}};
}

/// Fills with integers of many ties; the last dy with larger ones, so that they show where they went.
void fill_with_integers(ChainValues<float>& values, Rng& rng) {
  values.fill([&] { return rng.between(-2, 2); });
  for (float& slope : values.layers.back().dy) slope = static_cast<float>(rng.between(-9, 9));
}

/// The first tensor of `got` that differs from `expected`.
Failure difference_of_chains(const ChainValues<float>& got, const ChainValues<double>& expected) {
  for (std::size_t i = 0; i < got.layers.size(); ++i) {
    const auto& a = got.layers[i];
    const auto& b = expected.layers[i];
    const auto in_layer = [&](const char* name, const std::vector<float>& one, const std::vector<double>& other) {
      const Failure failure = difference(one, other);
      return failure ? Failure(std::to_string(i) + "." + name + ": " + *failure) : Failure{};
    };
    if (a.winners != b.winners) return std::to_string(i) + ".winners differ";
    for (const Failure& failure : {in_layer("y", a.y, b.y), in_layer("dy", a.dy, b.dy), in_layer("dw", a.dw, b.dw),
                                   in_layer("db", a.db, b.db)}) {
      if (failure) return failure;
    }
  }
  return difference(got.dx, expected.dx);
}

}  // namespace

TEST_CASE("the pooling examples of ONNX give their outputs and winners", "[layers]") {
  // tests/golden/README.md has the source.
  const Layout layout = GENERATE(from_range(kLayouts));
  const std::vector<float> x = one_to(25);
  OneLayer max(pool("max_pool", 5, 1, 2), 5, 5, x, layout);
  CHECK(max.values.layers[0].y == std::vector<float>{13, 14, 15, 15, 15, 18, 19, 20, 20, 20, 23, 24, 25,
                                                     25, 25, 23, 24, 25, 25, 25, 23, 24, 25, 25, 25});
  CHECK(max.values.layers[0].winners == std::vector<std::int32_t>{12, 13, 14, 14, 14, 17, 18, 19, 19, 19, 22, 23, 24,
                                                                  24, 24, 22, 23, 24, 24, 24, 22, 23, 24, 24, 24});
  OneLayer average(pool("average_pool", 5, 1, 2), 5, 5, x, layout);
  CHECK(average.values.layers[0].y == std::vector<float>{7,     7.5F,  8,     8.5F,  9,     9.5F,  10,    10.5F, 11,
                                                         11.5F, 12,    12.5F, 13,    13.5F, 14,    14.5F, 15,    15.5F,
                                                         16,    16.5F, 17,    17.5F, 18,    18.5F, 19});
  OneLayer padded(pool("average_pool", 5, 1, 2, true), 5, 5, x, layout);
  CHECK(padded.values.layers[0].y == std::vector<float>{2.52F,  3.6F,  4.8F,  4.08F, 3.24F, 4.56F, 6.4F,  8.4F, 7.04F,
                                                        5.52F,  7.2F,  10,    13,    10.8F, 8.4F,  6.96F, 9.6F, 12.4F,
                                                        10.24F, 7.92F, 6.12F, 8.4F,  10.8F, 8.88F, 6.84F});
}

TEST_CASE("equal cells, NaN and infinity choose the winner as in PyTorch 1.13", "[layers]") {
  const Layout layout = GENERATE(from_range(kLayouts));
  const LayerDesc two = pool("max_pool", 2, 1, 0);
  OneLayer nan(two, 3, 3, {1, kNaN, 2, kNaN, 5, 3, 1, 1, 1}, layout);
  CHECK(nan.values.layers[0].winners == std::vector<std::int32_t>{3, 1, 3, 4});
  CHECK_THAT(nan.values.layers[0].y, HasBitsOf(std::vector{kNaN, kNaN, kNaN, 5.0F}));
  OneLayer ties(two, 3, 3, std::vector<float>(9, 7), layout);
  CHECK(ties.values.layers[0].winners == std::vector<std::int32_t>{0, 1, 3, 4});
  CHECK(ties.values.dx == std::vector<float>{1, 1, 0, 1, 1, 0, 0, 0, 0});
  OneLayer empty(pool("max_pool", 2, 1, 1), 2, 2, std::vector<float>(4, -std::numeric_limits<float>::infinity()),
                 layout);
  CHECK(empty.values.layers[0].winners == std::vector<std::int32_t>{0, 0, 1, 0, 0, 1, 2, 2, 3});
}

TEST_CASE("the gate of a ReLU is closed at 0 and open for NaN, as in PyTorch 1.13", "[layers]") {
  OneLayer relu({.kind = "relu"}, 1, 5, {kNaN, -0.0F, 0, -1, 2}, Layout::nhwc);
  CHECK_THAT(relu.values.layers[0].y, HasBitsOf(std::vector{kNaN, 0.0F, 0.0F, 0.0F, 2.0F}));
  CHECK(relu.values.dx == std::vector<float>{1, 0, 0, 0, 1});
}

TEST_CASE("a leaky ReLU multiplies by its slope at 0, below 0 and for NaN, as in PyTorch 1.13", "[layers]") {
  const LayerDesc leaky{.kind = "leaky_relu", .options = {{{"alpha", 0.25}}}};
  OneLayer relu(leaky, 1, 5, {kNaN, -0.0F, 0, -1, 2}, Layout::nhwc);
  CHECK_THAT(relu.values.layers[0].y, HasBitsOf(std::vector{kNaN, -0.0F, 0.0F, -0.25F, 2.0F}));
  CHECK(relu.values.dx == std::vector<float>{0.25F, 0.25F, 0.25F, 0.25F, 1});
}

TEST_CASE("convolution, ReLU, maximum and average by hand", "[layers]") {
  // x is 1..4 by 1..4; the filter [1, -1] gives -1 everywhere with b = 0, so b = x[0] opens the gates.
  const std::vector<LayerDesc> layers{{.kind = "conv", .windows = {.k = 1, .kh = 1, .kw = 2}},
                                      {.kind = "relu"},
                                      {.kind = "max_pool", .windows = {.kh = 2, .stride_h = 2}},
                                      {.kind = "average_pool", .windows = {.kw = 2}}};
  const Chain chain = plan_chain({.h = 2, .w = 3, .layers = layers}).value();
  CHECK(chain.memory().activation_floats == 4 + 4 + 2 + 1);
  CHECK(chain.memory().winners == 2);
  CHECK(chain.memory().parameter_floats == 3);
  CHECK(chain.memory().gradient_floats == 6 + 11 + 3);
  ChainValues<float> values(chain);
  values.x = {5, 3, 3, 1, 4, 2};
  values.layers[0].w = {1, -1};
  values.layers[0].b = {-1};
  values.layers[3].dy = {8};
  REQUIRE_THAT(run_chain(chain, values), Succeeds());
  CHECK(values.layers[0].y == std::vector<float>{1, -1, -4, 1});  // 5-3-1, 3-3-1, 1-4-1, 4-2-1
  CHECK(values.layers[1].y == std::vector<float>{1, 0, 0, 1});
  CHECK(values.layers[2].y == std::vector<float>{1, 1});
  CHECK(values.layers[2].winners == std::vector<std::int32_t>{0, 3});
  CHECK(values.layers[3].y == std::vector<float>{1});
  CHECK(values.layers[2].dy == std::vector<float>{4, 4});
  CHECK(values.layers[1].dy == std::vector<float>{4, 0, 0, 4});
  CHECK(values.layers[0].dy == std::vector<float>{4, 0, 0, 4});
  CHECK(values.layers[0].db == std::vector<float>{8});
  CHECK(values.layers[0].dw == std::vector<float>{4 * 5 + 4 * 4, 4 * 3 + 4 * 2});
  CHECK(values.dx == std::vector<float>{4, -4, 0, 0, 4, -4});
  const AverageCell cell = average_cell(chain.layer(3), values.layers[2].y, 0);
  CHECK(cell.sum == 2);
  CHECK(cell.count == 2);
}

TEST_CASE("random chains of integers equal the reference, on every instruction set and in both layouts", "[layers]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  Rng rng(property_seed());
  for (std::int64_t turn = set.share_of(property_runs() / 4); turn > 0; --turn) {
    const RandomChain random(rng, kLayouts[turn % 2], true);
    // Winograd is not exact for integers.
    const Chain chain = plan_chain(random.desc, {.accuracy = Accuracy::strict}).value();
    REQUIRE(chain.instruction_set() == set.name());
    ChainValues<float> values(chain, turn % 3 != 0);
    fill_with_integers(values, rng);
    ChainValues<double> expected(chain, turn % 3 != 0);
    expected.copy_inputs(values);
    REQUIRE_THAT(run_chain(chain, values), Succeeds());
    run_reference(chain, expected);
    CAPTURE(turn, chain.size(), random.desc.h, random.desc.w, random.desc.c);
    REQUIRE_THAT(difference_of_chains(values, expected), NoFailure());
  }
}

TEST_CASE("a convolution before a ReLU can leave its y out, and no other bit changes", "[layers]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  Rng rng(property_seed());
  std::int64_t left_out = 0;
  // Some chains have no convolution before a ReLU.
  for (std::int64_t turn = std::max<std::int64_t>(20, set.share_of(property_runs() / 4)); turn > 0; --turn) {
    const RandomChain random(rng, kLayouts[turn % 2], false);
    std::vector<LayerDesc> layers;
    for (const LayerDesc& layer : random.layers) {
      layers.push_back(layer);
      if (layer.kind == "conv" && !rng.one_in(4)) layers.push_back({.kind = "relu"});
    }
    ChainDesc desc = random.desc;
    desc.layers = layers;
    const Chain chain = plan_chain(desc).value();
    ChainValues<float> all(chain, turn % 3 != 0);
    constexpr float kSpecial[] = {kNaN, std::numeric_limits<float>::infinity(), 0.0F, -0.0F};
    const bool special = rng.one_in(3);
    all.fill([&] { return special && rng.one_in(20) ? kSpecial[rng.between(0, 3)] : rng.real(); });
    ChainValues<float> some = all;
    for (std::size_t i = 0; i + 1 < layers.size(); ++i) {
      if (layers[i].kind == "conv" && layers[i + 1].kind == "relu") some.layers[i].y.clear(), ++left_out;
    }
    REQUIRE_THAT(run_chain(chain, all), Succeeds());
    REQUIRE_THAT(run_chain(chain, some), Succeeds());
    CAPTURE(turn, chain.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const auto& got = some.layers[i];
      const auto& expected = all.layers[i];
      if (!got.y.empty()) REQUIRE_THAT(got.y, HasBitsOf(expected.y));
      REQUIRE_THAT(got.dy, HasBitsOf(expected.dy));
      REQUIRE_THAT(got.dw, HasBitsOf(expected.dw));
      REQUIRE_THAT(got.db, HasBitsOf(expected.db));
    }
    REQUIRE_THAT(some.dx, HasBitsOf(all.dx));
  }
  CHECK(left_out > 0);
}

TEST_CASE("only a convolution before a ReLU can leave its y out", "[layers]") {
  const std::vector<LayerDesc> layers{
      {.windows = {.k = 2}}, {.kind = "relu"}, {.windows = {.k = 2}}, {.kind = "leaky_relu"}, {.windows = {.k = 1}}};
  const Chain chain = plan_chain({.h = 2, .w = 3, .layers = layers}).value();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    ChainValues<float> values(chain);
    values.fill([] { return 1; });
    values.layers[i].y.clear();
    const Status status = run_chain(chain, values);
    CAPTURE(i);
    CHECK(status.ok() == (i == 0));
    if (i > 0) CHECK(status.field == "layers[" + std::to_string(i) + "].y");
  }
}

TEST_CASE("layers without weights have the same bits on every instruction set", "[layers]") {
  const std::vector<std::string> sets = kernel_sets();
  Rng rng(property_seed());
  for (int turn = 0; turn < 60; ++turn) {
    std::vector<LayerDesc> layers;
    for (const std::string_view kind : layer_kinds()) {
      if (operands_of(kind, Pass::forward).w) continue;
      layers.push_back(pool(kind, rng.between(1, 3), rng.between(1, 2), 0));
      layers.back().options = random_options(rng, kind, false);
    }
    std::ranges::rotate(layers, layers.begin() + rng.between(0, std::ssize(layers) - 1));
    const ChainDesc desc{.layout = kLayouts[turn % 2],
                         .n = 2,
                         .h = rng.between(9, 13),
                         .w = rng.between(9, 40),
                         .c = rng.between(1, 20),
                         .layers = layers};
    std::vector<float> first;
    for (const std::string& set : sets) {
      const Chain chain = plan_chain(desc, {.instruction_set = set}).value();
      ChainValues<float> values(chain);
      Rng same(static_cast<std::uint64_t>(turn));
      values.fill([&] { return same.real(); });
      REQUIRE_THAT(run_chain(chain, values), Succeeds());
      if (first.empty()) first = values.dx;
      CHECK_THAT(values.dx, HasBitsOf(first));
    }
  }
}

TEST_CASE("gradients that are not wanted are not computed, and the others do not change", "[layers]") {
  const std::vector<LayerDesc> layers{{.windows = {.k = 2, .kh = 2, .kw = 2}}, pool("average_pool", 2, 1, 1)};
  const Chain chain = plan_chain({.h = 4, .w = 5, .c = 2, .layers = layers}).value();
  Rng rng(3);
  ChainValues<float> all(chain), some(chain);
  fill_with_integers(all, rng);
  some = all;
  REQUIRE_THAT(run_chain(chain, all), Succeeds());
  some.dx.clear();
  some.layers[0].db.clear();
  REQUIRE_THAT(run_chain(chain, some), Succeeds());
  CHECK(some.layers[0].dw == all.layers[0].dw);
  CHECK(some.layers[0].dy == all.layers[0].dy);
}

TEST_CASE("the progress hook stops a chain between layers", "[layers]") {
  const std::vector<LayerDesc> layers(3, {.kind = "relu"});
  const Chain chain = plan_chain({.w = 3, .layers = layers}).value();
  ChainValues<float> values(chain);
  values.x = {1, 2, 3};
  struct Seen {
    std::vector<std::int64_t> done;
    std::int64_t last = 9;
  } seen;
  const ProgressHook hook{.step =
                              [](void* context, std::int64_t done, std::int64_t total) noexcept {
                                Seen& to = *static_cast<Seen*>(context);
                                to.done.push_back(10 * total + done);
                                return done < to.last;
                              },
                          .context = &seen};
  const Resources resources{.workspace = values.workspace, .progress = hook};
  REQUIRE_THAT(forward(chain, values.tensors(), resources), Succeeds());
  CHECK(seen.done == std::vector<std::int64_t>{30, 31, 32});
  seen.last = 1;
  values.layers[2].dy = {1, 1, 1};
  CHECK_THAT(backward(chain, values.tensors(), resources), Fails(ErrorCode::cancelled, "progress"));
  CHECK(values.layers[1].dy == std::vector<float>{1, 1, 1});
  CHECK(std::isnan(values.layers[0].dy[0]));
}

TEST_CASE("an error names the layer and its field, and says how to mend it", "[layers]") {
  const auto fails = [](LayerDesc layer, ErrorCode code, std::string_view field, std::string_view part) {
    const std::vector<LayerDesc> layers{{.kind = "relu"}, layer};
    const Result<Chain> chain = plan_chain({.h = 3, .w = 4, .c = 2, .layers = layers});
    CHECK_THAT(chain, Fails(code, field, {part}));
  };
  LayerDesc max = pool("max_pool", 2, 1, 0);
  max.windows.kh = 5;
  fails(max, ErrorCode::kernel_too_large, "layers[1].kh", "layers[1] (max_pool): kernel height is 5");
  max.windows.kh = 0;
  fails(max, ErrorCode::invalid_size, "layers[1].kh", "at least 1");
  max.windows.kh = 2;
  max.windows.padding.bottom = 2;
  fails(max, ErrorCode::invalid_padding, "layers[1].padding.bottom", "smaller than the window height, 2");
  max.windows.padding.bottom = -1;
  fails(max, ErrorCode::invalid_padding, "layers[1].padding.bottom", "at least 0");
  max.windows.padding.bottom = 0;
  max.windows.dilation_w = 2;
  fails(max, ErrorCode::invalid_dilation, "layers[1].dilation_w", "set it to 1");
  fails({.windows = {.k = 3, .groups = 2}}, ErrorCode::invalid_groups, "layers[1].groups", "divide 3 filters");
  fails({.windows = {.stride_w = 0}}, ErrorCode::invalid_stride, "layers[1].stride_w", "at least 1");
  fails({.kind = "softmax"}, ErrorCode::invalid_argument, "layers[1].kind", "(softmax): there is no such kind");
  const auto fails_with = [&](std::string_view kind, const char* option, double value, std::string_view part) {
    LayerDesc layer = pool(kind, 2, 1, 0);
    layer.options = {{{option, value}}};
    fails(layer, ErrorCode::invalid_argument, "layers[1].options", part);
  };
  fails_with("leaky_relu", "alpha", 1.5, "outside its range");
  fails_with("max_pool", "count_include_pad", 1, "layers[1] (max_pool): an option has another name");
  fails_with("average_pool", "count_include_pad", 2, "outside its range");
  fails_with("average_pool", "count_include_pad", -1, "outside its range");
  fails_with("average_pool", "count_include_pad", kNaN, "outside its range");
  max = pool("max_pool", 1, 1, 0);
  const auto tall = plan_chain({.h = std::int64_t{1} << 31, .layers = {&max, 1}});
  // Where such an x does not fit into the address space, the error is that of the input.
  CHECK_THAT(tall, Fails(ErrorCode::overflow, sizeof(void*) == 4 ? "x" : "layers[0].x"));
  max = pool("average_pool", 5000, 1, 4999);
  CHECK_THAT(plan_chain({.h = 1, .layers = {&max, 1}}), Fails(ErrorCode::overflow, "layers[0].kh", {"2^24"}));
  CHECK_THAT(plan_chain({.h = 0, .layers = {&max, 1}}), Fails(ErrorCode::invalid_size, "h"));
  CHECK_THAT(plan_chain({.n = -1, .layers = {&max, 1}}), Fails(ErrorCode::invalid_size, "n"));
  const LayerDesc padded{.windows = {.padding = {1, 0, 1, 0}}};
  CHECK_THAT(plan_chain({.h = 0, .w = 0, .layers = {&padded, 1}}), Succeeds());
  CHECK_THAT(plan_chain({.h = -1, .layers = {&padded, 1}}), Fails(ErrorCode::invalid_size, "h"));
  CHECK_THAT(plan_chain({.h = 1}), Fails(ErrorCode::invalid_argument, "layers", {"0 layers"}));
  const std::vector<LayerDesc> many(kMaxLayers + 1, {.kind = "relu"});
  CHECK_THAT(plan_chain({.layers = many}), Fails(ErrorCode::invalid_argument, "layers", {"17 layers"}));
  CHECK_THAT(plan_chain({.layers = std::span(many).first(kMaxLayers)}), Succeeds());
  CHECK_THAT(plan_chain({.layers = std::span(many).first(1)}, {.instruction_set = "mmx"}),
             Fails(ErrorCode::invalid_argument, "instruction_set"));
}

TEST_CASE("a tensor with a wrong length is named with its layer", "[layers]") {
  const std::vector<LayerDesc> layers{{.windows = {.k = 2}}, pool("max_pool", 2, 2, 0)};
  const Chain chain = plan_chain({.h = 4, .w = 4, .layers = layers}).value();
  const auto fails = [&](std::string_view field, auto spoil) {
    ChainValues<float> values(chain);
    spoil(values);
    CHECK_THAT(run_chain(chain, values), Fails(ErrorCode::length_mismatch, field));
  };
  fails("x", [](auto& v) { v.x.pop_back(); });
  fails("dx", [](auto& v) { v.dx.pop_back(); });
  fails("layers[0].w", [](auto& v) { v.layers[0].w.push_back(0); });
  fails("layers[0].b", [](auto& v) { v.layers[0].b.pop_back(); });
  fails("layers[0].y", [](auto& v) { v.layers[0].y.pop_back(); });
  fails("layers[0].dw", [](auto& v) { v.layers[0].dw.pop_back(); });
  fails("layers[0].db", [](auto& v) { v.layers[0].db.pop_back(); });
  fails("layers[1].dy", [](auto& v) { v.layers[1].dy.pop_back(); });
  fails("layers[1].winners", [](auto& v) { v.layers[1].winners.pop_back(); });
  fails("layers", [](auto& v) { v.layers.pop_back(); });
  if (chain.memory().workspace_floats > 0) fails("workspace", [](auto& v) { v.workspace.clear(); });
}

TEST_CASE("backward refuses winners that no forward wrote, before it writes anything", "[layers]") {
  const std::vector<LayerDesc> layers{{.windows = {.k = 2}}, pool("max_pool", 2, 2, 0)};
  const Chain chain = plan_chain({.h = 4, .w = 4, .layers = layers}).value();
  ChainValues<float> values(chain);
  Rng rng(11);
  fill_with_integers(values, rng);
  REQUIRE_THAT(run_chain(chain, values), Succeeds());
  // The x of the pooling layer has 4 * 4 * 2 cells.
  for (const std::int32_t wrong : {-1, 32, std::numeric_limits<std::int32_t>::min(), 1 << 28}) {
    for (const std::size_t at : {std::size_t{0}, values.layers[1].winners.size() - 1}) {
      CAPTURE(wrong, at);
      ChainValues<float> spoiled = values;
      spoiled.layers[1].winners[at] = wrong;
      const ChainValues<float> before = spoiled;
      const Status status = backward(chain, spoiled.tensors(), {.workspace = spoiled.workspace});
      CHECK_THAT(status, Fails(ErrorCode::invalid_argument, "layers[1].winners",
                               {"layers[1] (max_pool)", std::to_string(wrong), "32", "forward"}));
      CHECK(spoiled.dx == before.dx);
      CHECK(spoiled.layers[0].dy == before.layers[0].dy);
      CHECK(spoiled.layers[0].dw == before.layers[0].dw);
    }
  }
  values.layers[1].winners.back() = 31;
  CHECK_THAT(backward(chain, values.tensors(), {.workspace = values.workspace}), Succeeds());
}

TEST_CASE("an enumerator that does not exist is refused by the name of its field", "[layers]") {
  const std::vector<LayerDesc> layers{{.kind = "relu"}, {.windows = {.kh = 2}}};
  const auto plan_with = [&](auto change) {
    ChainDesc desc{.h = 3, .w = 4, .layers = layers};
    ChainOptions options;
    std::vector<LayerDesc> own = layers;
    desc.layers = own;
    change(desc, options, own[1]);
    return plan_chain(desc, options);
  };
  CHECK_THAT(plan_with([](ChainDesc& d, ChainOptions&, LayerDesc&) { d.layout = static_cast<Layout>(2); }),
             Fails(ErrorCode::invalid_argument, "layout", {"layout is 2"}));
  CHECK_THAT(plan_with([](ChainDesc&, ChainOptions& o, LayerDesc&) { o.accuracy = static_cast<Accuracy>(3); }),
             Fails(ErrorCode::invalid_argument, "accuracy", {"accuracy is 3"}));
  CHECK_THAT(plan_with([](ChainDesc&, ChainOptions&, LayerDesc& layer) {
               layer.windows.padding_mode = static_cast<PaddingMode>(4);
             }),
             Fails(ErrorCode::invalid_argument, "layers[1].padding_mode", {"padding_mode is 4"}));
  CHECK_THAT(plan_with([](ChainDesc&, ChainOptions&, LayerDesc& layer) {
               layer = pool("max_pool", 2, 1, 1);
               layer.windows.padding_mode = static_cast<PaddingMode>(-1);
             }),
             Fails(ErrorCode::invalid_argument, "layers[1].padding_mode", {"padding_mode is -1"}));
}
