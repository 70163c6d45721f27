#include <benchmark/benchmark.h>

#include <utility>

#include "problem.hpp"

/// Multiply-adds on registers alone: what no kernel on this machine can pass without doing less work.
namespace conv2d::bench {
namespace {

constexpr int kTurns = 10000;
/// Enough to hide the latency of two units, few enough for 16 registers. Compiled for one instruction set each (below).
constexpr int kChains = 12;

/// The turns of all chains, spelled out per chain: an array that a loop walks would stay in memory. Each starts
/// elsewhere, or the compiler would compute one for all.
template <class Vector, std::size_t... kChain>
[[gnu::always_inline]] inline float multiply_add(std::index_sequence<kChain...>) {
  // Volatile, or the compiler would know where the loop ends.
  const volatile float half = 0.5F, one = 1.0F;
  const Vector factor = Vector{} + half, term = Vector{} + one;
  Vector chain[]{Vector{} + static_cast<float>(kChain)...};
  for (int turn = 0; turn < kTurns; ++turn) {
    ((chain[kChain] = chain[kChain] * factor + term), ...);
  }
  return (chain[kChain][0] + ...);
}

using Chains = std::make_index_sequence<kChains>;

using Vector4 [[gnu::vector_size(16)]] = float;

void add(const char* name, int lanes, float (*kernel)()) {
  benchmark::RegisterBenchmark(name, [=](benchmark::State& state) {
    for ([[maybe_unused]] auto turn : state) {
      benchmark::DoNotOptimize(kernel());
    }
    state.counters["flops"] = 2.0 * kTurns * kChains * lanes;
  })->Unit(benchmark::kMillisecond);
}

#if defined(__x86_64__)
using Vector8 [[gnu::vector_size(32)]] = float;
using Vector16 [[gnu::vector_size(64)]] = float;
[[gnu::target("avx2,fma")]] float avx2() { return multiply_add<Vector8>(Chains{}); }
[[gnu::target("avx512f")]] float avx512() { return multiply_add<Vector16>(Chains{}); }
#endif
float baseline() { return multiply_add<Vector4>(Chains{}); }

}  // namespace

void register_ceiling() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    return add("ceiling/avx512", 16, avx512);
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return add("ceiling/avx2", 8, avx2);
  }
#endif
  add("ceiling/baseline", 4, baseline);
}

}  // namespace conv2d::bench
