#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "conv2d_teach/losses.hpp"
#include "layers/chain_values.hpp"
#include "support/golden.hpp"
#include "support/json.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

// 500 chains with all outputs and gradients of PyTorch in float64: tests/golden/README.md.

namespace {

std::vector<double> numbers_of(const Json& array) {
  std::vector<double> values;
  for (const Json& item : array.items()) values.push_back(item.as_double());
  return values;
}

std::vector<std::int64_t> integers_of(const Json& array) {
  std::vector<std::int64_t> values;
  for (const Json& item : array.items()) values.push_back(item.as_int());
  return values;
}

LayerDesc layer_of(const Json& json) {
  LayerDesc layer{.kind = json.at("kind").as_string()};
  if (const Json* alpha = json.find("alpha")) layer.options = {{{"alpha", alpha->as_double()}}};
  if (!json.find("window")) return layer;
  const auto window = integers_of(json.at("window")), stride = integers_of(json.at("stride"));
  const auto padding = integers_of(json.at("padding"));
  layer.windows = {.kh = window[0],
                   .kw = window[1],
                   .stride_h = stride[0],
                   .stride_w = stride[1],
                   .padding = {padding[0], padding[1], padding[2], padding[3]}};
  if (const Json* include = json.find("count_include_pad")) {
    layer.options = {{{"count_include_pad", include->as_bool() ? 1.0 : 0.0}}};
  }
  if (const Json* sizes = json.find("output_padding")) {
    const auto output_padding = integers_of(*sizes);
    layer.options = {{{"output_padding_h", static_cast<double>(output_padding[0])},
                      {"output_padding_w", static_cast<double>(output_padding[1])}}};
  }
  if (layer.kind.starts_with("conv")) {
    const auto dilation = integers_of(json.at("dilation"));
    layer.windows.k = json.at("k").as_int();
    layer.windows.groups = json.at("groups").as_int();
    layer.windows.dilation_h = dilation[0];
    layer.windows.dilation_w = dilation[1];
  }
  return layer;
}

/// Where element t of a tensor of this shape in NCHW (OIHW) is in NHWC (HWIO).
template <class Element>
std::vector<Element> in_layout(const std::vector<Element>& values, const std::array<std::int64_t, 4>& shape,
                               bool channels_last, bool weights) {
  if (!channels_last) return values;
  const auto [a, b, c, d] = shape;
  std::vector<Element> moved(values.size());
  for (std::int64_t t = 0; t < std::ssize(values); ++t) {
    const std::int64_t at[]{t / (b * c * d), t / (c * d) % b, t / d % c, t % d};
    const std::int64_t to =
        weights ? ((at[2] * d + at[3]) * b + at[1]) * a + at[0] : ((at[0] * c + at[2]) * d + at[3]) * b + at[1];
    moved[static_cast<std::size_t>(to)] = values[static_cast<std::size_t>(t)];
  }
  return moved;
}

std::vector<float> floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

/// The stored chain in one layout.
class Stored {
 public:
  Stored(const Json& json, Layout layout) : json_(json), last_(layout == Layout::nhwc) {
    for (const Json& layer : json.at("layers").items()) layers_.push_back(layer_of(layer));
    const auto shape = integers_of(json.at("shape"));
    chain_.emplace(
        plan_chain({.layout = layout, .n = shape[0], .h = shape[2], .w = shape[3], .c = shape[1], .layers = layers_})
            .value());
  }

  [[nodiscard]] const Chain& chain() const { return *chain_; }

  void fill(ChainValues<float>& values) const {
    values.x = floats(activation(json_.at("x"), 0));
    for (std::size_t i = 0; i < chain().size(); ++i) {
      const Json& layer = json_.at("layers").items()[i];
      if (const Json* w = layer.find("w")) values.layers[i].w = floats(weights(*w, i));
      const Json* b = layer.find("b");
      values.layers[i].b = b ? floats(numbers_of(*b)) : std::vector<float>{};
      if (!b) values.layers[i].db.clear();
    }
  }

  /// Computes y, the loss, its gradient, and all gradients.
  void run(ChainValues<float>& values) const {
    const ChainTensors<float> tensors = values.tensors();
    REQUIRE_THAT(forward(chain(), tensors, {.workspace = values.workspace}), Succeeds());
    const std::string_view loss = this->loss();
    const std::vector<float> other = floats(activation(json_.at("other"), chain().size()));
    std::vector<float>& y = values.layers.back().y;
    const LossChannels channels = LossChannels::of(chain().layers().back());
    REQUIRE_THAT(loss_gradient<float>(loss, y, other, values.layers.back().dy, channels), Succeeds());
    const double value = static_cast<double>(loss_value<float>(loss, y, other, channels).value());
    const double expected = json_.at("value").as_double();
    CHECK(std::abs(value - expected) <= (exact() ? 0 : 1e-5 * std::max(1.0, std::abs(expected))));
    REQUIRE_THAT(backward(chain(), tensors, {.workspace = values.workspace}), Succeeds());
  }

  [[nodiscard]] bool exact() const { return json_.at("exact").as_bool(); }

  /// The first tensor that is not as stored: exactly for integers, else within the roundings of its sums.
  [[nodiscard]] Failure failure(ChainValues<float>& got) const {
    const ChainValues<double> magnitudes = magnitudes_of(got);
    const auto compare = [&](const std::string& name, const std::vector<float>& values, std::vector<double> expected,
                             const std::vector<double>& magnitude) -> Failure {
      const Failure failure = exact() ? difference(values, expected)
                                      : difference_beyond_bound(values, {std::move(expected), magnitude}, roundings());
      return failure ? Failure(name + ": " + *failure) : Failure{};
    };
    for (std::size_t i = 0; i < chain().size(); ++i) {
      const Json& layer = json_.at("layers").items()[i];
      const auto& own = got.layers[i];
      const auto& bound = magnitudes.layers[i];
      const std::string name = std::to_string(i) + ".";
      if (Failure f = compare(name + "y", own.y, activation(layer.at("y"), i + 1), bound.y)) return f;
      if (Failure f = compare(name + "dy", own.dy, activation(layer.at("dy"), i + 1), bound.dy)) return f;
      if (const Json* dw = layer.find("dw")) {
        if (Failure f = compare(name + "dw", own.dw, weights(*dw, i), bound.dw)) return f;
      }
      if (const Json* db = layer.find("db")) {
        if (Failure f = compare(name + "db", own.db, numbers_of(*db), bound.db)) return f;
      }
      if (const Json* winners = layer.find("winners")) {
        if (own.winners != winners_of(*winners, i)) return name + "winners differ";
      }
    }
    return compare("dx", got.dx, activation(json_.at("dx"), 0), magnitudes.dx);
  }

 private:
  [[nodiscard]] std::string_view loss() const {
    const std::string& name = json_.at("loss").as_string();
    return name;
  }

  /// [n, c, h, w] of activation i: 0 is x, then the outputs.
  [[nodiscard]] std::array<std::int64_t, 4> shape(std::size_t i) const {
    const LayerInfo& layer = chain().layer(i == 0 ? 0 : i - 1);
    const auto& own = i == 0 ? layer.x_shape : layer.y_shape;
    return last_ ? std::array{own[0], own[3], own[1], own[2]} : own;
  }
  [[nodiscard]] std::vector<double> activation(const Json& json, std::size_t i) const {
    return in_layout(numbers_of(json), shape(i), last_, false);
  }
  [[nodiscard]] std::vector<double> weights(const Json& json, std::size_t i) const {
    const Geometry& g = chain().layer(i).geometry;
    return in_layout(numbers_of(json), {g.k, g.group_c, g.kh, g.kw}, last_, true);
  }
  /// The indices, too, are those of NCHW.
  [[nodiscard]] std::vector<std::int32_t> winners_of(const Json& json, std::size_t i) const {
    std::vector<double> places(static_cast<std::size_t>(chain().layer(i).x_size));
    for (std::size_t t = 0; t < places.size(); ++t) places[t] = static_cast<double>(t);
    const std::vector<double> moved = in_layout(places, shape(i), last_, false);
    std::vector<std::int32_t> place_of(places.size());
    for (std::size_t t = 0; t < moved.size(); ++t) {
      place_of[static_cast<std::size_t>(moved[t])] = static_cast<std::int32_t>(t);
    }
    std::vector<std::int32_t> winners;
    for (const double winner : activation(json, i + 1)) {
      winners.push_back(place_of[static_cast<std::size_t>(winner)]);
    }
    return winners;
  }

  /// The chain on magnitudes, with the winners of `got`: an upper bound of the sum of |products| of every element.
  [[nodiscard]] ChainValues<double> magnitudes_of(ChainValues<float>& got) const {
    ChainValues<double> result(chain());
    result.copy_inputs(got);
    const auto absolute = [](std::vector<double>& values) {
      for (double& value : values) value = std::abs(value) + 1e-30;
    };
    absolute(result.x);
    for (auto& layer : result.layers) absolute(layer.w), absolute(layer.b);
    const ChainTensors<double> forward_tensors = result.tensors();
    reference::forward(chain(), forward_tensors);
    for (std::size_t i = 0; i < result.layers.size(); ++i) result.layers[i].winners = got.layers[i].winners;
    // A loss computes its dy from y. The error of y is relative to its magnitude.
    auto& last = result.layers.back();
    // That of cross_entropy, from all channels of a position.
    const bool is_softmax = loss() == "cross_entropy";
    const std::size_t channels = is_softmax ? LossChannels::of(chain().layers().back()).count : 1;
    const double most = is_softmax ? *std::ranges::max_element(last.y) : 0;
    const auto divisor = static_cast<double>(last.y.size() / channels);
    for (std::size_t t = 0; t < last.dy.size(); ++t) {
      last.dy[t] = std::abs(last.dy[t]);
      if (loss() != "linear") last.dy[t] += (std::max(last.y[t], most) + 1) / divisor;
    }
    const ChainTensors<double> backward_tensors = result.tensors();
    reference::backward(chain(), backward_tensors);
    return result;
  }

  /// The roundings of all sums of the chain, forward and backward.
  [[nodiscard]] double roundings() const {
    std::int64_t count = 8;
    for (std::size_t i = 0; i < chain().size(); ++i) {
      const Geometry& g = chain().layer(i).geometry;
      count += 2 * g.kh * g.kw * std::max(g.group_c, g.group_k) + g.n * std::max(g.oh * g.ow, g.h * g.w) + 4;
    }
    return static_cast<double>(count);
  }

  const Json& json_;
  bool last_;
  std::vector<LayerDesc> layers_;
  std::optional<Chain> chain_;
};

}  // namespace

TEST_CASE("500 chains have the outputs and gradients of PyTorch, in NCHW and NHWC", "[layers]") {
  const Json all = golden("chains.json");
  REQUIRE(all.items().size() == 500);
  int place = 0;
  for (const Json& json : all.items()) {
    for (const Layout layout : kLayouts) {
      CAPTURE(place, to_string(layout));
      const Stored stored(json, layout);
      ChainValues<float> values(stored.chain());
      stored.fill(values);
      stored.run(values);
      CHECK_THAT(stored.failure(values), NoFailure());
      // The comparison rejects one wrong number.
      auto& wrong = place % 2 == 0 ? values.dx : values.layers[0].y;
      float& cell = wrong[static_cast<std::size_t>(place) % wrong.size()];
      cell += stored.exact() ? 1.0F / 1024 : 1e-3F;
      CHECK_THAT(stored.failure(values), !NoFailure());
    }
    ++place;
  }
}
