#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "conv2d_teach/chain.hpp"
#include "support/random_kinds.hpp"
#include "support/rng.hpp"

namespace conv2d::test {

/// The tensors of a chain with their memory. Outputs start as NaN.
template <class T>
struct ChainValues {
  struct Layer {
    std::vector<T> w, b, y, dy, dw, db;
    std::vector<std::int32_t> winners;
  };

  explicit ChainValues(const Chain& chain, bool bias = true) {
    const auto size = [](std::int64_t count) { return static_cast<std::size_t>(count); };
    const T nan = std::numeric_limits<T>::quiet_NaN();
    x.assign(size(chain.layer(0).x_size), 0);
    dx.assign(x.size(), nan);
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const LayerInfo& info = chain.layer(i);
      const std::size_t y = size(info.y_size);
      const std::size_t biases = bias ? size(info.b_size) : 0;
      layers.push_back({.w = std::vector<T>(size(info.w_size)),
                        .b = std::vector<T>(biases),
                        .y = std::vector<T>(y, nan),
                        .dy = std::vector<T>(y, nan),
                        .dw = std::vector<T>(size(info.w_size), nan),
                        .db = std::vector<T>(size(info.b_size), nan),
                        .winners = std::vector<std::int32_t>(size(info.winners_size), -1)});
    }
    workspace.assign(size(chain.memory().workspace_floats), std::numeric_limits<float>::quiet_NaN());
  }

  /// Draws x, w, b and the last dy.
  template <class Draw>
  void fill(Draw draw) {
    const auto all = [&](std::vector<T>& values) {
      for (T& value : values) value = static_cast<T>(draw());
    };
    all(x);
    for (Layer& layer : layers) all(layer.w), all(layer.b);
    all(layers.back().dy);
  }

  /// The same inputs in another type.
  template <class Other>
  void copy_inputs(const ChainValues<Other>& other) {
    x.assign(other.x.begin(), other.x.end());
    for (std::size_t i = 0; i < layers.size(); ++i) {
      layers[i].w.assign(other.layers[i].w.begin(), other.layers[i].w.end());
      layers[i].b.assign(other.layers[i].b.begin(), other.layers[i].b.end());
    }
    layers.back().dy.assign(other.layers.back().dy.begin(), other.layers.back().dy.end());
  }

  [[nodiscard]] ChainTensors<T> tensors() {
    spans.clear();
    for (Layer& layer : layers) {
      spans.push_back({.w = layer.w,
                       .b = layer.b,
                       .y = layer.y,
                       .winners = layer.winners,
                       .dy = layer.dy,
                       .dw = layer.dw,
                       .db = layer.db});
    }
    return {.x = x, .dx = dx, .layers = spans};
  }

  std::vector<T> x, dx;
  std::vector<Layer> layers;
  std::vector<float> workspace;
  std::vector<LayerTensors<T>> spans;
};

/// Forward and backward with the kernels; the first status that is not ok.
inline Status run_chain(const Chain& chain, ChainValues<float>& values) {
  const ChainTensors<float> tensors = values.tensors();
  Status status = forward(chain, tensors, {.workspace = values.workspace});
  return status.ok() ? backward(chain, tensors, {.workspace = values.workspace}) : status;
}

/// The same by the reference.
template <class T>
void run_reference(const Chain& chain, ChainValues<T>& values) {
  const ChainTensors<T> tensors = values.tensors();
  reference::forward(chain, tensors);
  reference::backward(chain, tensors);
}

/// A layer that fits rows x columns of `channels`; `exact`: the sums of its integers are exact in float.
inline LayerDesc random_layer(Rng& rng, std::int64_t rows, std::int64_t columns, std::int64_t channels, bool exact) {
  LayerDesc layer{.kind = random_kind(rng)};
  layer.options = random_options(rng, layer.kind, exact);
  ConvDesc& d = layer.windows;
  d.kh = rng.between(1, 3);
  d.kw = rng.between(1, 3);
  d.stride_h = rng.between(1, 3);
  d.stride_w = rng.between(1, 3);
  if (layer.kind == "average_pool" && exact) d.kh = 1 << rng.between(0, 1), d.kw = 1 << rng.between(0, 1);
  constexpr PaddingMode kModes[]{PaddingMode::explicit_sides, PaddingMode::valid, PaddingMode::same, PaddingMode::full};
  d.padding_mode = kModes[rng.between(0, 3)];
  d.padding = {rng.between(0, d.kh - 1), rng.between(0, d.kh - 1), rng.between(0, d.kw - 1), rng.between(0, d.kw - 1)};
  if (layer.kind.starts_with("conv")) {
    d.k = rng.between(1, 20);
    d.dilation_h = rng.between(1, 2);
    if (rng.one_in(3)) d.groups = channels, d.k = channels * rng.between(1, 2);
  }
  if (layer.kind == "conv_transpose") {
    const bool is_same = d.padding_mode == PaddingMode::same;
    for (auto& [name, value] : layer.options) {
      value =
          is_same ? 0 : static_cast<double>(rng.between(0, (name == "output_padding_h" ? d.stride_h : d.stride_w) - 1));
    }
    // Something is left of y.
    const bool is_cut = rows * columns == 1 || d.padding_mode == PaddingMode::full;
    if (!is_same && is_cut) d.padding_mode = PaddingMode::valid;
    d.padding = {std::min<std::int64_t>(d.padding.top, 1), 0, 0, std::min<std::int64_t>(d.padding.right, 1)};
    return layer;
  }
  const bool no_padding = d.padding_mode == PaddingMode::valid;
  const std::int64_t dilated = (d.kh - 1) * d.dilation_h + 1;
  if (no_padding && (rows < dilated || columns < d.kw)) d.padding_mode = PaddingMode::full;
  if (d.padding_mode == PaddingMode::explicit_sides &&
      (rows + d.padding.top + d.padding.bottom < dilated || columns + d.padding.left + d.padding.right < d.kw)) {
    d.padding_mode = PaddingMode::full;
  }
  return layer;
}

/// One to four layers.
struct RandomChain {
  RandomChain(Rng& rng, Layout layout, bool exact) {
    desc = {.layout = layout,
            .n = rng.between(1, 2),
            .h = rng.between(1, 9),
            .w = rng.between(1, 20),
            .c = rng.one_in(2) ? rng.between(1, 4) : rng.between(5, 35)};
    std::int64_t rows = desc.h, columns = desc.w, channels = desc.c;
    for (std::int64_t i = rng.between(1, 4); i > 0; --i) {
      layers.push_back(random_layer(rng, rows, columns, channels, exact));
      ChainDesc so_far = desc;
      so_far.layers = layers;
      const LayerInfo last = plan_chain(so_far).value().layer(layers.size() - 1);
      const std::size_t row = layout == Layout::nhwc ? 1 : 2;
      rows = last.y_shape[row], columns = last.y_shape[row + 1], channels = last.channels;
    }
    desc.layers = layers;
  }
  RandomChain(const RandomChain&) = delete;
  RandomChain& operator=(const RandomChain&) = delete;

  ChainDesc desc;
  std::vector<LayerDesc> layers;
};

}  // namespace conv2d::test
