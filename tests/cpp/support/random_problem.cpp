#include "support/random_problem.hpp"

#include <algorithm>
#include <cmath>

#include "support/environment.hpp"

namespace conv2d::test {

namespace {

/// Products per pass: 20,000 problems times all algorithms should take seconds.
constexpr std::int64_t kUsualBudget = 3000;
constexpr std::int64_t kLargeBudget = 40000;

/// Of a large problem.
constexpr std::int64_t kLeastProducts = 40000;
constexpr std::int64_t kMostProducts = 1500000;

constexpr WeightsLayout kAllWeightsLayouts[] = {WeightsLayout::automatic, WeightsLayout::hwio, WeightsLayout::oihw,
                                                WeightsLayout::ohwi};

void choose_channels(Rng& rng, ConvDesc& d) {
  const std::int64_t most = rng.one_in(6) ? 37 : 5;
  d.groups = rng.one_in(3) ? rng.between(1, most) : 1;
  if (rng.one_in(3)) {  // depthwise
    d.c = d.groups;
    d.k = d.groups * rng.between(1, 3);
  } else {
    d.c = d.groups * rng.between(1, d.groups > 4 ? 3 : most);
    d.k = d.groups * rng.between(1, d.groups > 4 ? 3 : most);
  }
}

ConvDesc any_desc(Rng& rng) {
  ConvDesc d{.layout = rng.one_in(2) ? Layout::nhwc : Layout::nchw,
             .n = rng.one_in(40) ? 0 : rng.between(1, 3),
             .h = rng.between(1, 12),
             .w = rng.between(1, 12),
             .kh = rng.between(1, 5),
             .kw = rng.between(1, 5),
             .stride_h = rng.one_in(2) ? 1 : rng.between(1, 6),
             .stride_w = rng.one_in(2) ? 1 : rng.between(1, 6),
             .dilation_h = rng.one_in(2) ? 1 : rng.between(1, 4),
             .dilation_w = rng.one_in(2) ? 1 : rng.between(1, 4)};
  if (rng.one_in(5)) d.kh = d.kw = 3;
  if (rng.one_in(5)) d.kh = d.kw = 1;
  choose_channels(rng, d);
  constexpr PaddingMode kModes[] = {PaddingMode::explicit_sides, PaddingMode::valid, PaddingMode::same,
                                    PaddingMode::full};
  d.padding_mode = kModes[rng.one_in(2) ? 0 : rng.between(0, 3)];
  const std::int64_t widest = rng.one_in(4) ? 9 : 2;
  d.padding = {rng.between(0, widest), rng.between(0, widest), rng.between(0, widest), rng.between(0, widest)};
  d.weights_layout = kAllWeightsLayouts[rng.between(0, 3)];
  return d;
}

/// An integer from 1 to `most`, as often below as above its root.
std::int64_t any_scale(Rng& rng, std::int64_t most) {
  const double power = static_cast<double>(rng.between(0, 1000)) / 1000;
  return std::clamp<std::int64_t>(std::llround(std::pow(static_cast<double>(most), power)), 1, most);
}

ConvDesc any_large_desc(Rng& rng) {
  ConvDesc d = any_desc(rng);
  d.n = rng.one_in(3) ? rng.between(2, 9) : 1;
  d.h = any_scale(rng, 80);
  d.w = any_scale(rng, 80);
  const std::int64_t c = any_scale(rng, 512), k = any_scale(rng, 512);
  d.groups = rng.one_in(3) ? any_scale(rng, 32) : 1;
  d.c = std::max<std::int64_t>(1, c / d.groups) * d.groups;
  d.k = std::max<std::int64_t>(1, k / d.groups) * d.groups;
  if (rng.one_in(6)) d.groups = d.k = d.c;
  return d;
}

RandomProblem problem_of(const ConvDesc& d) { return {.desc = d, .sizes = *sizes_of(d), .tensors = {}}; }

}  // namespace

ConvDesc random_desc(Rng& rng) {
  const std::int64_t budget = rng.one_in(25) ? kLargeBudget : kUsualBudget;
  for (;;) {
    const ConvDesc d = any_desc(rng);
    const std::optional<Sizes> s = sizes_of(d);
    if (s && s->y_size * d.kh * d.kw * s->group_c <= budget) return d;
  }
}

RandomProblem random_large_problem(Rng& rng, Data data) {
  for (;;) {
    const ConvDesc d = any_large_desc(rng);
    const std::optional<Sizes> s = sizes_of(d);
    if (!s) continue;
    const std::int64_t products = s->y_size * d.kh * d.kw * s->group_c;
    if (products < kLeastProducts || products > kMostProducts) continue;
    return {.desc = d,
            .sizes = *s,
            .tensors = data == Data::integers ? integer_tensors(d, *s, rng) : real_tensors(d, *s, rng)};
  }
}

std::int64_t large_runs() { return std::min<std::int64_t>((property_runs() + 9) / 10, 200); }

RandomProblem random_integer_problem(Rng& rng) {
  RandomProblem p = problem_of(random_desc(rng));
  p.tensors = integer_tensors(p.desc, p.sizes, rng);
  if (rng.one_in(2)) p.tensors.b.clear();
  return p;
}

RandomProblem random_real_problem(Rng& rng) {
  RandomProblem p = problem_of(random_desc(rng));
  p.tensors = real_tensors(p.desc, p.sizes, rng);
  return p;
}

}  // namespace conv2d::test
