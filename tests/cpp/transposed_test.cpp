#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "conv2d/transposed.hpp"
#include "support/divided.hpp"
#include "support/environment.hpp"
#include "support/golden.hpp"
#include "support/json.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"
#include "support/transposed.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// 4 x 5 cells to 8 to 9 x 12 to 14 cells.
constexpr transposed::Desc kDesc{.windows = {.n = 2,
                                             .h = 4,
                                             .w = 5,
                                             .c = 4,
                                             .k = 6,
                                             .kh = 4,
                                             .kw = 3,
                                             .stride_h = 2,
                                             .stride_w = 3,
                                             .groups = 2,
                                             .padding = {1, 1, 2, 1}}};

/// kDesc with one change.
template <class Change>
transposed::Desc with(Change change) {
  transposed::Desc desc = kDesc;
  change(desc);
  return desc;
}

std::vector<float> result_of(const transposed::Desc& desc, Pass pass, const TensorValues& t,
                             const PlanOptions& options = {}, const Team& team = {}) {
  const Plan plan = transposed::plan(desc, pass, options).value();
  const TransposedSizes s = sizes_of(desc);
  const std::int64_t sizes[]{s.y_size, s.x_size, s.w_size, desc.windows.k};
  std::vector<float> out(static_cast<std::size_t>(sizes[static_cast<std::size_t>(pass)]));
  std::vector<float> workspace(static_cast<std::size_t>(plan.workspace_floats()));
  REQUIRE_THAT(transposed::run(plan, {.x = t.x, .w = t.w, .b = t.b, .dy = t.dy, .out = out},
                               {.workspace = workspace, .team = team}),
               Succeeds());
  return out;
}

}  // namespace

TEST_CASE("the geometry is that of the convolution that makes x's sizes from y's", "[transposed]") {
  for (const std::int64_t more : {0, 1}) {
    const Geometry g = transposed::resolve(with([&](auto& d) { d.output_padding_h = more; })).value();
    CHECK(g.y_shape() == std::array<std::int64_t, 4>{2, 4, 5, 4});
    CHECK(g.x_shape() == std::array<std::int64_t, 4>{2, 8 + more, 12, 6});
    CHECK(g.w_shape() == std::array<std::int64_t, 4>{4, 3, 3, 4});
    CHECK(g.remainder_h == more);
  }
  const Geometry same =
      transposed::resolve(
          {.windows =
               {.h = 5, .w = 5, .kh = 3, .kw = 1, .stride_h = 2, .stride_w = 3, .padding_mode = PaddingMode::same}})
          .value();
  CHECK(same.h == 10);
  CHECK(same.w == 15);
  const Geometry full =
      transposed::resolve({.windows = {.h = 5, .w = 5, .kh = 3, .kw = 2, .padding_mode = PaddingMode::full}}).value();
  CHECK(full.h == 3);
  CHECK(full.w == 4);
}

TEST_CASE("an invalid description is refused with the field of the transposed convolution", "[transposed]") {
  const auto refused = [](auto change) { return transposed::resolve(with(change)); };
  CHECK_THAT(refused([](auto& d) { d.windows.h = 0; }), Fails(ErrorCode::invalid_size, "h", {"input height is 0"}));
  CHECK_THAT(refused([](auto& d) { d.windows.w = -1; }), Fails(ErrorCode::invalid_size, "w", {"-1"}));
  CHECK_THAT(refused([](auto& d) { d.windows.c = 0; }), Fails(ErrorCode::invalid_size, "c", {"input channels is 0"}));
  CHECK_THAT(refused([](auto& d) { d.windows.k = 0; }), Fails(ErrorCode::invalid_size, "k", {"filters is 0"}));
  CHECK_THAT(refused([](auto& d) { d.windows.c = 3; }),
             Fails(ErrorCode::invalid_groups, "groups", {"do not divide 3 input channels"}));
  CHECK_THAT(refused([](auto& d) { d.windows.k = 5; }),
             Fails(ErrorCode::invalid_groups, "groups", {"do not divide 5 filters"}));
  CHECK_THAT(refused([](auto& d) { d.windows.stride_h = 0; }), Fails(ErrorCode::invalid_stride, "stride_h"));
  CHECK_THAT(refused([](auto& d) { d.windows.padding.left = -1; }), Fails(ErrorCode::invalid_padding, "padding.left"));
  CHECK_THAT(refused([](auto& d) { d.windows.layout = static_cast<Layout>(2); }),
             Fails(ErrorCode::invalid_argument, "layout"));
}

TEST_CASE("the error of an output padding lists the possible sizes", "[transposed]") {
  const auto refused = [](auto change) { return transposed::resolve(with(change)); };
  for (const std::int64_t wrong :
       {std::int64_t{-1}, std::int64_t{2}, kMost, std::numeric_limits<std::int64_t>::min()}) {
    CHECK_THAT(refused([&](auto& d) { d.output_padding_h = wrong; }),
               Fails(ErrorCode::invalid_padding, "output_padding_h", {std::to_string(wrong), "8 to 9 rows"}));
  }
  CHECK_THAT(refused([](auto& d) { d.output_padding_w = 3; }),
             Fails(ErrorCode::invalid_padding, "output_padding_w", {"is 3", "from 0 to 2", "12 to 14 columns"}));
  CHECK_THAT(refused([](auto& d) { d.windows.stride_w = 1, d.output_padding_w = 1; }),
             Fails(ErrorCode::invalid_padding, "output_padding_w", {"from 0 to 0", "can have 4 columns"}));
  CHECK_THAT(refused([](auto& d) { d.windows.padding_mode = PaddingMode::same, d.output_padding_h = 1; }),
             Fails(ErrorCode::invalid_padding, "output_padding_h", {"from 0 to 0", "can have 8 rows"}));
}

TEST_CASE("padding that leaves nothing of y is refused", "[transposed]") {
  CHECK_THAT(transposed::resolve({.windows = {.h = 2, .w = 2, .padding = {1, 1, 0, 0}}}),
             Fails(ErrorCode::invalid_padding, "padding.top", {"takes 2 rows away", "only 2"}));
  CHECK_THAT(transposed::resolve({.windows = {.h = 2, .w = 2, .padding = {0, 0, 9, 1}}}),
             Fails(ErrorCode::invalid_padding, "padding.left", {"takes 10 columns away", "only 2"}));
  CHECK_THAT(transposed::resolve({.windows = {.h = 1, .w = 9, .kh = 3, .padding_mode = PaddingMode::full}}),
             Fails(ErrorCode::invalid_padding, "padding_mode", {"takes 4 rows away", "only 3"}));
}

TEST_CASE("sizes that do not fit are refused by the names of the transposed convolution", "[transposed]") {
  const auto resolved = [](const ConvDesc& windows) { return transposed::resolve({.windows = windows}); };
  const std::int64_t half = std::int64_t{1} << 32, beyond = std::int64_t{1} << 54;
  CHECK_THAT(resolved({.h = half, .stride_h = half}), Fails(ErrorCode::overflow, "h"));
  CHECK_THAT(resolved({.w = 2, .kw = kMost, .dilation_w = 2}), Fails(ErrorCode::overflow, "w"));
  CHECK_THAT(resolved({.h = 2, .w = half, .k = half / 2}), Fails(ErrorCode::overflow, "y", {"y would have"}));
  CHECK_THAT(resolved({.h = half, .w = half, .padding = {half - 1, 0, half - 1, 0}}),
             Fails(ErrorCode::overflow, "x", {"x would have"}));
  CHECK_THAT(resolved({.h = 2, .stride_h = beyond, .padding = {beyond, 0, 0, 0}}),
             Fails(ErrorCode::overflow, "padding", {"y with its padding"}));
  CHECK_THAT(resolved({.kh = beyond, .padding = {beyond - 1, 0, 0, 0}}), Fails(ErrorCode::overflow, "w", {"w would"}));
}

TEST_CASE("property: every algorithm of every pass computes the sums of the definition", "[transposed][kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  for (std::int64_t i = 0; i < set.share_of((property_runs() + 1) / 2); ++i) {
    const std::uint64_t seed = property_seed() + static_cast<std::uint64_t>(i);
    Rng rng(seed);
    const transposed::Desc desc = random_transposed(rng);
    const Data data = rng.one_in(3) ? Data::reals : Data::integers;
    const TensorValues tensors = random_tensors(desc, rng, data);
    INFO("CONV2D_SEED=" << seed << " CONV2D_PROPERTY_RUNS=1");
    REQUIRE_THAT(failures_of_all_algorithms(desc, tensors, oracle(desc, tensors), data), NoFailure());
  }
}

TEST_CASE("500 transposed convolutions have the outputs and gradients of PyTorch", "[transposed][kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  const Json all = golden("transposed.json");
  REQUIRE(all.items().size() == 500);
  for (const Json& json : all.items()) {
    const auto size = [&](const char* name, std::size_t i) { return json.at(name).items()[i].as_int(); };
    const transposed::Desc desc{
        .windows = {.layout = Layout::nchw,
                    .n = size("x", 0),
                    .h = size("x", 2),
                    .w = size("x", 3),
                    .c = size("x", 1),
                    .k = json.at("k").as_int(),
                    .kh = size("window", 0),
                    .kw = size("window", 1),
                    .stride_h = size("stride", 0),
                    .stride_w = size("stride", 1),
                    .dilation_h = size("dilation", 0),
                    .dilation_w = size("dilation", 1),
                    .groups = json.at("groups").as_int(),
                    .padding = {size("padding", 0), size("padding", 1), size("padding", 2), size("padding", 3)}},
        .output_padding_h = size("output_padding", 0),
        .output_padding_w = size("output_padding", 1)};
    const bool exact = json.at("exact").as_bool();
    const auto generated = [&](std::int64_t count, std::int64_t which) {
      auto state = static_cast<std::uint32_t>(4 * json.at("seed").as_int() + which);
      std::vector<float> values(static_cast<std::size_t>(count));
      for (float& value : values) {
        state = 1664525 * state + 1013904223;
        value = exact ? static_cast<float>(static_cast<int>((state >> 16) % 7) - 3)
                      : static_cast<float>(state >> 8) / 8388608.0F - 1;
      }
      return values;
    };
    const Geometry g = transposed::resolve(desc).value();
    const auto shape = g.x_shape();
    for (std::size_t i = 0; i < 4; ++i) CHECK(shape[i] == size("shape", i));
    const TensorValues tensors{.x = generated(g.y_size, 0),
                               .w = generated(g.w_size, 1),
                               .b = generated(json.at("bias").as_bool() ? g.c : 0, 2),
                               .dy = generated(g.x_size, 3)};
    Oracle expected = oracle(desc, tensors);
    for (const auto& [name, result] :
         {std::pair{"y", &expected.y}, {"dx", &expected.dx}, {"dw", &expected.dw}, {"db", &expected.db}}) {
      const auto& stored = json.at(name).items();
      REQUIRE(stored.size() == result->value.size());
      for (std::size_t t = 0; t < stored.size(); ++t) result->value[t] = stored[t].as_double();
    }
    CAPTURE(json.at("seed").as_int());
    const Data data = exact ? Data::integers : Data::reals;
    CHECK_THAT(failures_of_all_algorithms(desc, tensors, expected, data), NoFailure());
    // The comparison rejects one wrong number.
    expected.dw.value.back() += exact ? 1 : 1e-2;
    CHECK_THAT(failures_of_all_algorithms(desc, tensors, expected, data), !NoFailure());
  }
}

TEST_CASE("the node tests of ONNX give their values", "[transposed]") {
  struct Case {
    const char* name;
    ConvDesc windows;
    std::int64_t output_padding_h, output_padding_w;
    std::vector<float> x, w;
    std::vector<double> y;  ///< one channel; the second one is the same
  };
  const std::vector<float> kCount{0, 1, 2, 3, 4, 5, 6, 7, 8}, kOnes(18, 1);
  const Case cases[]{
      {"test_convtranspose", {.k = 2, .kh = 3, .kw = 3}, 0, 0, kCount, kOnes, {0,  1,  3,  3,  2,  3,  8, 15, 12,
                                                                               7,  9,  21, 36, 27, 15, 9, 20, 33,
                                                                               24, 13, 6,  13, 21, 15, 8}},
      {"test_convtranspose_pad",
       {.k = 2, .kh = 3, .kw = 3, .stride_h = 3, .stride_w = 2},
       1,
       1,
       kCount,
       kOnes,
       {0, 0, 1, 1, 3,  2, 2,  0, 0, 0, 1, 1, 3,  2, 2,  0, 0, 0, 1, 1, 3, 2, 2, 0,  3, 3,  7,
        4, 9, 5, 5, 0,  3, 3,  7, 4, 9, 5, 5, 0,  3, 3,  7, 4, 9, 5, 5, 0, 6, 6, 13, 7, 15, 8,
        8, 0, 6, 6, 13, 7, 15, 8, 8, 0, 6, 6, 13, 7, 15, 8, 8, 0, 0, 0, 0, 0, 0, 0,  0, 0}},
      {"test_convtranspose_pads",
       {.k = 2, .kh = 3, .kw = 3, .stride_h = 3, .stride_w = 2, .padding = {1, 1, 2, 2}},
       0,
       0,
       kCount,
       kOnes,
       {1, 1, 3, 1, 1, 3, 7, 4, 9, 7, 4, 9, 7, 4, 9, 13, 7, 15, 13, 7, 15}}};
  for (Case test : cases) {
    CAPTURE(test.name);
    test.windows.layout = Layout::nchw;
    test.windows.h = test.windows.w = 3;
    std::vector<double> both = test.y;
    both.insert(both.end(), test.y.begin(), test.y.end());
    const transposed::Desc desc{test.windows, test.output_padding_h, test.output_padding_w};
    CHECK_THAT(result_of(desc, Pass::forward, {.x = test.x, .w = test.w}), Equals(both));
  }
}

TEST_CASE("an output padding makes rows like any other, not zeros", "[transposed]") {
  // A 1 x 1 kernel and stride 2: the odd rows and columns have no product, and b.
  const transposed::Desc desc{
      .windows = {.h = 1, .w = 2, .stride_h = 2, .stride_w = 2}, .output_padding_h = 1, .output_padding_w = 1};
  CHECK_THAT(result_of(desc, Pass::forward, {.x = {3, 4}, .w = {10}, .b = {0.5F}}),
             Equals(std::vector<float>{30.5F, 0.5F, 40.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F}));
  // A kernel of 3 rows, of which the padding takes the last one away: the output padding brings it back.
  const transposed::Desc tall{.windows = {.h = 1, .kh = 3, .stride_h = 2, .padding = {0, 1, 0, 0}},
                              .output_padding_h = 1};
  CHECK_THAT(result_of(tall, Pass::forward, {.x = {2}, .w = {1, 2, 3}}), Equals(std::vector<float>{2, 4, 6}));
}

TEST_CASE("packed weights and threads change no bit", "[transposed][kernels]") {
  const transposed::Desc desc{
      .windows = {.n = 2, .h = 9, .w = 8, .c = 20, .k = 12, .kh = 3, .kw = 4, .stride_h = 2, .stride_w = 2}};
  Rng rng(11);
  TensorValues tensors = random_tensors(desc, rng, Data::reals);
  tensors.b.assign(12, 0.125F);
  for (const Pass pass : kPasses) {
    const std::vector<float> expected = result_of(desc, pass, tensors);
    CHECK_THAT(result_of(desc, pass, tensors, {.threads = 3, .macs_per_thread = 0}, reversed_team()),
               HasBitsOf(expected));
    const Plan plan = transposed::plan(desc, pass, {.packed_weights = true}).value();
    if (plan.packed_floats() == 0) continue;
    std::vector<float> packed(static_cast<std::size_t>(plan.packed_floats())), out(expected.size()),
        workspace(static_cast<std::size_t>(plan.workspace_floats()));
    REQUIRE_THAT(pack_weights(plan, tensors.w, packed), Succeeds());
    REQUIRE_THAT(transposed::run(plan, {.x = tensors.x, .packed = packed, .b = tensors.b, .dy = tensors.dy, .out = out},
                                 {.workspace = workspace}),
                 Succeeds());
    const Plan same = transposed::plan(desc, pass, {.algorithm = plan.algorithm()}).value();
    CHECK_THAT(result_of(desc, pass, tensors, {.algorithm = same.algorithm()}), HasBitsOf(out));
  }
}

TEST_CASE("only dw and db accumulate", "[transposed]") {
  Rng rng(3);
  const TensorValues tensors = random_tensors(kDesc, rng, Data::integers);
  for (const Pass pass : kPasses) {
    const Result<Plan> plan = transposed::plan(kDesc, pass, {.accumulate = true});
    if (pass == Pass::forward || pass == Pass::backward_data) {
      CHECK_THAT(plan, Fails(ErrorCode::unsupported, "accumulate", {to_string(pass)}));
      continue;
    }
    std::vector<float> expected = result_of(kDesc, pass, tensors);
    std::vector<float> out(expected.size(), 100), workspace(static_cast<std::size_t>(plan->workspace_floats()));
    for (float& value : expected) value += 100;
    REQUIRE_THAT(transposed::run(*plan, {.x = tensors.x, .dy = tensors.dy, .out = out}, {.workspace = workspace}),
                 Succeeds());
    CHECK_THAT(out, Equals(expected));
  }
  CHECK_THAT(transposed::plan(kDesc, static_cast<Pass>(4)), Fails(ErrorCode::invalid_argument, "pass"));
}

TEST_CASE("a tensor of the wrong length is refused by its name in the transposed convolution", "[transposed]") {
  Rng rng(4);
  TensorValues right = random_tensors(kDesc, rng, Data::integers);
  right.b.assign(6, 1);
  const std::vector<float> TensorValues::*const members[]{&TensorValues::x, &TensorValues::w, &TensorValues::b,
                                                          &TensorValues::dy};
  const char* const names[]{"x", "w", "b", "dy"};
  const bool used[4][4] = {
      {true, true, true, false}, {false, true, false, true}, {true, false, false, true}, {false, false, false, true}};
  for (const Pass pass : kPasses) {
    const Plan plan = transposed::plan(kDesc, pass).value();
    const std::size_t of_pass = static_cast<std::size_t>(pass);
    std::vector<float> out(result_of(kDesc, pass, right).size(), 7),
        workspace(static_cast<std::size_t>(plan.workspace_floats()));
    const auto run = [&](const TensorValues& t, std::span<float> to) {
      return transposed::run(plan, {.x = t.x, .w = t.w, .b = t.b, .dy = t.dy, .out = to}, {.workspace = workspace});
    };
    for (std::size_t i = 0; i < 4; ++i) {
      if (!used[of_pass][i]) continue;
      TensorValues wrong = right;
      const std::vector<float>& original = right.*members[i];
      const std::size_t length = original.size();
      auto& changed = i == 0 ? wrong.x : i == 1 ? wrong.w : i == 2 ? wrong.b : wrong.dy;
      changed.resize(length + 1);
      CHECK_THAT(run(wrong, out),
                 Fails(ErrorCode::length_mismatch, names[i], {std::to_string(length), std::to_string(length + 1)}));
    }
    const char* const out_names[]{"y", "dx", "dw", "db"};
    CHECK_THAT(run(right, std::span(out).first(out.size() - 1)),
               Fails(ErrorCode::length_mismatch, out_names[of_pass], {std::to_string(out.size())}));
    CHECK_THAT(out, Equals(std::vector<float>(out.size(), 7)));
  }
}

TEST_CASE("memory that overlaps is refused by its name in the transposed convolution", "[transposed]") {
  const TransposedSizes s = sizes_of(kDesc);
  std::vector<float> floats(static_cast<std::size_t>(s.x_size + s.w_size + s.y_size + 6));
  const std::span<float> all(floats);
  const auto first = [&](std::int64_t size) { return all.first(static_cast<std::size_t>(size)); };
  std::vector<float> x(first(s.x_size).size()), w(first(s.w_size).size()), y(first(s.y_size).size());
  const auto refused = [&](Pass pass, const Tensors& tensors) {
    const Plan plan = transposed::plan(kDesc, pass).value();
    std::vector<float> workspace(static_cast<std::size_t>(plan.workspace_floats()));
    return transposed::run(plan, tensors, {.workspace = workspace});
  };
  CHECK_THAT(refused(Pass::forward, {.x = first(s.x_size), .w = w, .out = first(s.y_size)}),
             Fails(ErrorCode::invalid_argument, "y", {"y overlaps x"}));
  CHECK_THAT(refused(Pass::forward, {.x = x, .w = w, .b = first(6), .out = first(s.y_size)}),
             Fails(ErrorCode::invalid_argument, "y", {"y overlaps b"}));
  CHECK_THAT(refused(Pass::backward_data, {.w = w, .dy = first(s.y_size), .out = first(s.x_size)}),
             Fails(ErrorCode::invalid_argument, "dx", {"dx overlaps dy"}));
  CHECK_THAT(refused(Pass::backward_weights, {.x = first(s.x_size), .dy = y, .out = first(s.w_size)}),
             Fails(ErrorCode::invalid_argument, "dw", {"dw overlaps x"}));
  CHECK_THAT(refused(Pass::backward_bias, {.dy = first(s.y_size), .out = first(6)}),
             Fails(ErrorCode::invalid_argument, "db", {"db overlaps dy"}));
  // The workspace, and a bias in it.
  const Plan plan = transposed::plan(kDesc, Pass::forward).value();
  std::vector<float> workspace(static_cast<std::size_t>(plan.workspace_floats()) + 6);
  CHECK_THAT(
      transposed::run(plan, {.x = x, .w = w, .b = std::span(workspace).first(6), .out = y}, {.workspace = workspace}),
      Fails(ErrorCode::invalid_argument, "workspace", {"workspace overlaps b"}));
}

TEST_CASE("an empty batch, a canceled run and a workspace that is too small", "[transposed]") {
  const transposed::Desc empty = with([](auto& d) { d.windows.n = 0; });
  CHECK(result_of(empty, Pass::forward, {.w = std::vector<float>(144), .b = std::vector<float>(6, 1)}).empty());
  CHECK_THAT(result_of(empty, Pass::backward_bias, {}), Equals(std::vector<float>(6, 0)));

  Rng rng(5);
  TensorValues t = random_tensors(kDesc, rng, Data::integers);
  const Plan plan = transposed::plan(kDesc, Pass::forward, {.algorithm = "col2im"}).value();
  std::vector<float> out(static_cast<std::size_t>(plan.geometry().x_size)),
      workspace(static_cast<std::size_t>(plan.workspace_floats()));
  const auto run = [&](const Resources& resources) {
    return transposed::run(plan, {.x = t.x, .w = t.w, .b = t.b, .out = out}, resources);
  };
  const ProgressHook stop{.step = [](void*, std::int64_t, std::int64_t) noexcept { return false; }};
  CHECK_THAT(run({.workspace = workspace, .progress = stop}), Fails(ErrorCode::cancelled));
  REQUIRE(!workspace.empty());
  CHECK_THAT(run({.workspace = std::span(workspace).subspan(1)}), Fails(ErrorCode::length_mismatch, "workspace"));
}
