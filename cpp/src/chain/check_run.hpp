#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "base/scratch.hpp"
#include "conv2d_teach/chain.hpp"
#include "layers/entry.hpp"

/// The forward passes for a gradient check of a chain.
namespace conv2d {

/// x, and w and b of all layers, as T: views of the same type, or copies.
template <class T>
class CheckTensors {
 public:
  /// `convert`: applied to each value of a copy. False: not enough memory.
  template <class U>
  [[nodiscard]] bool copy(const ChainCheckInputs<U>& in, T (*convert)(U)) noexcept {
    const auto take = [&](std::span<const U> from, Scratch<T>& to, std::span<const T>& view) {
      if (!to.allocate(std::ssize(from))) return false;
      std::ranges::transform(from, to.span().begin(), convert);
      view = to.span().first(from.size());
      return true;
    };
    bool fits = take(in.x, x_, x);
    for (std::size_t i = 0; i < in.layers.size(); ++i) {
      fits = fits && take(in.layers[i].w, w_[i], w[i]) && take(in.layers[i].b, b_[i], b[i]);
    }
    return fits;
  }

  void view(const ChainCheckInputs<T>& in) noexcept {
    x = in.x;
    for (std::size_t i = 0; i < in.layers.size(); ++i) {
      w[i] = in.layers[i].w;
      b[i] = in.layers[i].b;
    }
  }

  std::span<const T> x;
  std::array<std::span<const T>, kMaxLayers> w, b;

 private:
  Scratch<T> x_;
  std::array<Scratch<T>, kMaxLayers> w_, b_;
};

/// Outputs and winners of all layers.
template <class T>
struct Outputs {
  std::array<Scratch<T>, kMaxLayers> y;
  std::array<Scratch<std::int32_t>, kMaxLayers> winners;

  [[nodiscard]] bool allocate(std::span<const LayerInfo> chain) noexcept {
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const LayerInfo& layer = chain[i];
      if (!y[i].allocate(layer.geometry.y_size) || !winners[i].allocate(layer.winners_size)) return false;
    }
    return true;
  }
};

/// A chain at the value of a parameter, and with one of its elements changed.
template <class T>
class CheckRun {
 public:
  CheckRun(std::span<const LayerInfo> chain, const ChainParameter& of) noexcept : chain_(chain), of_(of) {}

  [[nodiscard]] bool allocate(std::int64_t size) noexcept {
    return base.allocate(chain_) && above.allocate(chain_) && below.allocate(chain_) && high_.values.allocate(size) &&
           low_.values.allocate(size);
  }

  /// Runs all layers. Precondition: allocate() and `tensors`.
  void prepare() noexcept {
    for (std::size_t i = 0; i < chain_.size(); ++i) run(i, base, {});
    std::ranges::copy(parameter(), high_.values.span().begin());
    std::ranges::copy(parameter(), low_.values.span().begin());
  }

  /// The unchanged parameter.
  [[nodiscard]] std::span<const T> parameter() const noexcept {
    if (of_.parameter == Parameter::w) return tensors.w[of_.layer];
    if (of_.parameter == Parameter::b) return tensors.b[of_.layer];
    return of_.layer == 0 ? tensors.x : std::span<const T>(base.y[of_.layer - 1].span());
  }

  /// Computes `above` or `below` with one element at `value`.
  void raise(std::size_t at, T value) noexcept { set(at, value, high_, above); }
  void lower(std::size_t at, T value) noexcept { set(at, value, low_, below); }

  [[nodiscard]] std::span<const T> last(const Outputs<T>& outputs) const noexcept {
    return outputs.y[chain_.size() - 1].span();
  }

  /// The tensors of layer i, with its outputs in `outputs`; `changed` in place of the parameter, unless it is empty.
  /// The outputs of the layers before the parameter's are those of `base`.
  [[nodiscard]] layers::Run<T> run_of(std::size_t i, const Outputs<T>& outputs,
                                      std::span<const T> changed = {}) const noexcept {
    const bool is_before = i <= of_.layer;
    layers::Run<T> r{.x = i == 0 ? tensors.x : std::span<const T>((is_before ? base : outputs).y[i - 1].span()),
                     .w = tensors.w[i],
                     .b = tensors.b[i],
                     .y = outputs.y[i].span(),
                     .winners = outputs.winners[i].span()};
    if (i == of_.layer && !changed.empty()) {
      (of_.parameter == Parameter::x ? r.x : of_.parameter == Parameter::w ? r.w : r.b) = changed;
    }
    return r;
  }
  [[nodiscard]] layers::Run<T> run_above(std::size_t i) const noexcept { return run_of(i, above, high_.values.span()); }
  [[nodiscard]] layers::Run<T> run_below(std::size_t i) const noexcept { return run_of(i, below, low_.values.span()); }

  CheckTensors<T> tensors;
  Outputs<T> base, above, below;

 private:
  void run(std::size_t i, const Outputs<T>& outputs, std::span<const T> changed) const noexcept {
    const LayerInfo& layer = chain_[i];
    layers::checks_of(layer).template reference<T>().forward(layer, run_of(i, outputs, changed));
  }

  /// The parameter with one element changed.
  struct Changed {
    Scratch<T> values;
    std::size_t at = 0;
  };

  void set(std::size_t at, T value, Changed& changed, const Outputs<T>& outputs) const noexcept {
    const std::span<T> values = changed.values.span();
    values[changed.at] = parameter()[changed.at];
    values[at] = value;
    changed.at = at;
    for (std::size_t i = of_.layer; i < chain_.size(); ++i) run(i, outputs, values);
  }

  std::span<const LayerInfo> chain_;
  ChainParameter of_;
  Changed high_, low_;
};

}  // namespace conv2d
