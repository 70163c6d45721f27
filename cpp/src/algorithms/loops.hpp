#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/entry.hpp"
#include "desc/windows.hpp"

/// What the loops of several algorithms are made of: inner products over strided memory, and work in portions.
namespace conv2d::algorithm {

/// The memory stride of an axis that moves `cells` cells per step. An axis of one element never moves, and its `cells`
/// (a stride larger than the image, say) may be too large to multiply.
constexpr std::int64_t stride_of(std::int64_t extent, std::int64_t cells, std::int64_t cell_stride) noexcept {
  return extent > 1 ? cells * cell_stride : 0;
}

/// sum of a[t * stride_a] * b[t * stride_b]. Four chains, because one addition must wait for the one before it; the
/// order differs from a plain loop's, within the error bound of one.
inline float dot(std::int64_t count, const float* a, std::int64_t stride_a, const float* b,
                 std::int64_t stride_b) noexcept {
  float sum_0 = 0, sum_1 = 0, sum_2 = 0, sum_3 = 0;
  std::int64_t t = 0;
  for (; t + 4 <= count; t += 4) {
    sum_0 += a[t * stride_a] * b[t * stride_b];
    sum_1 += a[(t + 1) * stride_a] * b[(t + 1) * stride_b];
    sum_2 += a[(t + 2) * stride_a] * b[(t + 2) * stride_b];
    sum_3 += a[(t + 3) * stride_a] * b[(t + 3) * stride_b];
  }
  for (; t < count; ++t) sum_0 += a[t * stride_a] * b[t * stride_b];
  return (sum_0 + sum_1) + (sum_2 + sum_3);
}

/// out[t * stride_out] += factor * a[t * stride_a]. The unit-stride loop is the one that compilers vectorise.
inline void add_scaled(std::int64_t count, float factor, const float* a, std::int64_t stride_a, float* __restrict out,
                       std::int64_t stride_out) noexcept {
  if (stride_a == 1 && stride_out == 1) {
    for (std::int64_t t = 0; t < count; ++t) out[t] += factor * a[t];
  } else {
    for (std::int64_t t = 0; t < count; ++t) out[t * stride_out] += factor * a[t * stride_a];
  }
}

/// Multiply-adds between two calls of the progress hook: about a millisecond, so that a cancelled run stops at once
/// and asking costs nothing.
inline constexpr std::int64_t kMacsPerPortion = std::int64_t{1} << 20;

/// Tells the progress hook how far a run is, once per portion of work.
class Progress {
 public:
  Progress(const ProgressHook& hook, std::int64_t total) noexcept : hook_(hook), total_(total) {}

  /// `macs` more multiply-adds are done. False when the hook asks to stop.
  [[nodiscard]] bool advance(std::int64_t macs) noexcept {
    done_ = std::min(done_ + macs, total_);
    since_call_ += macs;
    if (!hook_.step || since_call_ < kMacsPerPortion) return true;
    since_call_ = 0;
    return hook_.step(hook_.context, done_, total_);
  }

 private:
  ProgressHook hook_;
  std::int64_t total_;
  std::int64_t done_ = 0;
  std::int64_t since_call_ = 0;
};

/// Runs work(Range) over [0, steps) in portions, of which a step has about `macs_per_step` multiply-adds. False when
/// the hook asked to stop.
template <class Work>
bool in_portions(std::int64_t steps, std::int64_t macs_per_step, const ProgressHook& hook, Work work) noexcept {
  const std::int64_t portion = std::max<std::int64_t>(1, kMacsPerPortion / std::max<std::int64_t>(1, macs_per_step));
  for (std::int64_t begin = 0; begin < steps; begin += portion) {
    const std::int64_t end = std::min(begin + portion, steps);
    work(Range{begin, end});
    if (hook.step && !hook.step(hook.context, end, steps)) return false;
  }
  return true;
}

/// The error bound of a sum of `terms` products, each rounded, in any order of addition: terms * u / (1 - terms * u)
/// with u = 2^-24, in units of u. Past 2^23 terms the formula says nothing; the bound is then one that nobody reaches.
constexpr double sum_error_bound(std::int64_t terms) noexcept {
  constexpr double kUnit = 1.0 / (1 << 24);
  const double n = static_cast<double>(terms) + 1;
  return n * kUnit < 0.5 ? n / (1 - n * kUnit) : 2 * n;
}

inline std::string always_supported(const Geometry&) { return {}; }
inline std::int64_t no_workspace(const Geometry&) { return 0; }

}  // namespace conv2d::algorithm
