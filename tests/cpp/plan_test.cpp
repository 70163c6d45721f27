#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "problems/edge_cases.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

constexpr ConvDesc kDesc{.n = 2, .h = 9, .w = 8, .c = 4, .k = 6, .kh = 3, .kw = 3};

constexpr ConvDesc same_3x3(std::int64_t size, std::int64_t channels) {
  return {.h = size, .w = size, .c = channels, .k = channels, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same};
}

/// All inputs that a choice of algorithm depends on.
constexpr PlanOptions kChoosing[]{{},
                                  {.threads = 3},
                                  {.threads = 8, .deterministic = false},
                                  {.threads = 2, .packed_weights = true, .deterministic = false},
                                  {.packed_weights = true},
                                  {.accuracy = Accuracy::standard},
                                  {.threads = 4, .accuracy = Accuracy::strict}};

}  // namespace

TEST_CASE("without a name, the plan takes the algorithm with the lowest cost estimate, for all options") {
  std::vector<ConvDesc> problems;
  for (const NamedProblem& problem : edge_cases()) problems.push_back(problem.desc);
  for (const std::int64_t size : {5, 28, 56}) {
    for (const std::int64_t channels : {16, 32, 160}) problems.push_back(same_3x3(size, channels));
  }
  std::set<std::string> chosen;  // the choices for one problem and pass, over all options
  std::size_t differing = 0;
  for (const ConvDesc& desc : problems) {
    const Geometry g = resolve(desc).value();
    for (const Pass pass : kPasses) {
      chosen.clear();
      for (PlanOptions options : kChoosing) {
        CAPTURE(conv2d::test::to_string(desc), to_string(pass), options.threads, options.packed_weights,
                options.deterministic, to_string(options.accuracy));
        const Result<Plan> planned = plan(g, pass, options);
        REQUIRE_THAT(planned, Succeeds());
        CHECK(planned->pass() == pass);
        const AlgorithmInfo* lowest = nullptr;
        const auto infos = algorithms(g, pass, options);
        for (const AlgorithmInfo& info : infos) {
          if (info.supported && (lowest == nullptr || info.cost < lowest->cost)) lowest = &info;
        }
        REQUIRE(lowest != nullptr);
        CHECK(planned->algorithm() == lowest->name);
        CHECK(planned->workspace_floats() == lowest->workspace_floats);
        chosen.insert(std::string(lowest->name));
        for (const AlgorithmInfo& info : infos) {
          options.algorithm = info.name;
          const Result<Plan> named = plan(g, pass, options);
          REQUIRE(named.ok() == info.supported);
          if (named.ok()) CHECK(named->workspace_floats() == info.workspace_floats);
        }
      }
      if (chosen.size() > 1) ++differing;
    }
  }
  CHECK(differing > 10);  // otherwise only the defaults were tested
}

TEST_CASE("an accuracy excludes less exact algorithms, both chosen and named") {
  const Geometry g = resolve(same_3x3(28, 128)).value();
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
    CAPTURE(to_string(pass));
    // The fastest of all for this problem, by far; then the smaller tiles; then none.
    CHECK(plan(g, pass)->algorithm() == "winograd_4x4");
    CHECK(plan(g, pass, {.accuracy = Accuracy::standard})->algorithm() == "winograd_2x2");
    const std::string strict(plan(g, pass, {.accuracy = Accuracy::strict})->algorithm());
    CHECK(strict.find("winograd") == std::string::npos);
    const auto refused = [&](const char* name, Accuracy accuracy) {
      CHECK_THAT(plan(g, pass, {.algorithm = name, .accuracy = accuracy}),
                 Fails(ErrorCode::unsupported, "algorithm", {name, "less exact", "PlanOptions::accuracy"}));
    };
    refused("winograd_4x4", Accuracy::standard);
    refused("winograd_4x4", Accuracy::strict);
    refused("winograd_2x2", Accuracy::strict);
    CHECK_THAT(plan(g, pass, {.algorithm = "winograd_2x2", .accuracy = Accuracy::standard}), Succeeds());
  }
  // Only sums of the definition itself, with a bound relative to their own products; no tile sums.
  for (const Pass pass : kPasses) {
    for (const AlgorithmInfo& info : algorithms(g, pass, {.accuracy = Accuracy::strict})) {
      CAPTURE(to_string(pass), std::string(info.name));
      const bool winograd = info.name.starts_with("winograd");
      CHECK(info.mixes_cells == (winograd && info.supported));
      CHECK((info.accuracy == Accuracy::strict) == !winograd);
      if (winograd) CHECK(!info.supported);
    }
  }
}

TEST_CASE("a plan from a descriptor equals the plan from its geometry") {
  for (const Pass pass : kPasses) {
    const Plan from_desc = plan(kDesc, pass).value();
    const Plan from_geometry = plan(resolve(kDesc).value(), pass).value();
    CHECK(from_desc.algorithm() == from_geometry.algorithm());
    CHECK(from_desc.workspace_floats() == from_geometry.workspace_floats());
    CHECK(from_desc.geometry().y_size == from_geometry.geometry().y_size);
  }
}

TEST_CASE("a plan of an invalid descriptor returns the error of resolve") {
  ConvDesc d = kDesc;
  d.stride_w = 0;
  for (const Pass pass : kPasses) {
    const Result<Plan> planned = plan(d, pass);
    CHECK_THAT(planned, Fails(ErrorCode::invalid_stride, "stride_w"));
  }
}

TEST_CASE("an unknown algorithm name is refused, and the message lists the known names") {
  for (const Pass pass : kPasses) {
    const Result<Plan> planned = plan(kDesc, pass, {.algorithm = "guesswork"});
    CAPTURE(planned.status().message);
    CHECK_THAT(planned, Fails(ErrorCode::unknown_algorithm, "algorithm", {"guesswork", to_string(pass)}));
  }
}

TEST_CASE("a pass or an accuracy that does not exist is refused by name") {
  const Geometry g = resolve(kDesc).value();
  for (const int wrong : {-1, 4, 99}) {
    CAPTURE(wrong);
    const auto pass = static_cast<Pass>(wrong);
    const std::string words = "pass is " + std::to_string(wrong);
    CHECK_THAT(plan(kDesc, pass), Fails(ErrorCode::invalid_argument, "pass", {words}));
    CHECK_THAT(plan(g, pass, {.algorithm = "direct"}), Fails(ErrorCode::invalid_argument, "pass", {words}));
    CHECK(algorithms(g, pass).empty());
    CHECK(to_string(pass) == "unknown");
  }
  for (const int wrong : {-1, 3}) {
    CAPTURE(wrong);
    const PlanOptions options{.accuracy = static_cast<Accuracy>(wrong)};
    const std::string words = "accuracy is " + std::to_string(wrong);
    CHECK_THAT(plan(kDesc, Pass::forward, options), Fails(ErrorCode::invalid_argument, "accuracy", {words}));
    for (const AlgorithmInfo& info : algorithms(g, Pass::forward, options)) {
      CHECK(!info.supported);
      CHECK(info.reason.find(words) != std::string::npos);
    }
  }
}

TEST_CASE("more threads never have a higher estimated cost: every number up to 7 is tried") {
  for (const std::int64_t size : {7, 12, 14, 28}) {
    for (const std::int64_t channels : {16, 32, 48, 96}) {
      const Geometry g = resolve(same_3x3(size, channels)).value();
      for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
        std::vector<AlgorithmInfo> fewer = algorithms(g, pass);
        for (int threads = 2; threads <= 7; ++threads) {
          const auto infos = algorithms(g, pass, {.threads = threads, .macs_per_thread = 1, .deterministic = false});
          for (std::size_t i = 0; i < infos.size(); ++i) {
            CAPTURE(size, channels, to_string(pass), std::string(infos[i].name), threads);
            if (infos[i].supported) CHECK(infos[i].cost <= fewer[i].cost);
          }
          fewer = infos;
        }
      }
    }
  }
}

TEST_CASE("an algorithm name of another pass is unknown") {
  const Geometry g = resolve(kDesc).value();
  for (const AlgorithmInfo& info : algorithms(g, Pass::backward_data)) {
    bool forward_has_it = false;
    for (const AlgorithmInfo& other : algorithms(g, Pass::forward)) forward_has_it |= other.name == info.name;
    if (forward_has_it) continue;
    CHECK_THAT(plan(g, Pass::forward, {.algorithm = info.name}), Fails(ErrorCode::unknown_algorithm));
  }
}

TEST_CASE("an algorithm refuses an unsupported geometry with a reason") {
  std::size_t refused = 0;
  for (const NamedProblem& problem : edge_cases()) {
    const Geometry g = resolve(problem.desc).value();
    for (const Pass pass : kPasses) {
      for (const AlgorithmInfo& info : algorithms(g, pass)) {
        if (info.supported) continue;
        ++refused;
        CAPTURE(problem.name, to_string(pass), std::string(info.name), info.reason);
        const Result<Plan> planned = plan(g, pass, {.algorithm = info.name});
        CHECK_THAT(planned, Fails(ErrorCode::unsupported, "algorithm", {info.reason}));
      }
    }
  }
  CHECK(refused > 0);
}

TEST_CASE("a workspace that exceeds the address space is an overflow, not a small number") {
  // x is 2^20 floats, but x_col has 2^62 bytes and more: only algorithms without it can be planned.
  const ConvDesc d{.h = 1 << 10, .w = 1 << 10, .kh = 1 << 9, .kw = 1 << 9, .padding_mode = PaddingMode::full};
  const Geometry g = resolve(d).value();
  for (const Pass pass : kPasses) {
    for (const AlgorithmInfo& info : algorithms(g, pass)) {
      const Result<Plan> planned = plan(g, pass, {.algorithm = info.name});
      CAPTURE(to_string(pass), std::string(info.name), info.workspace_floats, planned.status().message);
      if (planned.ok()) CHECK(planned->workspace_floats() >= 0);
    }
  }
}

TEST_CASE("planning is not proportional to taps or phases: huge problems are planned or refused at once") {
  // The largest float count of a tensor; 32-bit addresses allow fewer.
  constexpr bool kSmall = sizeof(void*) == 4;
  const std::int64_t giant = std::int64_t{1} << (kSmall ? 28 : 40);
  const std::int64_t wide = std::int64_t{1} << (kSmall ? 14 : 26);
  for (const ConvDesc& d : {ConvDesc{.h = giant, .w = 1, .kh = giant, .kw = 1},
                            ConvDesc{.h = giant, .w = 1, .kh = 3, .kw = 1, .stride_h = giant},
                            ConvDesc{.h = wide, .w = wide, .kh = 1, .kw = 1, .stride_h = wide, .stride_w = wide}}) {
    const Result<Geometry> g = resolve(d);
    REQUIRE_THAT(g, Succeeds());
    for (const Pass pass : kPasses) CHECK_THAT(plan(*g, pass), Succeeds());
  }
}
