#pragma once

#include <algorithm>
#include <cstdint>

#include "base/range.hpp"
#include "conv2d/conv2d.hpp"

/// Building blocks of loops: work in chunks, between which the progress hook can cancel the run, and inner products
/// over strided memory.
namespace conv2d::engine {

/// Multiply-adds between two calls of the progress hook: about a millisecond. A canceled run stops at once, and the
/// calls cost nothing measurable.
inline constexpr std::int64_t kMacsPerChunk = std::int64_t{1} << 20;

/// Calls the progress hook once per chunk of work.
class Progress {
 public:
  Progress(const ProgressHook& hook, std::int64_t total) noexcept : hook_(hook), total_(total) {}

  /// Counts `macs` more multiply-adds. False when the hook cancels the run.
  [[nodiscard]] bool advance(std::int64_t macs) noexcept {
    done_ = std::min(done_ + macs, total_);
    since_call_ += macs;
    if (!hook_.step || since_call_ < kMacsPerChunk) return true;
    since_call_ = 0;
    return hook_.step(hook_.context, done_, total_);
  }

 private:
  ProgressHook hook_;
  std::int64_t total_;
  std::int64_t done_ = 0;
  std::int64_t since_call_ = 0;
};

/// Calls work(Range) for [0, steps) in chunks; a step has about `macs_per_step` multiply-adds. False when the hook
/// cancels the run.
template <class Work>
bool in_chunks(std::int64_t steps, std::int64_t macs_per_step, const ProgressHook& hook, Work work) noexcept {
  const std::int64_t chunk = std::max<std::int64_t>(1, kMacsPerChunk / std::max<std::int64_t>(1, macs_per_step));
  for (std::int64_t begin = 0; begin < steps; begin += chunk) {
    const std::int64_t end = std::min(begin + chunk, steps);
    work(Range{begin, end});
    if (hook.step && !hook.step(hook.context, end, steps)) return false;
  }
  return true;
}

/// sum of a[t * stride_a] * b[t * stride_b], in four chains, because each addition waits for the one before it. The
/// order of summation differs from a plain loop, but the error bound is the same.
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

/// out[t * stride_out] += factor * a[t * stride_a]. Compilers vectorize the loop with unit strides.
inline void add_scaled(std::int64_t count, float factor, const float* a, std::int64_t stride_a, float* __restrict out,
                       std::int64_t stride_out) noexcept {
  if (stride_a == 1 && stride_out == 1) {
    for (std::int64_t t = 0; t < count; ++t) out[t] += factor * a[t];
  } else {
    for (std::int64_t t = 0; t < count; ++t) out[t * stride_out] += factor * a[t * stride_a];
  }
}

}  // namespace conv2d::engine
