#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>
#include <vector>

#include "session/chain_by_hand.hpp"
#include "support/matchers.hpp"

using namespace conv2d;
using namespace conv2d::session;
using namespace conv2d::test;

TEST_CASE("a session runs a chain and shows every tensor of it", "[session]") {
  Session session = by_hand();
  run_all(session);
  CHECK(copy(session.values(of(Slot::y, 3))) == std::vector<float>{1});
  CHECK(copy(session.values(of(Slot::x, 3))) == std::vector<float>{1, 1});
  CHECK(copy(session.values(of(Slot::dy, 1))) == std::vector<float>{4, 0, 0, 4});
  CHECK(copy(session.values(of(Slot::dx, 2))) == std::vector<float>{4, 0, 0, 4});
  CHECK(copy(session.values(of(Slot::dw))) == std::vector<float>{36, 20});
  CHECK(copy(session.values(of(Slot::dx))) == std::vector<float>{4, -4, 0, 0, 4, -4});
  CHECK(std::ranges::equal(session.winners(2), std::vector{0, 3}));
  CHECK(session.winners(1).empty());
  CHECK(session.stats(of(Slot::y)).min == -4);
  CHECK(session.norm(of(Slot::dx)) == 8);
  REQUIRE_THAT(session.averages(3), Succeeds());
  CHECK(copy(session.values(of(Slot::result))) == std::vector<float>{2});
  CHECK(std::ranges::equal(session.indices(IndexSlot::a), std::vector{2}));
  REQUIRE_THAT(session.sgd_step(false, 0.25), Succeeds());
  CHECK(copy(session.values(of(Slot::w))) == std::vector<float>{-8, -6});
  CHECK(copy(session.values(of(Slot::b))) == std::vector<float>{-3});
  CHECK(session.winners(2).empty());
}

TEST_CASE("the squared error of a chain and its gradient", "[session]") {
  Session session = by_hand("mse");
  put(session, Slot::target, {8});
  run_all(session);
  CHECK(session.loss() == 24.5);
  CHECK(copy(session.values(of(Slot::dy, 3))) == std::vector<float>{-7});
}

TEST_CASE("an edit runs the steps that read what it changed, and no others", "[session]") {
  const std::vector<LayerDesc> layers{{.windows = {.kh = 2}}, {.windows = {.kw = 2}}, {.windows = {.kh = 2}}};
  Session session;
  REQUIRE_THAT(session.set_problem({.h = 5, .w = 4}, layers), Succeeds());
  for (std::int64_t layer = 0; layer < 3; ++layer) put(session, of(Slot::w, layer), {1, 2});
  put(session, Slot::x, std::vector<float>(20, 1));
  put(session, of(Slot::dy, 2), std::vector<float>(9, 1));
  const auto steps_of = [&](auto edit) {
    run_all(session);
    edit();
    std::string ran;
    while (const auto step = session.next()) {
      constexpr char kLetters[]{'y', 'd', 'w', 'b', 'l'};
      ran += std::to_string(step->layer) + kLetters[static_cast<std::size_t>(step->operation)] + " ";
      REQUIRE_THAT(session.run(*step, {}), Succeeds());
    }
    return ran;
  };
  CHECK(steps_of([] {}).empty());
  // dy is given: an edit of x changes no dx.
  CHECK(steps_of([&] { put(session, Slot::x, std::vector<float>(20, 2)); }) == "0y 1y 2y 2w 1w 0w ");
  CHECK(steps_of([&] { put(session, of(Slot::w, 1), {3, 4}); }) == "1y 2y 2w 1d 0d 0w 0b ");
  CHECK(steps_of([&] { put(session, of(Slot::b, 2), {3}); }) == "2y ");
  CHECK(steps_of([&] { put(session, of(Slot::dy, 2), std::vector<float>(9, 2)); }) == "2d 2w 2b 1d 1w 1b 0d 0w 0b ");
  CHECK(steps_of([&] { REQUIRE(session.set_algorithm(1, Pass::backward_weights, "reference").ok()); }) == "1w ");
  CHECK(steps_of([&] { REQUIRE(session.set_algorithm(1, Pass::backward_weights, "reference").ok()); }).empty());
  // With a loss, everything after it reads w of the last layer.
  CHECK(steps_of([&] {
          REQUIRE_THAT(session.set_problem({.h = 5, .w = 4}, layers, "mse"), Succeeds());
          put(session, Slot::target, std::vector<float>(9, 1));
        }) == "0l 2d 2w 2b 1d 1w 1b 0d 0w 0b ");
  CHECK(steps_of([&] { put(session, of(Slot::w, 2), {0, 1}); }) == "2y 0l 2d 2w 2b 1d 1w 1b 0d 0w 0b ");
  CHECK(steps_of([&] { REQUIRE_THAT(session.set_problem({.h = 5, .w = 4}, layers, "mse"), Succeeds()); }).empty());
  // Only what is asked for.
  put(session, of(Slot::w, 2), {1, 1});
  CHECK(!session.next(only(Operation::backward_bias) & 0U));
  CHECK(session.next(only(Operation::loss)) == Step{0, Operation::loss});
  CHECK(session.next(only(Operation::backward_bias)) == Step{2, Operation::backward_bias});
}

TEST_CASE("a loss with a kink makes forward strict, and it runs again", "[session]") {
  const ConvDesc wide{.h = 34, .w = 34, .c = 32, .k = 32, .kh = 3, .kw = 3};
  Session session;
  REQUIRE_THAT(set_one(session, wide, "mse"), Succeeds());
  const auto forward = [&] { return std::string(session.chain()->algorithm(0, Pass::forward)); };
  REQUIRE(forward().find("winograd") != std::string::npos);
  for (const Slot slot : {Slot::x, Slot::w, Slot::target}) {
    const std::int64_t length = slot == Slot::x ? 34 * 34 * 32 : slot == Slot::w ? 9 * 32 * 32 : 32 * 32 * 32;
    put(session, slot, std::vector<float>(static_cast<std::size_t>(length), 1));
  }
  run_all(session);
  REQUIRE_THAT(set_one(session, wide, "log_cosh"), Succeeds());
  CHECK(session.next() == Step{0, Operation::loss});
  REQUIRE_THAT(set_one(session, wide, "absolute_error"), Succeeds());
  CHECK(forward().find("winograd") == std::string::npos);
  CHECK(session.next() == Step{0, Operation::forward});
  // An algorithm that is asked for stays.
  REQUIRE_THAT(session.set_algorithm(0, Pass::forward, "reference"), Succeeds());
  REQUIRE_THAT(set_one(session, wide, "mse"), Succeeds());
  CHECK(forward() == "reference");
}

TEST_CASE("results of earlier values cannot be read, and steps do not read them", "[session]") {
  Session session = by_hand();
  run_all(session);
  put(session, Slot::x, {1, 2, 3, 4, 5, 6});
  for (const Slot slot : {Slot::y, Slot::dx, Slot::dw}) {
    CAPTURE(std::string(to_string(slot)));
    // dy does not depend on x, but the gate of the ReLU does.
    CHECK(session.values(of(slot)).empty());
    CHECK(session.version(of(slot)) == 0);
  }
  CHECK(session.version(of(Slot::x)) > 0);
  CHECK_THAT(session.run({1, Operation::forward}, {}), Fails(ErrorCode::invalid_argument, "y"));
  CHECK_THAT(session.run({0, Operation::backward_weights}, {}), Fails(ErrorCode::invalid_argument, "dy"));
  // A run that fails leaves no values.
  REQUIRE(session.set_algorithm(0, Pass::forward, "reference").ok());
  const ProgressHook stop{.step = [](void*, std::int64_t, std::int64_t) noexcept { return false; }};
  CHECK_THAT(session.run({0, Operation::forward}, stop), Fails(ErrorCode::cancelled, "progress"));
  CHECK(session.values(of(Slot::y)).empty());
  CHECK(session.next() == Step{0, Operation::forward});
}

TEST_CASE("what a session cannot do is refused by name", "[session]") {
  Session none;
  CHECK_THAT(none.run({}, {}), Fails(ErrorCode::invalid_argument, "layers"));
  CHECK_THAT(none.reserve(of(Slot::w, 1), 1), Fails(ErrorCode::invalid_argument, "layer"));
  CHECK_THAT(none.reserve(of(Slot::w, -1), 1), Fails(ErrorCode::invalid_argument, "layer"));
  CHECK_THAT(none.averages(0), Fails(ErrorCode::invalid_argument, "layers"));
  CHECK(none.values(of(Slot::y)).empty());
  CHECK(none.writable(of(Slot::y)).empty());
  CHECK(!none.planned(0, Pass::forward));

  Session session = by_hand();
  run_all(session);
  std::vector<LayerDesc> wrong = kLayers;
  wrong[2].windows.kh = 9;
  CHECK_THAT(session.set_problem({.h = 2, .w = 3}, wrong), Fails(ErrorCode::kernel_too_large, "layers[2].kh"));
  CHECK(copy(session.values(of(Slot::y, 3))) == std::vector<float>{1});
  CHECK(!session.next());
  // Results are written by steps: also y as the x of the next layer, and dy of all layers but the last.
  for (const TensorId id :
       {of(Slot::y), of(Slot::x, 1), of(Slot::dy), of(Slot::dx), of(Slot::dx, 2), of(Slot::dw), of(Slot::db)}) {
    CAPTURE(std::string(to_string(id.slot)), id.layer);
    CHECK(session.writable(id).empty());
    CHECK(session.reserve(id, 1).code == ErrorCode::invalid_argument);
  }
  for (const std::int64_t layer : {std::int64_t{-1}, std::int64_t{4}, std::numeric_limits<std::int64_t>::max()}) {
    CAPTURE(layer);
    CHECK(session.values(of(Slot::y, layer)).empty());
    CHECK(session.writable(of(Slot::w, layer)).empty());
    CHECK(session.version(of(Slot::x, layer)) == 0);
    CHECK(session.winners(layer).empty());
    CHECK(!session.planned(layer, Pass::forward));
    CHECK(!session.is_current({layer, Operation::forward}));
    CHECK_THAT(session.run({layer, Operation::forward}, {}), Fails(ErrorCode::invalid_argument, "layer"));
    CHECK_THAT(session.set_algorithm(layer, Pass::forward, ""), Fails(ErrorCode::invalid_argument, "layer"));
    CHECK_THAT(session.stage(layer, Stage::x_col, {}).status, Fails(ErrorCode::invalid_argument, "layer"));
    CHECK_THAT(session.averages(layer), Fails(ErrorCode::invalid_argument, "layer"));
  }
  CHECK_THAT(session.run({0, static_cast<Operation>(5)}, {}), Fails(ErrorCode::invalid_argument, "operation"));
  CHECK_THAT(session.run({1, Operation::backward_weights}, {}),
             Fails(ErrorCode::invalid_argument, "operation", {"no weights"}));
  const Status questions[]{session.set_algorithm(1, Pass::forward, ""),
                           session.stage(1, Stage::x_col, {}).status,
                           session.partial(1, Process::forward, 0).status,
                           session.fold(1, FoldMode::sum, 0).status,
                           session.coverage(1),
                           session.products(1, Slot::x, Slot::w, 1).status,
                           session.adjoint(1)};
  for (const Status& status : questions) CHECK_THAT(status, Fails(ErrorCode::unsupported, "layer"));
  CHECK(session.algorithms(1, Pass::forward).empty());
  CHECK_THAT(session.averages(2), Fails(ErrorCode::unsupported, "layer"));
  CHECK(copy(session.values(of(Slot::y, 3))) == std::vector<float>{1});
  put(session, Slot::x, {1, 2, 3, 4, 5, 6});
  CHECK_THAT(session.averages(3), Fails(ErrorCode::length_mismatch, "x"));
}

TEST_CASE("a shorter chain keeps x and w, and has no tensors of the old layers", "[session]") {
  Session session = by_hand();
  run_all(session);
  REQUIRE_THAT(session.set_problem({.h = 2, .w = 3}, std::span(kLayers).first(1)), Succeeds());
  CHECK(copy(session.values(of(Slot::w))) == std::vector<float>{1, -1});
  CHECK(copy(session.values(of(Slot::y))) == std::vector<float>{1, -1, -4, 1});
  CHECK(session.values(of(Slot::y, 1)).empty());
  // The dy that layer 1 computed is not the one that is given now.
  CHECK(session.values(of(Slot::dy)).empty());
  CHECK_THAT(session.run({0, Operation::backward_data}, {}), Fails(ErrorCode::length_mismatch, "layers[0].dy"));
}

TEST_CASE("backward of a chain does not read the winners of another one", "[session]") {
  const LayerDesc max{.kind = "max_pool", .windows = {.kh = 2, .kw = 2}};
  Session session;
  const auto set = [&](std::int64_t h, std::int64_t w) {
    REQUIRE_THAT(session.set_problem({.h = h, .w = w}, {&max, 1}), Succeeds());
    std::vector<float> x(static_cast<std::size_t>(h * w));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
    put(session, Slot::x, x);
    put(session, Slot::dy, std::vector<float>(static_cast<std::size_t>((h - 1) * (w - 1))));
  };
  // Both have 1521 outputs; the indices of the first reach beyond the x of the second.
  set(2, 1522);
  run_all(session);
  set(40, 40);
  CHECK_THAT(session.run({0, Operation::backward_data}, {}), Fails(ErrorCode::invalid_argument, "y"));
  run_all(session);
  // A forward that fails computes nothing.
  put(session, Slot::x, {1});
  CHECK_THAT(session.run({0, Operation::forward}, {}), Fails(ErrorCode::length_mismatch, "layers[0].x"));
  CHECK_THAT(session.run({0, Operation::backward_data}, {}), Fails(ErrorCode::invalid_argument, "y"));
}
