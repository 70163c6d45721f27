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

/// Its weights are worth packing, forward and backward.
constexpr ConvDesc kPacked{
    .n = 2, .h = 9, .w = 8, .c = 6, .k = 10, .kh = 3, .kw = 3, .stride_h = 2, .padding = {1, 1, 1, 1}};

struct Packs {
  Pass pass;
  const char* algorithm;
  Slot out;
};
constexpr Packs kPacking[]{{Pass::forward, "implicit_gemm", Slot::y}, {Pass::backward_data, "implicit_gemm", Slot::dx}};

/// The result of a new session.
std::vector<float> afresh(const ConvDesc& desc, const TensorValues& t, const Packs& how, const Team& team = {}) {
  Session session(team);
  REQUIRE(set_one(session, desc).ok());
  put(session, t);
  REQUIRE(session.set_algorithm(0, how.pass, how.algorithm).ok());
  REQUIRE(run_step(session, how.pass).ok());
  return copy(session.values(of(how.out)));
}

}  // namespace

TEST_CASE("a session computes the four passes of one problem after another", "[session]") {
  Rng rng(property_seed());
  Session session;
  for (int turn = 0; turn < 40; ++turn) {
    const RandomProblem problem = random_integer_problem(rng);
    CAPTURE(turn, conv2d::test::to_string(problem.desc));
    const Oracle right = oracle(problem.desc, problem.sizes, problem.tensors);
    REQUIRE(set_one(session, problem.desc).ok());
    put(session, problem.tensors);
    for (const Pass pass : kPasses) {
      for (const AlgorithmInfo& info : session.algorithms(0, pass)) {
        if (!info.supported || info.mixes_cells) continue;
        CAPTURE(std::string(info.name));
        REQUIRE(session.set_algorithm(0, pass, info.name).ok());
        REQUIRE(run_step(session, pass).ok());
        CHECK_THAT(session.values(of(output_of(pass))), Equals(right.of(pass).value));
      }
    }
  }
}

TEST_CASE("the second run packs the weights without changing a bit, and later runs read the packed weights",
          "[session]") {
  Rng rng(5);
  const TensorValues t = real_tensors(kPacked, *sizes_of(kPacked), rng);
  for (const Packs& how : kPacking) {
    CAPTURE(std::string(to_string(how.pass)));
    const std::vector<float> expected = afresh(kPacked, t, how);
    Session session;
    REQUIRE(set_one(session, kPacked).ok());
    put(session, t);
    const std::span<float> w = session.writable(of(Slot::w));  // kept against the rules, to test the packing below
    REQUIRE(session.set_algorithm(0, how.pass, how.algorithm).ok());
    REQUIRE(session.planned(0, how.pass)->packed_floats() > 0);
    REQUIRE(run_step(session, how.pass).ok());
    CHECK_THAT(session.values(of(how.out)), HasBitsOf(expected));
    // Packing happens at the second run, so it reads this unannounced change.
    std::ranges::fill(w, 0.0F);
    REQUIRE(run_step(session, how.pass).ok());
    CHECK_THAT(session.values(of(how.out)), !HasBitsOf(expected));

    put(session, Slot::w, t.w);
    for (int run = 0; run < 2; ++run) REQUIRE(run_step(session, how.pass).ok());
    std::ranges::fill(w, std::numeric_limits<float>::quiet_NaN());
    for (int run = 0; run < 2; ++run) {
      REQUIRE(run_step(session, how.pass).ok());
      CHECK_THAT(session.values(of(how.out)), HasBitsOf(expected));
    }
  }
}

TEST_CASE("packed weights are dropped when w may have changed or the plan is different", "[session]") {
  Rng rng(6);
  const Sizes sizes = *sizes_of(kPacked);
  const TensorValues t = real_tensors(kPacked, sizes, rng);
  TensorValues other = t;
  other.w = real_tensors(kPacked, sizes, rng).w;
  const Packs how = kPacking[0];
  const std::vector<float> expected = afresh(kPacked, other, how);
  REQUIRE_THAT(expected, !HasBitsOf(afresh(kPacked, t, how)));

  const auto with_packed = [&] {
    Session session;
    REQUIRE(set_one(session, kPacked).ok());
    put(session, t);
    REQUIRE(session.set_algorithm(0, how.pass, how.algorithm).ok());
    for (int run = 0; run < 3; ++run) REQUIRE(run_step(session, how.pass).ok());
    return session;
  };
  const auto check = [&](Session& session) {
    for (int run = 0; run < 3; ++run) {
      REQUIRE(run_step(session, how.pass).ok());
      CHECK_THAT(session.values(of(how.out)), HasBitsOf(expected));
    }
  };
  SECTION("after a writable view") {
    Session session = with_packed();
    std::ranges::copy(other.w, session.writable(of(Slot::w)).begin());
    check(session);
  }
  SECTION("after a new reservation") {
    Session session = with_packed();
    const std::span<float> w = session.writable(of(Slot::w));
    for (int run = 0; run < 3; ++run) REQUIRE(run_step(session, how.pass).ok());
    REQUIRE(
        session.reserve(of(Slot::w), static_cast<std::int64_t>(other.w.size())).ok());  // same length: the same memory
    std::ranges::copy(other.w, w.begin());
    check(session);
  }
  SECTION("after a gradient step") {
    Session session = with_packed();
    std::vector<float> slopes(t.w.size());
    for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] = t.w[i] - other.w[i];
    put(session, Slot::target, slopes);
    REQUIRE(session.subtract(of(Slot::w), of(Slot::target), 1).ok());
    const std::vector<float> learned = copy(session.values(of(Slot::w)));
    TensorValues stepped = t;
    stepped.w = learned;
    REQUIRE(run_step(session, how.pass).ok());
    CHECK_THAT(session.values(of(how.out)), HasBitsOf(afresh(kPacked, stepped, how)));
  }
  SECTION("after another problem") {
    Session session = with_packed();
    const std::span<float> w = session.writable(of(Slot::w));
    for (int run = 0; run < 3; ++run) REQUIRE(run_step(session, how.pass).ok());
    ConvDesc between = kPacked;
    between.stride_w = 3;
    REQUIRE(set_one(session, between).ok());
    REQUIRE(set_one(session, kPacked).ok());
    std::ranges::copy(other.w, w.begin());
    REQUIRE(session.set_algorithm(0, how.pass, how.algorithm).ok());
    check(session);
  }
  SECTION("after another plan of the pass, which reads w in a different order or not at all") {
    Session session = with_packed();
    for (const char* algorithm : {"direct", "implicit_gemm", "im2col_gemm", "implicit_gemm"}) {
      CAPTURE(algorithm);
      REQUIRE(session.set_algorithm(0, how.pass, algorithm).ok());
      const std::vector<float> alone = afresh(kPacked, t, {how.pass, algorithm, how.out});
      for (int run = 0; run < 3; ++run) {
        REQUIRE(run_step(session, how.pass).ok());
        CHECK_THAT(session.values(of(how.out)), HasBitsOf(alone));
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
    Session session(team);
    REQUIRE(set_one(session, kLarge).ok());
    put(session, t);
    REQUIRE(session.set_algorithm(0, how.pass, how.algorithm).ok());
    runs = 0;
    for (int run = 0; run < 3; ++run) {
      REQUIRE(run_step(session, how.pass).ok());
      CHECK_THAT(session.values(of(how.out)), HasBitsOf(expected));
    }
    CHECK((runs > 0) == (session.planned(0, how.pass)->threads() > 1));
#ifndef __EMSCRIPTEN__
    CHECK(session.planned(0, how.pass)->threads() == 3);
#endif
  }
}

TEST_CASE("a plan reports the same memory as the library", "[session]") {
  Session session;
  REQUIRE(set_one(session, kPacked).ok());
  for (const Pass pass : kPasses) {
    for (const AlgorithmInfo& info : algorithms(resolve(kPacked).value(), pass)) {
      if (!info.supported) continue;
      CAPTURE(std::string(to_string(pass)), std::string(info.name));
      REQUIRE(session.set_algorithm(0, pass, info.name).ok());
      CHECK(session.planned(0, pass)->algorithm() == info.name);
      CHECK(session.planned(0, pass)->workspace_floats() == info.workspace_floats);
      CHECK(session.planned(0, pass)->packed_floats() ==
            plan(kPacked, pass, {.algorithm = info.name})->packed_floats());
    }
  }
}

TEST_CASE("the choice of the algorithm takes into account that kept weights stay packed", "[session]") {
  int differing = 0;
  for (std::int64_t size = 1; size <= 8; ++size) {
    for (const std::int64_t channels : {3, 16, 64, 160}) {
      const ConvDesc desc{
          .h = size, .w = size, .c = channels, .k = channels, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}};
      Session session;
      REQUIRE(set_one(session, desc).ok());
      for (const Pass pass : {Pass::forward, Pass::backward_data}) {
        CAPTURE(size, channels, std::string(to_string(pass)));
        REQUIRE(session.set_algorithm(0, pass, "").ok());
        const Plan with_kept = plan(desc, pass, {.packed_weights = true}).value();
        CHECK(session.planned(0, pass)->algorithm() == with_kept.algorithm());
        if (with_kept.algorithm() != plan(desc, pass)->algorithm()) ++differing;
      }
    }
  }
  CHECK(differing > 0);  // otherwise nothing was tested
}

TEST_CASE("the algorithm with the lowest listed cost is the one that the session runs, with its team and kept weights",
          "[session]") {
  const auto in_turn = [](void*, int parts, void (*task)(void*, int) noexcept, void* argument) noexcept {
    for (int i = 0; i < parts; ++i) task(argument, i);
  };
  int differing = 0;
  for (const int threads : {1, 4}) {
    for (const std::int64_t size : {1, 2, 3, 4, 5, 6, 7, 8, 28}) {
      for (const std::int64_t channels : {3, 16, 64, 160}) {
        const ConvDesc desc{
            .h = size, .w = size, .c = channels, .k = channels, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}};
        Session session({.threads = threads, .run = in_turn});
        REQUIRE(set_one(session, desc).ok());
        for (const Pass pass : kPasses) {
          CAPTURE(threads, size, channels, std::string(to_string(pass)));
          const auto name_of_cheapest = [](const std::vector<AlgorithmInfo>& infos) {
            std::string_view name;
            double least = std::numeric_limits<double>::infinity();
            for (const AlgorithmInfo& info : infos) {
              if (!info.supported || info.cost >= least) continue;
              least = info.cost;
              name = info.name;
            }
            return name;
          };
          const std::vector<AlgorithmInfo> infos = session.algorithms(0, pass);
          REQUIRE(session.set_algorithm(0, pass, "").ok());
          CHECK(session.planned(0, pass)->algorithm() == name_of_cheapest(infos));
          for (const AlgorithmInfo& info : infos) {
            if (info.name == session.planned(0, pass)->algorithm())
              CHECK(session.planned(0, pass)->workspace_floats() == info.workspace_floats);
          }
          if (name_of_cheapest(infos) != name_of_cheapest(algorithms(session.chain()->layer(0).geometry, pass)))
            ++differing;
        }
      }
    }
  }
  CHECK(differing > 0);  // otherwise the options of the session have no effect
}

TEST_CASE("a new problem releases results of the old one and keeps its inputs", "[session]") {
  Rng rng(8);
  const TensorValues t = integer_tensors(kPacked, *sizes_of(kPacked), rng);
  Session session;
  REQUIRE(set_one(session, kPacked).ok());
  put(session, t);
  put(session, Slot::target, t.dy);
  for (const Pass pass : kPasses) {
    REQUIRE(session.set_algorithm(0, pass, "").ok());
    REQUIRE(run_step(session, pass).ok());
  }
  REQUIRE(session.coverage(0).ok());
  ConvDesc other = kPacked;
  other.stride_h = 1;
  REQUIRE(set_one(session, other).ok());
  for (const Slot slot : {Slot::y, Slot::dy, Slot::dx, Slot::dw, Slot::db, Slot::stage, Slot::result}) {
    CAPTURE(std::string(to_string(slot)));
    CHECK(session.values(of(slot)).empty());
  }
  CHECK(copy(session.values(of(Slot::x))) == t.x);
  CHECK(copy(session.values(of(Slot::w))) == t.w);
  CHECK(copy(session.values(of(Slot::b))) == t.b);
  CHECK(copy(session.values(of(Slot::target))) == t.dy);
}

TEST_CASE("invalid calls are refused by name and leave the session unchanged", "[session]") {
  Rng rng(9);
  const TensorValues t = integer_tensors(kPacked, *sizes_of(kPacked), rng);
  Session session;
  CHECK_THAT(session.set_algorithm(0, Pass::forward, ""), Fails(ErrorCode::invalid_argument, "layers"));
  CHECK(session.algorithms(0, Pass::forward).empty());
  CHECK_THAT(run_step(session, Pass::forward), Fails(ErrorCode::invalid_argument, "layers"));
  CHECK(!session.next());

  REQUIRE(set_one(session, kPacked).ok());
  put(session, t);
  REQUIRE(session.set_algorithm(0, Pass::forward, "reference").ok());
  REQUIRE(run_step(session, Pass::forward).ok());
  const std::vector<float> y = copy(session.values(of(Slot::y)));

  ConvDesc wrong = kPacked;
  wrong.stride_w = 0;
  CHECK_THAT(set_one(session, wrong), Fails(ErrorCode::invalid_stride, "layers[0].stride_w"));
  CHECK_THAT(session.set_algorithm(0, Pass::forward, "wishful"),
             Fails(ErrorCode::unknown_algorithm, "layers[0].algorithm"));
  CHECK_THAT(session.set_algorithm(0, Pass::forward, "winograd_2x2"),
             Fails(ErrorCode::unsupported, "layers[0].algorithm"));
  CHECK(copy(session.values(of(Slot::y))) == y);
  CHECK(session.planned(0, Pass::forward)->algorithm() == "reference");
  REQUIRE(run_step(session, Pass::forward).ok());
  CHECK(copy(session.values(of(Slot::y))) == y);

  const ProgressHook stop{.step = [](void*, std::int64_t, std::int64_t) noexcept { return false; }};
  CHECK_THAT(session.run({0, Operation::forward}, stop), Fails(ErrorCode::cancelled, "progress"));

  CHECK_THAT(session.reserve(of(Slot::x), -1), Fails(ErrorCode::invalid_argument, "x"));
  CHECK(session.values(of(Slot::x)).empty());
  CHECK_THAT(run_step(session, Pass::forward), Fails(ErrorCode::length_mismatch, "layers[0].x"));
  constexpr std::int64_t kTooMany = std::numeric_limits<std::int64_t>::max();
  CHECK_THAT(session.reserve(of(Slot::target), kTooMany), Fails(ErrorCode::out_of_memory, "target"));
  CHECK_THAT(session.reserve_indices(IndexSlot::b, kTooMany), Fails(ErrorCode::out_of_memory, "index_b"));
  CHECK_THAT(session.reserve_indices(IndexSlot::a, -7), Fails(ErrorCode::invalid_argument, "index_a"));
  CHECK_THAT(session.reserve_pixels(-1), Fails(ErrorCode::invalid_argument, "pixels"));
  CHECK(session.pixels().empty());
  put(session, Slot::x, t.x);
  REQUIRE(run_step(session, Pass::forward).ok());
  CHECK(copy(session.values(of(Slot::y))) == y);
}

TEST_CASE("a pass runs although the plan of another pass resized the workspace", "[session]") {
  Rng rng(10);
  const TensorValues t = integer_tensors(kPacked, *sizes_of(kPacked), rng);
  const Oracle right = oracle(kPacked, *sizes_of(kPacked), t);
  Session session;
  REQUIRE(set_one(session, kPacked).ok());
  put(session, t);
  REQUIRE(session.set_algorithm(0, Pass::forward, "im2col_gemm").ok());
  REQUIRE(session.set_algorithm(0, Pass::backward_bias, "").ok());
  REQUIRE(session.planned(0, Pass::forward)->workspace_floats() >
          session.planned(0, Pass::backward_bias)->workspace_floats());
  REQUIRE(run_step(session, Pass::forward).ok());
  CHECK_THAT(session.values(of(Slot::y)), Equals(right.y.value));
}
