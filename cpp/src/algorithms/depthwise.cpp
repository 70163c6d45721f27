#include "algorithms/depthwise.hpp"

#include "desc/checked.hpp"
#include "desc/text.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::algorithm {

std::string why_not_depthwise(const Geometry& g) {
  if (g.group_c == 1) return {};
  return text("every filter reads ", g.group_c, " channels; depthwise means groups = c, so that each reads one");
}

std::int64_t repeated_image_floats(const Geometry& g) noexcept {
  return g.group_k == 1 ? 0 : (CheckedInt(g.h) * g.w * g.k).value_or(-1);
}

const float* repeat_channels(const Geometry& g, const float* x, std::int64_t n, float* memory) noexcept {
  const std::int64_t pixels = g.h * g.w;
  if (g.group_k == 1) return x + n * pixels * g.c;
  const float* from = x + n * pixels * g.c;
  float* to = memory;
  for (std::int64_t cell = 0; cell < pixels * g.c; ++cell) {
    for (std::int64_t r = 0; r < g.group_k; ++r) *to++ = from[cell];
  }
  return memory;
}

double depthwise_cost(const Geometry& g) noexcept {
  const micro_kernels::KernelSet& kernels = micro_kernels::kernels();
  // A register of products costs two loads; columns that fill none cost a latency-bound scalar chain each.
  const double registers = static_cast<double>(g.k / kernels.lanes);
  const double single_columns = static_cast<double>(g.k % kernels.lanes);
  constexpr double kCyclesPerRegister = 1.2;
  constexpr double kCyclesPerColumn = 4.0;
  constexpr double kCyclesPerPair = 3.0;
  constexpr double kCyclesPerCall = 20.0;
  const double per_pair = kCyclesPerRegister * registers + kCyclesPerColumn * single_columns + kCyclesPerPair;
  const auto positions = static_cast<double>(g.n * g.oh * g.ow);
  return positions * (kCyclesPerCall + per_pair * static_cast<double>(g.kh * g.kw));
}

void ProductRows::flush() noexcept {
  micro_kernels::kernels().product_sum(
      {.pairs = pairs_, .count = count_, .columns = columns_, .start = start_, .out = out_});
  start_ = out_;
  count_ = 0;
}

}  // namespace conv2d::algorithm
