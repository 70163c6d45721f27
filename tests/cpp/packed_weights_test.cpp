#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <set>
#include <string>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "support/compare.hpp"
#include "support/divided.hpp"
#include "support/environment.hpp"
#include "support/kernel_sets.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

/// Runs every algorithm that packs, with one thread and several; returns those that differ in bits from a run with w.
Failures failures_when_packed(const ConvDesc& d, const TensorValues& tensors, std::set<std::string>& packs) {
  Failures failures;
  for (const Pass pass : {Pass::forward, Pass::backward_data}) {
    for (const AlgorithmInfo& info : algorithms(resolve(d).value(), pass)) {
      if (!info.supported) continue;
      const Plan one = plan(d, pass, {.algorithm = info.name}).value();
      if (one.packed_floats() == 0) continue;
      const std::string name = std::string(to_string(pass)).append(" ").append(info.name);
      packs.insert(name);
      const Outcome expected = run(one, tensors);
      for (const int threads : {1, 2, 3}) {
        const Plan planned = plan(d, pass, {.algorithm = info.name, .threads = threads, .macs_per_thread = 0}).value();
        const Outcome got = run_packed(planned, tensors, reversed_team());
        if (!got.status.ok()) failures.add(std::string(got.status.message), to_string(d), name);
        failures.add(got.stray_write, to_string(d), name);
        failures.add(difference_of_bits(got.out, expected.out), to_string(d), name);
      }
    }
  }
  return failures;
}

constexpr ConvDesc kSmall{.h = 6, .w = 5, .c = 5, .k = 7, .kh = 3, .kw = 2};

}  // namespace

TEST_CASE("property: packed weights give the same bits, and w is not read", "[kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  std::set<std::string> packs;
  for (std::int64_t i = 0; i < set.share_of((property_runs() + 3) / 4); ++i) {
    const std::uint64_t seed = property_seed() + static_cast<std::uint64_t>(i);
    Rng rng(seed);
    const RandomProblem p = random_real_problem(rng);
    INFO("CONV2D_SEED=" << seed << " CONV2D_PROPERTY_RUNS=1");
    REQUIRE_THAT(failures_when_packed(p.desc, p.tensors, packs), NoFailure());
  }
}

TEST_CASE("wide, shallow and strided products read packed weights at their offsets", "[kernels]") {
  const KernelSetScope set(GENERATE(from_range(kernel_sets())));
  INFO("kernels of " << set.name());
  Rng rng(4);
  std::set<std::string> packs;
  for (const ConvDesc& d :
       {ConvDesc{.n = 2, .h = 7, .w = 9, .c = 40, .k = 84, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}},
        // Several blocks of tiles: the weights of all panels are kept.
        ConvDesc{.n = 2, .h = 30, .w = 33, .c = 130, .k = 19, .kh = 3, .kw = 3},
        ConvDesc{.h = 30, .w = 41, .c = 6, .k = 22, .kh = 4, .kw = 7, .stride_h = 3, .stride_w = 2},
        ConvDesc{.n = 3, .h = 9, .w = 8, .c = 24, .k = 2, .kh = 5, .kw = 3, .stride_w = 5},
        ConvDesc{.h = 30, .w = 30, .c = 40, .k = 60, .kh = 2, .kw = 3, .groups = 5}}) {
    CHECK_THAT(failures_when_packed(d, real_tensors(d, *sizes_of(d), rng), packs), NoFailure());
  }
  CHECK(packs == std::set<std::string>{"backward_data implicit_gemm", "backward_data winograd_2x2",
                                       "backward_data winograd_4x4", "forward implicit_gemm", "forward winograd_2x2",
                                       "forward winograd_4x4"});
}

TEST_CASE("packed weights of a wrong length are refused by name") {
  const Plan planned = plan(kSmall, Pass::forward, {.algorithm = "implicit_gemm"}).value();
  const Plan direct = plan(kSmall, Pass::forward, {.algorithm = "direct"}).value();
  REQUIRE(planned.packed_floats() > 0);
  REQUIRE(direct.packed_floats() == 0);
  const Geometry& g = planned.geometry();
  const std::vector<float> x(static_cast<std::size_t>(g.x_size)), w(static_cast<std::size_t>(g.w_size));
  std::vector<float> y(static_cast<std::size_t>(g.y_size));
  std::vector<float> workspace(static_cast<std::size_t>(planned.workspace_floats()));
  std::vector<float> packed(static_cast<std::size_t>(planned.packed_floats()));
  const auto refused = [](const Status& status, ErrorCode code, std::string_view field) {
    CAPTURE(status.message);
    CHECK_THAT(status, Fails(code, field));
  };
  CHECK_THAT(pack_weights(planned, w, packed), Succeeds());
  CHECK_THAT(run(planned, {.x = x, .packed = packed, .out = y}, {.workspace = workspace}), Succeeds());
  refused(pack_weights(direct, w, packed), ErrorCode::unsupported, "packed");
  refused(run(direct, {.x = x, .packed = packed, .out = y}, {.workspace = workspace}), ErrorCode::unsupported,
          "packed");
  refused(pack_weights(planned, x, packed), ErrorCode::length_mismatch, "w");
  packed.pop_back();
  refused(pack_weights(planned, w, packed), ErrorCode::length_mismatch, "packed");
  refused(run(planned, {.x = x, .packed = packed, .out = y}, {.workspace = workspace}), ErrorCode::length_mismatch,
          "packed");
}

namespace {

/// Runs `planned` with the weights that `packer` packed. The run must be refused with `words` before it writes
/// anything.
void check_foreign(const Plan& planned, const Plan& packer, const std::vector<std::string_view>& words) {
  const Geometry& g = planned.geometry();
  const std::vector<float> x(static_cast<std::size_t>(g.x_size), 1), w(static_cast<std::size_t>(g.w_size), 1);
  const std::vector<float> dy(static_cast<std::size_t>(g.y_size), 1);
  std::vector<float> workspace(static_cast<std::size_t>(planned.workspace_floats()));
  std::vector<float> packed(static_cast<std::size_t>(packer.packed_floats()));
  std::vector<float> out(out_size(g, planned.pass()), 7);
  // The lengths are equal; otherwise the length alone would be refused.
  REQUIRE(packer.packed_floats() == planned.packed_floats());
  REQUIRE(pack_weights(packer, w, packed).ok());
  const auto run_with = [&](std::span<const float> weights) {
    return run(planned, {.x = x, .packed = weights, .dy = dy, .out = out}, {.workspace = workspace});
  };
  const Status status = run_with(packed);
  CAPTURE(status.message);
  for (const std::string_view word : words) {
    CHECK_THAT(status, Fails(ErrorCode::invalid_argument, "packed", {word}));
  }
  CHECK_THAT(out, Equals(std::vector<float>(out.size(), 7)));
  // A copy of the packed weights is accepted like the original.
  REQUIRE(pack_weights(planned, w, packed).ok());
  const std::vector<float> copied = packed;
  CHECK_THAT(run_with(copied), Succeeds());
}

}  // namespace

TEST_CASE("packed weights of another instruction set are refused, naming both", "[kernels]") {
  // 64 filters fill whole registers of every set: all sets need equally many floats, in different orders.
  constexpr ConvDesc kWide{.h = 8, .w = 8, .c = 16, .k = 64, .kh = 3, .kw = 3};
  const auto planned_on = [&](const std::string& name, Pass pass) {
    const KernelSetScope set(name);
    return plan(kWide, pass, {.algorithm = "implicit_gemm"}).value();
  };
  const std::vector<std::string> sets = kernel_sets();
  if (sets.size() < 2) SKIP("one instruction set");
  for (const std::string& one : sets) {
    for (const std::string& other : sets) {
      if (one == other) continue;
      check_foreign(planned_on(one, Pass::forward), planned_on(other, Pass::forward), {"on " + one, "on " + other});
    }
  }
}

TEST_CASE("packed weights of another pass or geometry, or not packed at all, are refused, naming both") {
  // Equal numbers of channels and filters: both passes pack equally many floats.
  constexpr ConvDesc kSquare{.h = 9, .w = 9, .c = 16, .k = 16, .kh = 3, .kw = 3};
  ConvDesc row_kernel = kSquare, padded = kSquare;
  row_kernel.kh = 1;
  row_kernel.kw = 9;
  padded.padding = {1, 1, 1, 1};
  const auto planned = [](const ConvDesc& d, Pass pass) {
    return plan(d, pass, {.algorithm = "implicit_gemm"}).value();
  };
  const Plan forwards = planned(kSquare, Pass::forward);
  check_foreign(forwards, planned(kSquare, Pass::backward_data), {"backward_data by implicit_gemm", "forward by"});
  check_foreign(planned(kSquare, Pass::backward_data), forwards, {"forward by implicit_gemm", "backward_data by"});
  check_foreign(forwards, planned(row_kernel, Pass::forward), {"kh 1", "kh 3"});
  check_foreign(forwards, planned(padded, Pass::forward), {"padding.top 1", "padding.top 0"});

  const Geometry& g = forwards.geometry();
  const std::vector<float> x(static_cast<std::size_t>(g.x_size));
  const std::vector<float> packed(static_cast<std::size_t>(forwards.packed_floats()), 1);
  std::vector<float> y(static_cast<std::size_t>(g.y_size));
  std::vector<float> workspace(static_cast<std::size_t>(forwards.workspace_floats()));
  CHECK_THAT(run(forwards, {.x = x, .packed = packed, .out = y}, {.workspace = workspace}),
             Fails(ErrorCode::invalid_argument, "packed", {"pack_weights"}));
}

TEST_CASE("packed weights of another geometry are refused whatever differs, and the error names it") {
  // A field, a change of it that leaves the number of packed floats as it is, and the words of the error.
  struct Change {
    void (*make)(ConvDesc&);
    std::vector<std::string_view> words;
    Pass pass = Pass::forward;
  };
  // Strides and dilations of dx divide the taps among phases: 4 x 4 taps are as many in one phase as in four.
  constexpr ConvDesc kBase{.n = 2, .h = 12, .w = 12, .c = 16, .k = 16, .kh = 4, .kw = 4, .padding = {2, 2, 2, 2}};
  const std::vector<Change> changes{
      {[](ConvDesc& d) { d.layout = Layout::nchw; }, {"layout"}},
      {[](ConvDesc& d) { d.weights_layout = WeightsLayout::oihw; }, {"weights_layout"}},
      {[](ConvDesc& d) { d.n = 3; }, {"n 3", "n 2"}},
      {[](ConvDesc& d) { d.h = 13; }, {"h 13", "h 12"}},
      {[](ConvDesc& d) { d.w = 11; }, {"w 11", "w 12"}},
      {[](ConvDesc& d) { d.kh = 8, d.kw = 2; }, {"kh 8", "kh 4"}},
      {[](ConvDesc& d) { d.stride_h = 2; }, {"stride_h 2", "stride_h 1"}},
      {[](ConvDesc& d) { d.stride_w = 3; }, {"stride_w 3", "stride_w 1"}},
      {[](ConvDesc& d) { d.stride_h = 2; }, {"stride_h 2", "stride_h 1"}, Pass::backward_data},
      {[](ConvDesc& d) { d.stride_w = 2; }, {"stride_w 2", "stride_w 1"}, Pass::backward_data},
      {[](ConvDesc& d) { d.dilation_h = 2; }, {"dilation_h 2", "dilation_h 1"}},
      {[](ConvDesc& d) { d.dilation_w = 2; }, {"dilation_w 2", "dilation_w 1"}},
      {[](ConvDesc& d) { d.dilation_h = 2; }, {"dilation_h 2", "dilation_h 1"}, Pass::backward_data},
      {[](ConvDesc& d) { d.dilation_w = 2; }, {"dilation_w 2", "dilation_w 1"}, Pass::backward_data},
      {[](ConvDesc& d) { d.padding.top = 1; }, {"padding.top 1", "padding.top 2"}},
      {[](ConvDesc& d) { d.padding.bottom = 3; }, {"padding.bottom 3", "padding.bottom 2"}},
      {[](ConvDesc& d) { d.padding.left = 1; }, {"padding.left 1", "padding.left 2"}},
      {[](ConvDesc& d) { d.padding.right = 3; }, {"padding.right 3", "padding.right 2"}},
  };
  for (const Change& change : changes) {
    ConvDesc other = kBase;
    change.make(other);
    const auto planned = [&](const ConvDesc& d) {
      return plan(d, change.pass, {.algorithm = "implicit_gemm"}).value();
    };
    CAPTURE(to_string(other), to_string(change.pass));
    check_foreign(planned(kBase), planned(other), change.words);
  }
  // Channels, filters and groups change the number of floats, unless they change together.
  const auto planned = [](std::int64_t c, std::int64_t k, std::int64_t groups) {
    return plan({.h = 5, .w = 5, .c = c, .k = k, .groups = groups}, Pass::forward, {.algorithm = "implicit_gemm"})
        .value();
  };
  check_foreign(planned(32, 64, 1), planned(64, 32, 1), {"c 64", "c 32"});
  check_foreign(planned(64, 64, 1), planned(128, 64, 2), {"c 128", "c 64"});
}

TEST_CASE("weights of NCHW are packed, too") {
  Rng rng(9);
  ConvDesc nchw = kSmall;
  nchw.layout = Layout::nchw;
  const TensorValues tensors = real_tensors(nchw, *sizes_of(nchw), rng);
  for (const Pass pass : {Pass::forward, Pass::backward_data}) {
    const Plan planned = plan(nchw, pass, {.algorithm = "implicit_gemm"}).value();
    REQUIRE(planned.packed_floats() > 0);
    CHECK_THAT(run_packed(planned, tensors).out, HasBitsOf(run(planned, tensors).out));
  }
}
