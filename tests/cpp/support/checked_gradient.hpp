#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "conv2d_teach/gradient_check.hpp"
#include "support/losses.hpp"
#include "support/rng.hpp"

/// Random checks of gradients: sizes, values, losses and steps as users choose them.
namespace conv2d::test {

inline constexpr double kFloatPrecision = static_cast<double>(std::numeric_limits<float>::epsilon());

/// How the cells of a tensor are drawn.
class Values {
 public:
  explicit Values(Rng& rng) : rng_(rng), kind_(rng.between(0, 4)) {
    constexpr double kScales[]{0.01, 1, 1, 10, 300};
    scale_ = kScales[rng.between(0, 4)];
    constant_ = scale_ * static_cast<double>(rng.real());
  }

  float operator()() {
    switch (kind_) {
      case 0:
        return static_cast<float>(rng_.between(-3, 3));
      case 1:
        return static_cast<float>(constant_);
      case 2:
        return static_cast<float>(scale_ * std::abs(static_cast<double>(rng_.real())));
      default:
        return static_cast<float>(scale_ * static_cast<double>(rng_.real()));
    }
  }

  std::vector<float> operator()(std::int64_t count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) value = (*this)();
    return values;
  }

 private:
  Rng& rng_;
  std::int64_t kind_;
  double scale_ = 1, constant_ = 0;
};

/// A step from 1e-7 to 1.
inline double random_step(Rng& rng) { return std::pow(10.0, -3.5 + 3.5 * static_cast<double>(rng.real())); }

inline std::string_view random_loss(Rng& rng) {
  return loss_names()[static_cast<std::size_t>(rng.between(0, std::ssize(loss_names()) - 1))];
}

/// Targets near y, where the losses are curved, or anywhere; of cross_entropy, distributions or classes.
inline std::vector<float> random_target(Rng& rng, std::string_view loss, const std::vector<float>& y,
                                        const LossChannels& channels) {
  std::vector<float> target = Values(rng)(std::ssize(y));
  if (loss == "cross_entropy") {
    if (rng.one_in(3)) std::ranges::fill(target, 0.0F);
    make_distributions(target, channels);
    return target;
  }
  if (rng.one_in(3)) return target;
  constexpr float kErrors[]{0.5F, -0.25F, 0.75F, -0.5F};
  for (std::size_t t = 0; t < y.size(); ++t) target[t] = y[t] - kErrors[t % 4];
  return target;
}

/// Up to `most` cells of a parameter.
inline std::vector<std::int64_t> random_cells(Rng& rng, std::int64_t size, int most) {
  std::vector<std::int64_t> cells;
  for (int i = 0; i < most; ++i) cells.push_back(rng.between(0, size - 1));
  return cells;
}

/// How many cells had each verdict.
struct VerdictCounts {
  std::array<std::int64_t, 7> cells{};

  void add(GradientVerdict verdict) { ++cells[static_cast<std::size_t>(verdict)]; }
  [[nodiscard]] std::int64_t of(GradientVerdict verdict) const { return cells[static_cast<std::size_t>(verdict)]; }
  [[nodiscard]] std::int64_t all() const {
    std::int64_t sum = 0;
    for (const std::int64_t count : cells) sum += count;
    return sum;
  }
};

template <class T>
std::vector<T> as(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

}  // namespace conv2d::test
