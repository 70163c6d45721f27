#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "support/rng.hpp"

/// Convolution from its definition, independent of the library except for ConvDesc: the set of all products x[..] *
/// w[..] that sum to y[..]. Every pass, stage and count follows from it.
namespace conv2d::test {

/// Sizes of a ConvDesc, found by counting windows.
struct Sizes {
  std::int64_t oh = 0, ow = 0, group_c = 0, group_k = 0;
  Padding padding{};
  std::int64_t x_size = 0, w_size = 0, y_size = 0;
};

/// nullopt if the descriptor is not a valid convolution. For small sizes only: it counts.
std::optional<Sizes> sizes_of(const ConvDesc& d);

/// The layout of w, for automatic that of d.layout.
WeightsLayout weights_layout_of(const ConvDesc& d);

std::int64_t x_index(const ConvDesc& d, std::int64_t n, std::int64_t row, std::int64_t col, std::int64_t channel);
std::int64_t w_index(const ConvDesc& d, std::int64_t p, std::int64_t q, std::int64_t group_channel,
                     std::int64_t filter);
std::int64_t y_index(const ConvDesc& d, const Sizes& s, std::int64_t n, std::int64_t i, std::int64_t j,
                     std::int64_t filter);

/// One element of a window: output position (n, i, j), kernel tap (p, q), input channel of a group.
struct Tap {
  std::int64_t n, i, j, group, p, q, channel;  ///< `channel` counts within the group
  std::int64_t position;                       ///< (n * oh + i) * ow + j
  std::int64_t x;                              ///< flat index in x, or -1 in the padding
};

template <class Visit>
void for_each_tap(const ConvDesc& d, const Sizes& s, Visit&& visit) {
  for (std::int64_t n = 0; n < d.n; ++n)
    for (std::int64_t i = 0; i < s.oh; ++i)
      for (std::int64_t j = 0; j < s.ow; ++j)
        for (std::int64_t group = 0; group < d.groups; ++group)
          for (std::int64_t p = 0; p < d.kh; ++p)
            for (std::int64_t q = 0; q < d.kw; ++q) {
              const std::int64_t row = i * d.stride_h + p * d.dilation_h - s.padding.top;
              const std::int64_t col = j * d.stride_w + q * d.dilation_w - s.padding.left;
              const bool inside = row >= 0 && row < d.h && col >= 0 && col < d.w;
              for (std::int64_t channel = 0; channel < s.group_c; ++channel)
                visit(Tap{.n = n,
                          .i = i,
                          .j = j,
                          .group = group,
                          .p = p,
                          .q = q,
                          .channel = channel,
                          .position = (n * s.oh + i) * s.ow + j,
                          .x = inside ? x_index(d, n, row, col, group * s.group_c + channel) : -1});
            }
}

/// One product of the triple sum, as flat indices.
struct Product {
  std::int64_t x, w, y, position;
};

template <class Visit>
void for_each_product(const ConvDesc& d, const Sizes& s, Visit&& visit) {
  for_each_tap(d, s, [&](const Tap& t) {
    if (t.x < 0) return;
    for (std::int64_t m = 0; m < s.group_k; ++m) {
      const std::int64_t filter = t.group * s.group_k + m;
      visit(Product{.x = t.x,
                    .w = w_index(d, t.p, t.q, t.channel, filter),
                    .y = y_index(d, s, t.n, t.i, t.j, filter),
                    .position = t.position});
    }
  });
}

/// The inputs of all passes. `b` may be empty.
struct TensorValues {
  std::vector<float> x{}, w{}, b{}, dy{};
};

/// The values that a test draws: results are exact for integers, within a bound for reals.
enum class Data { integers, reals };

/// Integers in [-limit, limit]: sums stay exact in float32 while they stay below 2^24.
TensorValues integer_tensors(const ConvDesc& d, const Sizes& s, Rng& rng, std::int64_t limit = 6);
TensorValues real_tensors(const ConvDesc& d, const Sizes& s, Rng& rng);

/// Exact values (in double) and, per element, the sum of the magnitudes of its products.
struct Exact {
  std::vector<double> value{}, magnitude{};
};

/// The exact results of the four passes.
struct Oracle {
  Exact y{}, dx{}, dw{}, db{};
  [[nodiscard]] const Exact& of(Pass pass) const;
};

Oracle oracle(const ConvDesc& d, const Sizes& s, const TensorValues& t);

}  // namespace conv2d::test
