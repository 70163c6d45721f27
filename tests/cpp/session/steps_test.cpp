#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "session/fixture.hpp"
#include "support/environment.hpp"
#include "support/matchers.hpp"
#include "support/random_kinds.hpp"

using namespace conv2d;
using namespace conv2d::session;
using namespace conv2d::test;

namespace {

constexpr Pass kPasses[]{Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias};

/// What a session was told: everything that decides its results.
struct Told {
  ChainInput input;
  std::vector<LayerDesc> layers;
  std::vector<float> x, target, dy;
  struct Weights {
    std::vector<float> w, b;
    std::array<std::string, 4> algorithms;
  };
  std::vector<Weights> weights;
  Loss loss = Loss::mse;
};

std::int64_t last_of(const Session& session) { return static_cast<std::int64_t>(session.chain()->size()) - 1; }

void run_all(Session& session) {
  while (const auto step = session.next()) REQUIRE_THAT(session.run(*step, {}), Succeeds());
}

/// Tells a session everything that it does not know yet.
void tell(Session& session, const Told& told) {
  REQUIRE_THAT(session.set_problem(told.input, told.layers), Succeeds());
  REQUIRE(session.set_loss(told.loss).ok());
  put(session, Slot::x, told.x);
  put(session, Slot::target, told.target);
  for (std::size_t i = 0; i < told.layers.size(); ++i) {
    const auto layer = static_cast<std::int64_t>(i);
    if (session.chain()->layer(i).w_size == 0) continue;
    put(session, of(Slot::w, layer), told.weights[i].w);
    put(session, of(Slot::b, layer), told.weights[i].b);
    for (const Pass pass : kPasses) {
      REQUIRE_THAT(session.set_algorithm(layer, pass, told.weights[i].algorithms[static_cast<std::size_t>(pass)]),
                   Succeeds());
    }
  }
  if (told.loss == Loss::linear) put(session, of(Slot::dy, last_of(session)), told.dy);
}

/// The first tensor of two sessions that differs in a bit.
Failure difference_of_sessions(const Session& got, const Session& expected) {
  const auto differs = [&](TensorId id) {
    return !HasBitsOf(copy(expected.values(id))).match(copy(got.values(id))) ||
           got.values(id).size() != expected.values(id).size();
  };
  for (std::int64_t layer = 0; layer <= last_of(expected); ++layer) {
    for (const Slot slot : {Slot::x, Slot::y, Slot::dy, Slot::dx, Slot::dw, Slot::db}) {
      if (differs({layer, slot})) return std::to_string(layer) + "." + std::string(to_string(slot)) + " differs";
    }
    if (!std::ranges::equal(got.winners(layer), expected.winners(layer))) return std::to_string(layer) + ".winners";
  }
  const bool has_loss = !std::isnan(expected.loss());
  return has_loss && got.loss() != expected.loss() ? Failure("loss differs") : Failure{};
}

/// Edits a problem and a session of it at random.
class Editor {
 public:
  explicit Editor(Rng& rng) : rng_(rng) {
    told_.input = {.n = rng.between(1, 2), .h = rng.between(4, 9), .w = rng.between(4, 9), .c = rng.between(1, 5)};
    told_.layers = {{.windows = {.k = 2, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same}}};
    fit();
    tell(session, told_);
  }

  void edit() {
    switch (rng_.between(0, 7)) {
      case 0: {
        fill(told_.x);
        return put(session, Slot::x, told_.x);
      }
      case 1:
        return edit_weights();
      case 2:
        return edit_loss();
      case 3:
        return edit_algorithm();
      case 4:
        return add_layer();
      case 5:
        return remove_layer();
      case 6: {
        told_.input.h = rng_.between(4, 9);
        return change_problem();
      }
      default: {
        fill(told_.target);
        put(session, Slot::target, told_.target);
      }
    }
  }

  [[nodiscard]] const Told& told() const { return told_; }
  Session session;

 private:
  void fill(std::vector<float>& values) {
    for (float& value : values) value = rng_.real();
  }

  void edit_weights() {
    const std::size_t i = convolution();
    const bool of_w = rng_.one_in(2);
    std::vector<float>& values = of_w ? told_.weights[i].w : told_.weights[i].b;
    fill(values);
    put(session, of(of_w ? Slot::w : Slot::b, static_cast<std::int64_t>(i)), values);
  }

  void edit_loss() {
    constexpr Loss kLosses[]{Loss::linear, Loss::mse, Loss::log_cosh};
    told_.loss = kLosses[rng_.between(0, 2)];
    REQUIRE(session.set_loss(told_.loss).ok());
    if (told_.loss != Loss::linear) return;
    fill(told_.dy);
    put(session, of(Slot::dy, last_of(session)), told_.dy);
  }

  void edit_algorithm() {
    const std::size_t i = convolution();
    const Pass pass = kPasses[rng_.between(0, 3)];
    std::vector<std::string> names{""};
    for (const AlgorithmInfo& info : session.algorithms(static_cast<std::int64_t>(i), pass)) {
      if (info.supported) names.emplace_back(info.name);
    }
    std::string& name = told_.weights[i].algorithms[static_cast<std::size_t>(pass)];
    name = names[static_cast<std::size_t>(rng_.between(0, std::ssize(names) - 1))];
    REQUIRE_THAT(session.set_algorithm(static_cast<std::int64_t>(i), pass, name), Succeeds());
  }

  void add_layer() {
    if (told_.layers.size() == 4) return;
    const auto at = rng_.between(0, std::ssize(told_.layers));
    LayerDesc layer{.kind = random_kind(rng_),
                    .windows = {.k = rng_.between(1, 3), .kh = 2, .kw = 2, .padding_mode = PaddingMode::same}};
    layer.options = random_options(rng_, layer.kind, false);
    told_.layers.insert(told_.layers.begin() + at, layer);
    told_.weights.insert(told_.weights.begin() + at, Told::Weights{});
    change_problem();
  }

  void remove_layer() {
    if (told_.layers.size() == 1) return;
    const auto at = rng_.between(0, std::ssize(told_.layers) - 1);
    told_.layers.erase(told_.layers.begin() + at);
    told_.weights.erase(told_.weights.begin() + at);
    change_problem();
  }

  /// As the page: all that has another size or place is sent again.
  void change_problem() {
    if (std::ranges::none_of(told_.layers, [](const LayerDesc& layer) { return layer.kind == "conv"; })) {
      told_.layers.push_back({.windows = {.k = 2, .kh = 2, .kw = 2, .padding_mode = PaddingMode::same}});
    }
    fit();
    tell(session, told_);
  }

  /// Draws new values for tensors that have another length.
  void fit() {
    const auto infos = resolve_chain({.layout = told_.input.layout,
                                      .n = told_.input.n,
                                      .h = told_.input.h,
                                      .w = told_.input.w,
                                      .c = told_.input.c,
                                      .layers = told_.layers})
                           .value();
    const auto draw = [&](std::vector<float>& values, std::int64_t length) {
      if (std::ssize(values) == length) return;
      values.resize(static_cast<std::size_t>(length));
      fill(values);
    };
    draw(told_.x, infos.front().geometry.x_size);
    draw(told_.target, infos.back().geometry.y_size);
    draw(told_.dy, infos.back().geometry.y_size);
    told_.weights.resize(infos.size());
    for (std::size_t i = 0; i < infos.size(); ++i) {
      draw(told_.weights[i].w, infos[i].w_size);
      if (!told_.weights[i].b.empty() || rng_.one_in(2)) draw(told_.weights[i].b, infos[i].b_size);
      told_.weights[i].algorithms = {};
    }
  }

  [[nodiscard]] std::size_t convolution() {
    for (;;) {
      const auto i = static_cast<std::size_t>(rng_.between(0, std::ssize(told_.layers) - 1));
      if (told_.layers[i].kind == "conv") return i;
    }
  }

  Rng& rng_;
  Told told_;
};

/// The chain of "convolution, ReLU, maximum and average by hand" in layers/chain_test.cpp.
const std::vector<LayerDesc> kLayers{{.windows = {.k = 1, .kh = 1, .kw = 2}},
                                     {.kind = "relu"},
                                     {.kind = "max_pool", .windows = {.kh = 2, .stride_h = 2}},
                                     {.kind = "average_pool", .windows = {.kw = 2}}};

Session by_hand() {
  Session session;
  REQUIRE_THAT(session.set_problem({.h = 2, .w = 3}, kLayers), Succeeds());
  put(session, Slot::x, {5, 3, 3, 1, 4, 2});
  put(session, Slot::w, {1, -1});
  put(session, Slot::b, {-1});
  put(session, of(Slot::dy, 3), {8});
  return session;
}

}  // namespace

TEST_CASE("a session after random edits has the bits of a new one", "[session]") {
  Rng rng(property_seed());
  int kept = 0;
  for (int turn = 0; turn < 30; ++turn) {
    Editor editor(rng);
    for (int edits = 0; edits < 25; ++edits) {
      for (std::int64_t count = rng.between(1, 3); count > 0; --count) editor.edit();
      // Not all steps run between two edits.
      for (std::int64_t steps = rng.between(0, 6); steps > 0; --steps) {
        const auto step = editor.session.next();
        if (step) REQUIRE_THAT(editor.session.run(*step, {}), Succeeds());
      }
      if (rng.one_in(2)) continue;
      if (editor.session.is_current({0, Operation::forward})) ++kept;
      run_all(editor.session);
      Session fresh;
      tell(fresh, editor.told());
      run_all(fresh);
      CAPTURE(turn, edits, editor.told().layers.size());
      REQUIRE_THAT(difference_of_sessions(editor.session, fresh), NoFailure());
    }
  }
  CHECK(kept > 20);  // otherwise every step ran every time
}

TEST_CASE("the comparison of two sessions finds a tensor that differs", "[session]") {
  Session one = by_hand(), other = by_hand();
  run_all(one);
  run_all(other);
  REQUIRE_THAT(difference_of_sessions(one, other), NoFailure());
  put(other, Slot::b, {-0.5F});
  run_all(other);
  CHECK_THAT(difference_of_sessions(one, other), !NoFailure());
}

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
  Session session = by_hand();
  REQUIRE(session.set_loss(Loss::mse).ok());
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
          REQUIRE(session.set_loss(Loss::mse).ok());
          put(session, Slot::target, std::vector<float>(9, 1));
        }) == "0l 2d 2w 2b 1d 1w 1b 0d 0w 0b ");
  CHECK(steps_of([&] { put(session, of(Slot::w, 2), {0, 1}); }) == "2y 0l 2d 2w 2b 1d 1w 1b 0d 0w 0b ");
  CHECK(steps_of([&] { REQUIRE_THAT(session.set_problem({.h = 5, .w = 4}, layers), Succeeds()); }).empty());
  // Only what is asked for.
  put(session, of(Slot::w, 2), {1, 1});
  CHECK(!session.next(only(Operation::backward_bias) & 0U));
  CHECK(session.next(only(Operation::loss)) == Step{0, Operation::loss});
  CHECK(session.next(only(Operation::backward_bias)) == Step{2, Operation::backward_bias});
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
