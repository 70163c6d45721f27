#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "layers/chain_values.hpp"
#include "support/environment.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

const Pass kAll[]{Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias};

ChainDesc one(const LayerDesc& layer) {
  const ConvDesc& d = layer.windows;
  return {.layout = d.layout, .n = d.n, .h = d.h, .w = d.w, .c = d.c, .layers = {&layer, 1}};
}

std::vector<float>& result_of(ChainValues<float>& values, Pass pass) {
  auto& layer = values.layers.front();
  std::vector<float>* const results[]{&layer.y, &values.dx, &layer.dw, &layer.db};
  return *results[static_cast<std::size_t>(pass)];
}

Status run_pass_of(const Chain& chain, std::size_t i, Pass pass, ChainValues<float>& values) {
  return run_pass(chain, i, pass, values.tensors(), {.workspace = values.workspace});
}

/// Convolutions that Winograd F(4x4, 3x3) runs fastest, around a layer without weights.
std::vector<LayerDesc> around(const LayerDesc& middle) {
  const LayerDesc conv{.windows = {.k = 32, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}}};
  return {conv, middle, conv};
}
constexpr ChainDesc kWide{.h = 32, .w = 32, .c = 32};

ChainDesc wide(const std::vector<LayerDesc>& layers) {
  ChainDesc desc = kWide;
  desc.layers = layers;
  return desc;
}

}  // namespace

TEST_CASE("a chain of one convolution has the bits of its plans, for every pass and algorithm", "[layers]") {
  Rng rng(property_seed());
  int runs = 0;
  for (int turn = 0; turn < 60; ++turn) {
    const RandomProblem problem = random_integer_problem(rng);
    const TensorValues t = real_tensors(problem.desc, problem.sizes, rng);
    const LayerDesc layer{.windows = problem.desc};
    const Geometry g = resolve(problem.desc).value();
    for (const Pass pass : kAll) {
      std::vector<std::string> names{""};
      for (const AlgorithmInfo& info : algorithms(g, pass)) {
        if (info.supported) names.emplace_back(info.name);
      }
      for (const std::string& name : names) {
        CAPTURE(turn, conv2d::test::to_string(problem.desc), std::string(to_string(pass)), name);
        for (const bool packed : {false, true}) {
          const Plan alone = plan(g, pass, {.algorithm = name, .packed_weights = packed}).value();
          std::vector<float> expected(static_cast<std::size_t>(g.result_size(pass)));
          std::vector<float> workspace(static_cast<std::size_t>(alone.workspace_floats()));
          REQUIRE_THAT(
              run(alone, {.x = t.x, .w = t.w, .b = t.b, .dy = t.dy, .out = expected}, {.workspace = workspace}),
              Succeeds());
          const LayerAlgorithm forced{.pass = pass, .name = name};
          const Chain chain = plan_chain(one(layer), {.packed_weights = packed, .algorithms = {&forced, 1}}).value();
          REQUIRE(chain.algorithm(0, pass) == alone.algorithm());
          ChainValues<float> values(chain);
          values.x = t.x;
          values.layers[0].w = t.w;
          values.layers[0].b = t.b;
          values.layers[0].dy = t.dy;
          REQUIRE_THAT(run_pass_of(chain, 0, pass, values), Succeeds());
          CHECK_THAT(result_of(values, pass), HasBitsOf(expected));
          ++runs;
        }
      }
    }
  }
  CHECK(runs > 1000);
}

TEST_CASE("the passes of all layers, one by one, have the bits of forward and backward", "[layers]") {
  Rng rng(property_seed());
  for (int turn = 0; turn < 60; ++turn) {
    const RandomChain random(rng, kLayouts[turn % 2], false);
    const Chain chain = plan_chain(random.desc).value();
    ChainValues<float> whole(chain);
    whole.fill([&] { return rng.real(); });
    ChainValues<float> single = whole;
    REQUIRE_THAT(run_chain(chain, whole), Succeeds());
    for (std::size_t i = 0; i < chain.size(); ++i) {
      REQUIRE_THAT(run_pass_of(chain, i, Pass::forward, single), Succeeds());
    }
    for (std::size_t i = chain.size(); i > 0; --i) {
      const bool has_weights = chain.layer(i - 1).w_size > 0;
      for (const Pass pass : {Pass::backward_data, Pass::backward_weights, Pass::backward_bias}) {
        if (pass != Pass::backward_data && !has_weights) continue;
        REQUIRE_THAT(run_pass_of(chain, i - 1, pass, single), Succeeds());
      }
    }
    CAPTURE(turn, chain.size());
    CHECK_THAT(single.dx, HasBitsOf(whole.dx));
    for (std::size_t i = 0; i < chain.size(); ++i) {
      CHECK_THAT(single.layers[i].y, HasBitsOf(whole.layers[i].y));
      CHECK_THAT(single.layers[i].dy, HasBitsOf(whole.layers[i].dy));
      CHECK_THAT(single.layers[i].dw, HasBitsOf(whole.layers[i].dw));
      CHECK_THAT(single.layers[i].db, HasBitsOf(whole.layers[i].db));
      CHECK(single.layers[i].winners == whole.layers[i].winners);
    }
  }
}

TEST_CASE("a pass reads the operands that it names, and no others", "[layers]") {
  for (const LayerDesc& layer :
       {LayerDesc{.windows = {.k = 2, .kh = 2}}, LayerDesc{.kind = "relu"},
        LayerDesc{.kind = "max_pool", .windows = {.kh = 2}}, LayerDesc{.kind = "average_pool", .windows = {.kh = 2}}}) {
    const Chain chain = plan_chain({.h = 4, .w = 3, .c = 2, .layers = {&layer, 1}}).value();
    ChainValues<float> all(chain);
    Rng rng(7);
    all.fill([&] { return rng.real(); });
    REQUIRE_THAT(run_chain(chain, all), Succeeds());
    for (const Pass pass : kAll) {
      const Operands reads = operands_of(layer.kind, pass);
      if (!reads.x && !reads.dy) continue;  // there is no such pass
      CAPTURE(std::string(layer.kind), std::string(to_string(pass)));
      const auto without = [&](bool is_read, auto remove) {
        ChainValues<float> less = all;
        remove(less);
        const Status status = run_pass_of(chain, 0, pass, less);
        CHECK(status.ok() == !is_read);
        if (status.ok()) CHECK_THAT(result_of(less, pass), HasBitsOf(result_of(all, pass)));
      };
      without(reads.x, [](auto& v) { v.x.clear(); });
      without(reads.w, [](auto& v) { v.layers[0].w.clear(); });
      without(reads.b, [](auto& v) { v.layers[0].b.resize(v.layers[0].b.size() + 1); });
      without(reads.dy, [](auto& v) { v.layers[0].dy.clear(); });
      if (pass != Pass::forward) without(reads.winners, [](auto& v) { v.layers[0].winners.assign(1, -1); });
    }
  }
}

TEST_CASE("forward is strict before the last ReLU, maximum or loss with a kink, and all else fast", "[layers]") {
  const auto mixes = [](const Chain& chain, std::size_t layer, Pass pass) {
    return chain.algorithm(layer, pass).find("winograd") != std::string_view::npos;
  };
  const std::vector<LayerDesc> relu = around({.kind = "relu"});
  const std::vector<LayerDesc> maximum = around({.kind = "max_pool"});
  const std::vector<LayerDesc> average = around({.kind = "average_pool"});
  for (const bool is_bent : {true, false}) {
    for (const auto& layers :
         is_bent ? std::vector<std::vector<LayerDesc>>{relu, maximum} : std::vector<std::vector<LayerDesc>>{average}) {
      const Chain chain = plan_chain(wide(layers)).value();
      CAPTURE(std::string(layers[1].kind));
      CHECK(mixes(chain, 0, Pass::forward) != is_bent);
      CHECK(mixes(chain, 2, Pass::forward));
      for (const std::size_t i : {0, 2}) {
        for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
          const bool strict = is_bent && i == 0 && pass == Pass::forward;
          const Plan alone =
              plan(chain.layer(i).geometry, pass, {.accuracy = strict ? Accuracy::strict : Accuracy::fast}).value();
          CHECK(chain.algorithm(i, pass) == alone.algorithm());
        }
      }
    }
  }
  // The absolute error has a kink at its target.
  const Chain kinked = plan_chain(wide(average), {.loss = "absolute_error"}).value();
  for (const std::size_t i : {0, 2}) {
    CHECK(!mixes(kinked, i, Pass::forward));
    CHECK(kinked.algorithm(i, Pass::backward_data) == plan_chain(wide(average))->algorithm(i, Pass::backward_data));
  }
  CHECK(mixes(plan_chain(wide(average), {.loss = "mse"}).value(), 2, Pass::forward));
  CHECK_THAT(plan_chain(wide(average), {.loss = "huber"}),
             Fails(ErrorCode::invalid_argument, "loss", {"no such loss"}));
  // One accuracy for all, and an algorithm that is asked for.
  const Chain strict = plan_chain(wide(relu), {.accuracy = Accuracy::strict}).value();
  CHECK(!mixes(strict, 2, Pass::forward));
  CHECK(!mixes(strict, 2, Pass::backward_data));
  const Chain fast = plan_chain(wide(relu), {.accuracy = Accuracy::fast}).value();
  CHECK(mixes(fast, 0, Pass::forward));
  const LayerAlgorithm forced{.layer = 0, .pass = Pass::forward, .name = "winograd_4x4"};
  CHECK(plan_chain(wide(relu), {.algorithms = {&forced, 1}})->algorithm(0, Pass::forward) == "winograd_4x4");
  CHECK_THAT(plan_chain(wide(relu), {.accuracy = Accuracy::strict, .algorithms = {&forced, 1}}),
             Fails(ErrorCode::unsupported, "layers[0].algorithm", {"layers[0] (conv)", "accuracy"}));
}

TEST_CASE("another algorithm for one pass keeps all other plans", "[layers]") {
  const std::vector<LayerDesc> layers = around({.kind = "relu"});
  const Chain chain = plan_chain(wide(layers), {.packed_weights = true}).value();
  const Chain other = with_algorithm(chain, {.layer = 2, .pass = Pass::backward_data, .name = "col2im"}).value();
  CHECK(other.algorithm(2, Pass::backward_data) == "col2im");
  CHECK(other.memory().workspace_floats >= other.plan(2, Pass::backward_data)->workspace_floats());
  for (const std::size_t i : {0, 2}) {
    for (const Pass pass : kAll) {
      if (i == 2 && pass == Pass::backward_data) continue;
      CHECK(other.algorithm(i, pass) == chain.algorithm(i, pass));
    }
  }
  const Chain back = with_algorithm(other, {.layer = 2, .pass = Pass::backward_data, .name = {}}).value();
  CHECK(back.algorithm(2, Pass::backward_data) == chain.algorithm(2, Pass::backward_data));
  CHECK(back.memory().workspace_floats == chain.memory().workspace_floats);
  CHECK_THAT(with_algorithm(chain, {.layer = 0, .pass = Pass::forward, .name = "wishful"}),
             Fails(ErrorCode::unknown_algorithm, "layers[0].algorithm"));
  for (const std::size_t layer : {1, 3}) {
    CHECK_THAT(with_algorithm(chain, {.layer = layer, .name = "direct"}),
               Fails(ErrorCode::invalid_argument, "algorithms"));
  }
  CHECK_THAT(with_algorithm(chain, {.pass = static_cast<Pass>(4), .name = {}}),
             Fails(ErrorCode::invalid_argument, "algorithms"));
}

TEST_CASE("packed weights of a layer are read in place of w", "[layers]") {
  const std::vector<LayerDesc> layers{{.kind = "relu"}, {.windows = {.k = 10, .kh = 3, .kw = 3}}};
  const LayerAlgorithm forced[]{{.layer = 1, .pass = Pass::forward, .name = "implicit_gemm"},
                                {.layer = 1, .pass = Pass::backward_data, .name = "implicit_gemm"}};
  const Chain chain = plan_chain({.h = 9, .w = 8, .c = 6, .layers = layers}, {.algorithms = forced}).value();
  ChainValues<float> values(chain);
  Rng rng(3);
  values.fill([&] { return rng.real(); });
  ChainValues<float> expected = values;
  REQUIRE_THAT(run_chain(chain, expected), Succeeds());
  std::vector<std::vector<float>> packed;
  for (const LayerAlgorithm& each : forced) {
    const Plan& plan = *chain.plan(1, each.pass);
    REQUIRE(plan.packed_floats() > 0);
    packed.emplace_back(static_cast<std::size_t>(plan.packed_floats()));
    REQUIRE_THAT(pack_weights(plan, values.layers[1].w, packed.back()), Succeeds());
  }
  (void)values.tensors();
  values.spans[1].packed = packed[0];
  values.spans[1].packed_backward = packed[1];
  const ChainTensors<float> tensors{.x = values.x, .dx = values.dx, .layers = values.spans};
  std::ranges::fill(values.layers[1].w, std::numeric_limits<float>::quiet_NaN());
  REQUIRE_THAT(forward(chain, tensors, {.workspace = values.workspace}), Succeeds());
  REQUIRE_THAT(backward(chain, tensors, {.workspace = values.workspace}), Succeeds());
  CHECK_THAT(values.layers[1].y, HasBitsOf(expected.layers[1].y));
  CHECK_THAT(values.dx, HasBitsOf(expected.dx));
  // Those of another pass are refused.
  values.spans[1].packed = packed[1];
  CHECK_THAT(run_pass(chain, 1, Pass::forward, tensors, {.workspace = values.workspace}),
             Fails(ErrorCode::length_mismatch, "layers[1].packed"));
}

TEST_CASE("a pass that a chain cannot run is refused by name", "[layers]") {
  const std::vector<LayerDesc> layers{{.windows = {.k = 2}}, {.kind = "average_pool", .windows = {.kh = 2}}};
  const Chain chain = plan_chain({.h = 4, .w = 4, .layers = layers}).value();
  ChainValues<float> values(chain);
  CHECK_THAT(run_pass_of(chain, 2, Pass::forward, values), Fails(ErrorCode::invalid_argument, "layer", {"2 layers"}));
  CHECK_THAT(run_pass_of(chain, 0, static_cast<Pass>(4), values), Fails(ErrorCode::invalid_argument, "pass"));
  for (const Pass pass : {Pass::backward_weights, Pass::backward_bias}) {
    CHECK_THAT(run_pass_of(chain, 1, pass, values), Fails(ErrorCode::unsupported, "layers[1]", {"no backward"}));
  }
  ChainValues<float> fewer = values;
  fewer.layers.pop_back();
  CHECK_THAT(run_pass_of(chain, 0, Pass::forward, fewer), Fails(ErrorCode::length_mismatch, "layers"));
  ChainValues<float> shorter = values;
  shorter.layers[0].y.pop_back();
  CHECK_THAT(run_pass_of(chain, 0, Pass::forward, shorter), Fails(ErrorCode::length_mismatch, "layers[0].y"));
  CHECK_THAT(run_pass_of(chain, 1, Pass::forward, shorter), Fails(ErrorCode::length_mismatch, "layers[1].x"));
  shorter = values;
  shorter.workspace.clear();
  CHECK_THAT(run_pass_of(chain, 1, Pass::backward_data, shorter),
             Fails(ErrorCode::length_mismatch, "layers[1].workspace"));
}

TEST_CASE("a chain that is only resolved has the sizes of one that is planned", "[layers]") {
  Rng rng(property_seed());
  for (int turn = 0; turn < 100; ++turn) {
    const RandomChain random(rng, kLayouts[turn % 2], false);
    const auto resolved = resolve_chain(random.desc).value();
    const Chain chain = plan_chain(random.desc).value();
    REQUIRE(resolved.size() == chain.size());
    REQUIRE(chain.layers().size() == chain.size());
    for (std::size_t i = 0; i < chain.size(); ++i) {
      CHECK(resolved[i].geometry == chain.layer(i).geometry);
      CHECK(&chain.layers()[i] == &chain.layer(i));
      CHECK(resolved[i].w_size == chain.layer(i).w_size);
      CHECK(resolved[i].winners_size == chain.layer(i).winners_size);
    }
  }
}
