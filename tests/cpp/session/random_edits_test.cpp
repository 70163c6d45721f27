#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "session/chain_by_hand.hpp"
#include "support/environment.hpp"
#include "support/losses.hpp"
#include "support/matchers.hpp"
#include "support/random_kinds.hpp"

using namespace conv2d;
using namespace conv2d::session;
using namespace conv2d::test;

namespace {

constexpr Pass kPasses[]{Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias};

/// What a session was told: everything that decides its results.
struct Told {
  ChainDesc input;
  std::vector<LayerDesc> layers;
  std::vector<float> x, target, dy;
  struct Weights {
    std::vector<float> w, b;
    std::array<std::string, 4> algorithms;
  };
  std::vector<Weights> weights;
  std::string_view loss = "mse";
};

std::int64_t last_of(const Session& session) { return static_cast<std::int64_t>(session.chain()->size()) - 1; }

void put_target(Session& session, const Told& told) {
  std::vector<float> target = told.target;
  if (told.loss == "cross_entropy") {
    make_distributions(target, LossChannels::of(session.chain()->layers().back()));
  }
  put(session, Slot::target, target);
}

/// Tells a session everything that it does not know yet.
void tell(Session& session, const Told& told) {
  REQUIRE_THAT(session.set_problem(told.input, told.layers, told.loss), Succeeds());
  put(session, Slot::x, told.x);
  put_target(session, told);
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
  if (told.loss == "linear") put(session, of(Slot::dy, last_of(session)), told.dy);
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
        put_target(session, told_);
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
    told_.loss = loss_names()[static_cast<std::size_t>(rng_.between(0, std::ssize(loss_names()) - 1))];
    REQUIRE_THAT(session.set_problem(told_.input, told_.layers, told_.loss), Succeeds());
    put_target(session, told_);
    if (told_.loss != "linear") return;
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
    draw(told_.x, infos.front().x_size);
    draw(told_.target, infos.back().y_size);
    draw(told_.dy, infos.back().y_size);
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
