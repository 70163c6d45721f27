#include <catch2/catch_test_macros.hpp>
#include <string>

#include "conv2d/conv2d.hpp"
#include "problems/awkward.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

constexpr ConvDesc kDesc{.n = 2, .h = 9, .w = 8, .c = 4, .k = 6, .kh = 3, .kw = 3};

}  // namespace

TEST_CASE("without a name the cheapest supported algorithm is planned") {
  for (const NamedProblem& problem : awkward_problems()) {
    const Geometry g = resolve(problem.desc).value();
    for (const Pass pass : kPasses) {
      CAPTURE(problem.name, to_string(pass));
      const Result<Plan> planned = plan(g, pass);
      REQUIRE_THAT(planned, Succeeds());
      CHECK(planned->pass() == pass);
      const AlgorithmInfo* cheapest = nullptr;
      const auto infos = algorithms(g, pass);
      for (const AlgorithmInfo& info : infos) {
        if (info.supported && (cheapest == nullptr || info.cost < cheapest->cost)) cheapest = &info;
      }
      REQUIRE(cheapest != nullptr);
      CHECK(planned->algorithm() == cheapest->name);
    }
  }
}

TEST_CASE("a plan from a descriptor is the plan from its geometry") {
  for (const Pass pass : kPasses) {
    const Plan from_desc = plan(kDesc, pass).value();
    const Plan from_geometry = plan(resolve(kDesc).value(), pass).value();
    CHECK(from_desc.algorithm() == from_geometry.algorithm());
    CHECK(from_desc.workspace_floats() == from_geometry.workspace_floats());
    CHECK(from_desc.geometry().y_size == from_geometry.geometry().y_size);
  }
}

TEST_CASE("a plan of an invalid descriptor is the error of resolve") {
  ConvDesc d = kDesc;
  d.stride_w = 0;
  for (const Pass pass : kPasses) {
    const Result<Plan> planned = plan(d, pass);
    CHECK_THAT(planned, Fails(ErrorCode::invalid_stride, "stride_w"));
  }
}

TEST_CASE("an unknown name is refused by name, and with the names that exist") {
  for (const Pass pass : kPasses) {
    const Result<Plan> planned = plan(kDesc, pass, {.algorithm = "guesswork"});
    CAPTURE(planned.status().message);
    CHECK_THAT(planned, Fails(ErrorCode::unknown_algorithm, "algorithm", {"guesswork", to_string(pass)}));
  }
}

TEST_CASE("a name of another pass is unknown") {
  const Geometry g = resolve(kDesc).value();
  for (const AlgorithmInfo& info : algorithms(g, Pass::backward_data)) {
    bool forward_has_it = false;
    for (const AlgorithmInfo& other : algorithms(g, Pass::forward)) forward_has_it |= other.name == info.name;
    if (forward_has_it) continue;
    CHECK_THAT(plan(g, Pass::forward, {.algorithm = info.name}), Fails(ErrorCode::unknown_algorithm));
  }
}

TEST_CASE("an algorithm that does not support a geometry refuses with its reason") {
  std::size_t refused = 0;
  for (const NamedProblem& problem : awkward_problems()) {
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

TEST_CASE("a workspace that no memory holds is an overflow, not a small number") {
  // x is 2^20 floats, but the lowered x has 2^62 bytes and more: only the algorithms without it can be planned.
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

TEST_CASE("planning does not walk over the taps or the phases: giants are planned or refused at once") {
  // As large as a tensor's floats can be counted: 32 bits count fewer.
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
