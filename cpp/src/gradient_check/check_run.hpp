#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "base/checked.hpp"
#include "base/scratch.hpp"
#include "conv2d_teach/gradient_check.hpp"
#include "gradient_check/dependents.hpp"
#include "layers/layer_tables.hpp"

/// The forward passes for a gradient check.
namespace conv2d {

/// Allocates memory, and counts it for the error.
class Room {
 public:
  template <class T>
  void take(Scratch<T>& to, std::int64_t count) noexcept {
    bytes_ = bytes_ + CheckedInt(count) * std::int64_t{sizeof(T)};
    fits_ = fits_ && to.allocate(count);
  }
  [[nodiscard]] bool fits() const noexcept { return fits_; }
  [[nodiscard]] std::int64_t bytes() const noexcept { return bytes_.value_or(kMaxCount); }

 private:
  CheckedInt bytes_ = 0;
  bool fits_ = true;
};

/// Elements of a parameter.
inline std::int64_t size_of(std::span<const LayerInfo> chain, const ChainParameter& of) noexcept {
  const LayerInfo& layer = chain[of.layer];
  if (of.parameter == Parameter::x) return layer.x_size;
  return of.parameter == Parameter::w ? layer.w_size : layer.b_size;
}

/// Whether a chain is one convolution.
inline bool is_conv(std::span<const LayerInfo> chain) noexcept {
  return chain.size() == 1 && chain[0].is_convolution();
}

/// A chain at the value of a parameter, and with one of its elements changed. Of one convolution only the outputs that
/// are asked for are computed; otherwise all layers from the parameter's on run again.
template <class T>
class CheckRun {
 public:
  /// Outputs and winners of all layers.
  struct Outputs {
    std::array<Scratch<T>, kMaxLayers> y;
    std::array<Scratch<std::int32_t>, kMaxLayers> winners;
  };
  /// Those with one element of the parameter changed.
  struct Moved : Outputs {
    Scratch<T> values;  ///< the parameter
    std::size_t at = 0;
  };

  /// `is_conv`: the chain is one convolution, and the caller asks for single outputs.
  CheckRun(std::span<const LayerInfo> chain, const ChainParameter& of, bool is_conv) noexcept
      : chain_(chain), of_(of), is_conv_(is_conv) {}

  /// `copies`: prepare() will convert the inputs. `runs`: it will run the chain.
  void allocate(Room& room, bool copies, bool runs) noexcept {
    if (copies) room.take(x_copy_, chain_[0].x_size);
    for (std::size_t i = 0; i < chain_.size(); ++i) {
      const LayerInfo& layer = chain_[i];
      if (copies) room.take(w_copy_[i], layer.w_size);
      if (copies) room.take(b_copy_[i], layer.b_size);
      for (Outputs* outputs : std::initializer_list<Outputs*>{&base, &above, &below}) {
        if (outputs == &base ? !runs : is_conv_) continue;
        room.take(outputs->y[i], layer.y_size);
        room.take(outputs->winners[i], layer.winners_size);
      }
    }
    for (Moved* moved : {&above, &below}) room.take(moved->values, size_of(chain_, of_));
  }

  void view(const GradientCheckInputs<T>& in) noexcept {
    x_ = in.x;
    for (std::size_t i = 0; i < chain_.size(); ++i) w_[i] = in.layers[i].w, b_[i] = in.layers[i].b;
    prepare(true);
  }
  /// Copies the inputs, changed by `convert`.
  template <class U>
  void copy(const GradientCheckInputs<U>& in, T (*convert)(U), bool runs) noexcept {
    const auto copied = [&](std::span<const U> from, Scratch<T>& to) {
      std::ranges::transform(from, to.span().begin(), convert);
      return to.span().first(from.size());
    };
    x_ = copied(in.x, x_copy_);
    for (std::size_t i = 0; i < chain_.size(); ++i) {
      w_[i] = copied(in.layers[i].w, w_copy_[i]);
      b_[i] = copied(in.layers[i].b, b_copy_[i]);
    }
    prepare(runs);
  }

  /// The unchanged parameter.
  [[nodiscard]] std::span<const T> parameter() const noexcept {
    const layers::Run<T> own = run_of(of_.layer, base);
    return of_.parameter == Parameter::x ? own.x : of_.parameter == Parameter::w ? own.w : own.b;
  }

  /// Changes element `at` to `value`, and no other.
  void move(Moved& moved, std::size_t at, T value) const noexcept {
    const std::span<T> values = moved.values.span();
    const std::size_t before = moved.at;
    values[before] = parameter()[before];
    values[at] = value;
    moved.at = at;
    if (is_conv_) return;
    std::size_t i = of_.layer;
    if (chain_[i].is_convolution()) {
      const Geometry& g = chain_[i].geometry;
      const layers::Run<T> r = run_of(i, moved);
      for_each_dependent_output(g, of_.parameter, before,
                                [&](std::size_t t, const Position&) { r.y[t] = base.y[i].span()[t]; });
      for_each_dependent_output(g, of_.parameter, at, [&](std::size_t t, const Position& y) {
        r.y[t] = static_cast<T>(output_at<T>(g, r.x, r.w, r.b, y));
      });
      ++i;
    }
    for (; i < chain_.size(); ++i) run(i, run_of(i, moved));
  }

  /// Element t of the last y; `at`: its position, which is read for one convolution.
  [[nodiscard]] T last_at(const Moved& moved, std::size_t t, const Position& at) const noexcept {
    if (!is_conv_) return last(moved)[t];
    const std::span<const T> values = moved.values.span();
    return static_cast<T>(output_at<T>(chain_[0].geometry, of_.parameter == Parameter::x ? values : x_,
                                       of_.parameter == Parameter::w ? values : w_[0],
                                       of_.parameter == Parameter::b ? values : b_[0], at));
  }

  [[nodiscard]] std::span<const T> last(const Outputs& outputs) const noexcept {
    return outputs.y[chain_.size() - 1].span();
  }

  /// The tensors of layer i, with its outputs in `outputs`; `changed` in place of the parameter, unless it is empty.
  /// The outputs of the layers before the parameter's are those of `base`.
  [[nodiscard]] layers::Run<T> run_of(std::size_t i, const Outputs& outputs,
                                      std::span<const T> changed = {}) const noexcept {
    const bool is_before = i <= of_.layer;
    layers::Run<T> r{.x = i == 0 ? x_ : std::span<const T>((is_before ? base : outputs).y[i - 1].span()),
                     .w = w_[i],
                     .b = b_[i],
                     .y = outputs.y[i].span(),
                     .winners = outputs.winners[i].span()};
    if (i == of_.layer && !changed.empty()) {
      (of_.parameter == Parameter::x ? r.x : of_.parameter == Parameter::w ? r.w : r.b) = changed;
    }
    return r;
  }
  [[nodiscard]] layers::Run<T> run_of(std::size_t i, const Moved& moved) const noexcept {
    return run_of(i, moved, moved.values.span());
  }

  Outputs base;
  Moved above, below;

 private:
  void prepare(bool runs) noexcept {
    for (std::size_t i = 0; runs && i < chain_.size(); ++i) run(i, run_of(i, base));
    for (Moved* moved : {&above, &below}) {
      std::ranges::copy(parameter(), moved->values.span().begin());
      if (!is_conv_) std::ranges::copy(base.y[of_.layer].span(), moved->y[of_.layer].span().begin());
    }
  }

  void run(std::size_t i, const layers::Run<T>& r) const noexcept {
    layers::checks_of(chain_[i]).template reference<T>().forward(chain_[i], r);
  }

  std::span<const LayerInfo> chain_;
  ChainParameter of_;
  bool is_conv_;
  std::span<const T> x_;
  std::array<std::span<const T>, kMaxLayers> w_, b_;
  Scratch<T> x_copy_;
  std::array<Scratch<T>, kMaxLayers> w_copy_, b_copy_;
};

}  // namespace conv2d
