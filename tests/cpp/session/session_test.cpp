#include "session/session.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>
#include <vector>

#include "session/fixture.hpp"
#include "support/environment.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::session;
using namespace conv2d::test;

namespace {

/// Of a kind whose weights are worth packing, forwards and backwards.
constexpr ConvDesc kPacked{
    .n = 2, .h = 9, .w = 8, .c = 6, .k = 10, .kh = 3, .kw = 3, .stride_h = 2, .padding = {1, 1, 1, 1}};

struct Packs {
  Pass pass;
  const char* algorithm;
  Slot out;
};
constexpr Packs kPacking[]{{Pass::forward, "implicit_gemm", Slot::y}, {Pass::backward_data, "implicit_gemm", Slot::dx}};

/// What a session that was never run before makes.
std::vector<float> afresh(const ConvDesc& desc, const TensorValues& t, const Packs& how, const Team& team = {}) {
  Session held(team);
  REQUIRE(held.set_problem(desc).ok());
  put(held, t);
  REQUIRE(held.plan(how.pass, how.algorithm).ok());
  REQUIRE(held.run(how.pass, {}).ok());
  return copy(held.values(how.out));
}

}  // namespace

TEST_CASE("a session computes the four passes of its problem, one problem after the other", "[session]") {
  Rng rng(property_seed());
  Session held;
  for (int turn = 0; turn < 40; ++turn) {
    const RandomProblem problem = random_integer_problem(rng);
    CAPTURE(turn, conv2d::test::to_string(problem.desc));
    const Oracle right = oracle(problem.desc, problem.sizes, problem.tensors);
    REQUIRE(held.set_problem(problem.desc).ok());
    put(held, problem.tensors);
    for (const Pass pass : kPasses) {
      for (const AlgorithmInfo& info : held.algorithms(pass)) {
        if (!info.supported || info.mixes_cells) continue;
        CAPTURE(std::string(info.name));
        REQUIRE(held.plan(pass, info.name).ok());
        REQUIRE(held.run(pass, {}).ok());
        CHECK_THAT(held.values(output_of(pass)), Equals(right.of(pass).value));
      }
    }
  }
}

TEST_CASE("the second run with the same weights packs them, with the same bits, and later runs read what was packed",
          "[session]") {
  Rng rng(5);
  const TensorValues t = real_tensors(kPacked, *sizes_of(kPacked), rng);
  for (const Packs& how : kPacking) {
    CAPTURE(std::string(to_string(how.pass)));
    const std::vector<float> expected = afresh(kPacked, t, how);
    Session held;
    REQUIRE(held.set_problem(kPacked).ok());
    put(held, t);
    const std::span<float> w = held.writable(Slot::w);  // kept, against the rules: see below
    REQUIRE(held.plan(how.pass, how.algorithm).ok());
    REQUIRE(held.planned(how.pass)->packed_floats() > 0);
    REQUIRE(held.run(how.pass, {}).ok());
    CHECK_THAT(held.values(how.out), HasBitsOf(expected));
    // Not before the second run: what is written now, unannounced, is read by it.
    std::ranges::fill(w, 0.0F);
    REQUIRE(held.run(how.pass, {}).ok());
    CHECK_THAT(held.values(how.out), !HasBitsOf(expected));

    put(held, Slot::w, t.w);
    for (int run = 0; run < 2; ++run) REQUIRE(held.run(how.pass, {}).ok());
    std::ranges::fill(w, std::numeric_limits<float>::quiet_NaN());
    for (int run = 0; run < 2; ++run) {
      REQUIRE(held.run(how.pass, {}).ok());
      CHECK_THAT(held.values(how.out), HasBitsOf(expected));
    }
  }
}

TEST_CASE("packed weights are dropped when somebody may have written others, or the plan is another", "[session]") {
  Rng rng(6);
  const Sizes sizes = *sizes_of(kPacked);
  const TensorValues t = real_tensors(kPacked, sizes, rng);
  TensorValues other = t;
  other.w = real_tensors(kPacked, sizes, rng).w;
  const Packs how = kPacking[0];
  const std::vector<float> expected = afresh(kPacked, other, how);
  REQUIRE_THAT(expected, !HasBitsOf(afresh(kPacked, t, how)));

  const auto with_packed = [&] {
    Session held;
    REQUIRE(held.set_problem(kPacked).ok());
    put(held, t);
    REQUIRE(held.plan(how.pass, how.algorithm).ok());
    for (int run = 0; run < 3; ++run) REQUIRE(held.run(how.pass, {}).ok());
    return held;
  };
  const auto check = [&](Session& held) {
    for (int run = 0; run < 3; ++run) {
      REQUIRE(held.run(how.pass, {}).ok());
      CHECK_THAT(held.values(how.out), HasBitsOf(expected));
    }
  };
  SECTION("by a view for writing") {
    Session held = with_packed();
    std::ranges::copy(other.w, held.writable(Slot::w).begin());
    check(held);
  }
  SECTION("by room for new ones") {
    Session held = with_packed();
    const std::span<float> w = held.writable(Slot::w);
    for (int run = 0; run < 3; ++run) REQUIRE(held.run(how.pass, {}).ok());
    REQUIRE(held.reserve(Slot::w, static_cast<std::int64_t>(other.w.size())).ok());  // as many: the same memory
    std::ranges::copy(other.w, w.begin());
    check(held);
  }
  SECTION("by a step of a descent") {
    Session held = with_packed();
    std::vector<float> slopes(t.w.size());
    for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] = t.w[i] - other.w[i];
    put(held, Slot::dw, slopes);
    REQUIRE(held.descend(Slot::w, Slot::dw, 1).ok());
    const std::vector<float> learnt = copy(held.values(Slot::w));
    TensorValues stepped = t;
    stepped.w = learnt;
    REQUIRE(held.run(how.pass, {}).ok());
    CHECK_THAT(held.values(how.out), HasBitsOf(afresh(kPacked, stepped, how)));
  }
  SECTION("by another problem of the same sizes") {
    Session held = with_packed();
    const std::span<float> w = held.writable(Slot::w);
    for (int run = 0; run < 3; ++run) REQUIRE(held.run(how.pass, {}).ok());
    REQUIRE(held.set_problem(kPacked).ok());
    std::ranges::copy(other.w, w.begin());
    REQUIRE(held.plan(how.pass, how.algorithm).ok());
    check(held);
  }
  SECTION("by another plan of the pass, which reads them in another order or not at all") {
    Session held = with_packed();
    for (const char* algorithm : {"direct", "implicit_gemm", "im2col_gemm", "implicit_gemm"}) {
      CAPTURE(algorithm);
      REQUIRE(held.plan(how.pass, algorithm).ok());
      const std::vector<float> alone = afresh(kPacked, t, {how.pass, algorithm, how.out});
      for (int run = 0; run < 3; ++run) {
        REQUIRE(held.run(how.pass, {}).ok());
        CHECK_THAT(held.values(how.out), HasBitsOf(alone));
      }
    }
  }
}

TEST_CASE("the team that runs the passes changes no bit, packed or not", "[session]") {
  constexpr ConvDesc kLarge{.h = 30, .w = 30, .c = 48, .k = 64, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}};
  Rng rng(7);
  const TensorValues t = real_tensors(kLarge, *sizes_of(kLarge), rng);
  int runs = 0;
  const auto count = [](void* context, int parts, void (*task)(void*, int) noexcept, void* argument) noexcept {
    ++*static_cast<int*>(context);
    for (int i = parts - 1; i >= 0; --i) task(argument, i);
  };
  const Team team{.threads = 3, .run = count, .context = &runs};
  for (const Packs& how : kPacking) {
    const std::vector<float> expected = afresh(kLarge, t, how);
    Session held(team);
    REQUIRE(held.set_problem(kLarge).ok());
    put(held, t);
    REQUIRE(held.plan(how.pass, how.algorithm).ok());
    runs = 0;
    for (int run = 0; run < 3; ++run) {
      REQUIRE(held.run(how.pass, {}).ok());
      CHECK_THAT(held.values(how.out), HasBitsOf(expected));
    }
    CHECK((runs > 0) == (held.planned(how.pass)->threads() > 1));
#ifndef __EMSCRIPTEN__
    CHECK(held.planned(how.pass)->threads() == 3);
#endif
  }
}

TEST_CASE("a plan says what memory it takes: what the library says of the same problem", "[session]") {
  Session held;
  REQUIRE(held.set_problem(kPacked).ok());
  for (const Pass pass : kPasses) {
    for (const AlgorithmInfo& info : algorithms(resolve(kPacked).value(), pass)) {
      if (!info.supported) continue;
      CAPTURE(std::string(to_string(pass)), std::string(info.name));
      REQUIRE(held.plan(pass, info.name).ok());
      CHECK(held.planned(pass)->algorithm() == info.name);
      CHECK(held.planned(pass)->workspace_floats() == info.workspace_floats);
      CHECK(held.planned(pass)->packed_floats() == plan(kPacked, pass, {.algorithm = info.name})->packed_floats());
      CHECK(held.values(output_of(pass)).size() == out_size(*held.geometry(), pass));
    }
  }
}

TEST_CASE("what is kept packed is not packed by every run, which counts for the choice of the algorithm", "[session]") {
  int otherwise = 0;
  for (std::int64_t size = 1; size <= 8; ++size) {
    for (const std::int64_t channels : {3, 16, 64, 160}) {
      const ConvDesc desc{
          .h = size, .w = size, .c = channels, .k = channels, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}};
      Session held;
      REQUIRE(held.set_problem(desc).ok());
      for (const Pass pass : {Pass::forward, Pass::backward_data}) {
        CAPTURE(size, channels, std::string(to_string(pass)));
        REQUIRE(held.plan(pass, "").ok());
        const Plan with_kept = plan(desc, pass, {.packed_weights = true}).value();
        CHECK(held.planned(pass)->algorithm() == with_kept.algorithm());
        if (with_kept.algorithm() != plan(desc, pass)->algorithm()) ++otherwise;
      }
    }
  }
  CHECK(otherwise > 0);  // or nothing was tested
}

TEST_CASE("a new problem releases what belonged to the old one and keeps what was given", "[session]") {
  Rng rng(8);
  const TensorValues t = integer_tensors(kPacked, *sizes_of(kPacked), rng);
  Session held;
  REQUIRE(held.set_problem(kPacked).ok());
  put(held, t);
  put(held, Slot::target, t.dy);
  for (const Pass pass : kPasses) {
    REQUIRE(held.plan(pass, "").ok());
    REQUIRE(held.run(pass, {}).ok());
  }
  REQUIRE(held.coverage().ok());
  REQUIRE(held.gradient_check({.epsilon = 0.5}).status.ok());
  REQUIRE(held.set_problem(kPacked).ok());
  for (const Slot slot : {Slot::y, Slot::dy, Slot::dx, Slot::dw, Slot::db, Slot::stage, Slot::result}) {
    CAPTURE(std::string(name_of(slot)));
    CHECK(held.values(slot).empty());
  }
  CHECK(held.check_table().empty());
  CHECK(copy(held.values(Slot::x)) == t.x);
  CHECK(copy(held.values(Slot::w)) == t.w);
  CHECK(copy(held.values(Slot::b)) == t.b);
  CHECK(copy(held.values(Slot::target)) == t.dy);
  CHECK(!held.planned(Pass::forward));
}

TEST_CASE("what cannot be is refused by name, and the session goes on with what it had", "[session]") {
  Rng rng(9);
  const TensorValues t = integer_tensors(kPacked, *sizes_of(kPacked), rng);
  Session held;
  CHECK_THAT(held.plan(Pass::forward, ""), Fails(ErrorCode::invalid_argument, "desc"));
  CHECK(held.algorithms(Pass::forward).empty());
  CHECK_THAT(held.run(Pass::forward, {}), Fails(ErrorCode::invalid_argument, "pass"));

  REQUIRE(held.set_problem(kPacked).ok());
  put(held, t);
  CHECK_THAT(held.run(Pass::forward, {}), Fails(ErrorCode::invalid_argument, "pass"));
  REQUIRE(held.plan(Pass::forward, "reference").ok());
  REQUIRE(held.run(Pass::forward, {}).ok());
  const std::vector<float> y = copy(held.values(Slot::y));

  ConvDesc wrong = kPacked;
  wrong.stride_w = 0;
  CHECK_THAT(held.set_problem(wrong), Fails(ErrorCode::invalid_stride, "stride_w"));
  CHECK_THAT(held.plan(Pass::forward, "wishful"), Fails(ErrorCode::unknown_algorithm, "algorithm"));
  CHECK_THAT(held.plan(Pass::forward, "winograd_2x2"), Fails(ErrorCode::unsupported, "algorithm"));
  CHECK(copy(held.values(Slot::y)) == y);
  CHECK(held.planned(Pass::forward)->algorithm() == "reference");
  REQUIRE(held.run(Pass::forward, {}).ok());
  CHECK(copy(held.values(Slot::y)) == y);

  const ProgressHook stop{.step = [](void*, std::int64_t, std::int64_t) { return false; }};
  CHECK_THAT(held.run(Pass::forward, stop), Fails(ErrorCode::cancelled, "progress"));

  CHECK_THAT(held.reserve(Slot::x, -1), Fails(ErrorCode::invalid_argument, "x"));
  CHECK(held.values(Slot::x).empty());
  CHECK_THAT(held.run(Pass::forward, {}), Fails(ErrorCode::length_mismatch, "x"));
  constexpr std::int64_t kTooMany = std::numeric_limits<std::int64_t>::max();
  CHECK_THAT(held.reserve(Slot::target, kTooMany), Fails(ErrorCode::out_of_memory, "target"));
  CHECK_THAT(held.reserve_indices(IndexSlot::b, kTooMany), Fails(ErrorCode::out_of_memory, "index_b"));
  CHECK_THAT(held.reserve_indices(IndexSlot::a, -7), Fails(ErrorCode::invalid_argument, "index_a"));
  CHECK_THAT(held.reserve_pixels(-1), Fails(ErrorCode::invalid_argument, "pixels"));
  CHECK(held.pixels().empty());
  put(held, Slot::x, t.x);
  REQUIRE(held.run(Pass::forward, {}).ok());
  CHECK(copy(held.values(Slot::y)) == y);
}

TEST_CASE("a pass runs though another pass's plan has taken the workspace", "[session]") {
  Rng rng(10);
  const TensorValues t = integer_tensors(kPacked, *sizes_of(kPacked), rng);
  const Oracle right = oracle(kPacked, *sizes_of(kPacked), t);
  Session held;
  REQUIRE(held.set_problem(kPacked).ok());
  put(held, t);
  REQUIRE(held.plan(Pass::forward, "im2col_gemm").ok());
  REQUIRE(held.plan(Pass::backward_bias, "").ok());
  REQUIRE(held.planned(Pass::forward)->workspace_floats() > held.planned(Pass::backward_bias)->workspace_floats());
  REQUIRE(held.run(Pass::forward, {}).ok());
  CHECK_THAT(held.values(Slot::y), Equals(right.y.value));
}
