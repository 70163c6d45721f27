#include <algorithm>
#include <cmath>
#include <cstddef>

#include "desc/windows.hpp"
#include "layers/layer_tables.hpp"
#include "layers/pooling_windows.hpp"

namespace conv2d::layers {
namespace {

void forward(const Prepared& layer, const Run<float>& r) noexcept {
  for_each_run(layer.info.geometry, [&](const layer_kernels::WindowRun& run, std::int64_t y) {
    layer.kernels.max_pool(run, r.x.data(), r.y.data() + y, r.winners.data() + y);
  });
}

/// No SIMD: the values of x decide where the sums go.
void backward(const Prepared&, const Run<float>& r) noexcept {
  std::ranges::fill(r.dx, 0.0F);
  for (std::size_t t = 0; t < r.dy.size(); ++t) r.dx[static_cast<std::size_t>(r.winners[t])] += r.dy[t];
}

template <class T>
void reference_forward(const LayerInfo& info, const Run<T>& r) {
  const Geometry& g = info.geometry;
  for (std::int64_t y = 0; y < g.y_size; ++y) {
    std::int64_t winner = -1;
    for_each_window_cell(g, y, [&](std::int64_t x) {
      const T cell = r.x[static_cast<std::size_t>(x)];
      if (winner < 0 || std::isnan(cell) || cell > r.x[static_cast<std::size_t>(winner)]) winner = x;
    });
    r.winners[static_cast<std::size_t>(y)] = static_cast<std::int32_t>(winner);
    r.y[static_cast<std::size_t>(y)] = r.x[static_cast<std::size_t>(winner)];
  }
}

template <class T>
void reference_backward(const LayerInfo& info, const Run<T>& r) {
  if (r.dx.empty()) return;
  const Geometry& g = info.geometry;
  for (std::int64_t x = 0; x < g.x_size; ++x) {
    double sum = 0;
    for_each_window_of_cell(g, x, [&](std::int64_t y) {
      const auto at = static_cast<std::size_t>(y);
      if (r.winners[at] == x) sum += static_cast<double>(r.dy[at]);
    });
    r.dx[static_cast<std::size_t>(x)] = static_cast<T>(sum);
  }
}

/// Whether two cells of a window can exchange their ranks, or are equal at v and part.
struct Ranks {
  const Step& step;

  [[nodiscard]] double distance(std::size_t a, std::size_t b) const noexcept {
    return std::abs(step.at.x[a] - step.at.x[b]);
  }
  [[nodiscard]] double magnitude(std::size_t a, std::size_t b) const noexcept {
    return step.magnitudes[a] + step.magnitudes[b];
  }
  [[nodiscard]] bool are_equal(std::size_t a, std::size_t b) const noexcept {
    return distance(a, b) <= kEqual * magnitude(a, b);
  }
  [[nodiscard]] bool are_close_and_part(std::size_t a, std::size_t b) const noexcept {
    const double move = std::abs((step.above.x[a] - step.below.x[a]) - (step.above.x[b] - step.below.x[b]));
    return distance(a, b) <= step.precision * magnitude(a, b) && move > kEqual * magnitude(a, b);
  }
};

Bend bend(const LayerInfo& info, const Step& step) noexcept {
  const Ranks ranks{step};
  for (std::int64_t y = 0; y < info.geometry.y_size; ++y) {
    const auto at = static_cast<std::size_t>(y);
    if (step.reach[at] == 0) continue;
    std::int64_t below = step.below.winners[at], above = step.above.winners[at];
    if (below == above) below = step.at.winners[at];
    const bool stays = below == above;
    if (stays) {
      for_each_window_cell(info.geometry, y, [&](std::int64_t x) {
        if (ranks.are_close_and_part(static_cast<std::size_t>(x), static_cast<std::size_t>(below))) above = x;
      });
    }
    if (below == above) continue;
    return {.cell = y,
            .is_at_value = ranks.are_equal(static_cast<std::size_t>(below), static_cast<std::size_t>(above)),
            .is_near = stays,
            .winner_below = below,
            .winner_above = above};
  }
  return {};
}

}  // namespace

/// y = the largest cell of each window, channel by channel. Padding never wins: it counts as -infinity. Of equal
/// cells the first one wins, row by row; a NaN wins over numbers, and the last NaN over other NaNs, all as in
/// PyTorch. dx adds dy of each window to its winner.
constexpr Rules MaxPool::kRules{.name = "max_pool",
                                .has_winners = true,
                                .bends = true,
                                .backward_data = {.winners = true, .dy = true},
                                .resolve = resolve_pooling};
constexpr Checks MaxPool::kChecks{.verdict_at_kink = GradientVerdict::at_tie,
                                  .bend = bend,
                                  .reference_float = {reference_forward<float>, reference_backward<float>},
                                  .reference_double = {reference_forward<double>, reference_backward<double>}};
constexpr Runner MaxPool::kRunner{.forward = forward, .backward = backward};

}  // namespace conv2d::layers
