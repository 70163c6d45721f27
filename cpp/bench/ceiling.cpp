#include <benchmark/benchmark.h>

#include <utility>

#include "problem.hpp"

/// Multiply-adds on registers only: the upper limit for the kernels on this machine.
namespace conv2d::bench {
namespace {

constexpr int kIterations = 10000;
/// Enough to hide the latency of two units, few enough for 16 registers. Each kernel below is compiled for one
/// instruction set.
constexpr int kChains = 12;

/// The iterations of all chains, written out per chain: an array in a loop would stay in memory. Each chain starts with
/// another value, otherwise the compiler would compute one for all.
template <class Vector, std::size_t... kChain>
[[gnu::always_inline]] inline float multiply_add(std::index_sequence<kChain...>) {
  // Volatile, otherwise the compiler would compute the result.
  const volatile float half = 0.5F, one = 1.0F;
  const Vector factor = Vector{} + half, term = Vector{} + one;
  Vector chain[]{Vector{} + static_cast<float>(kChain)...};
  for (int i = 0; i < kIterations; ++i) {
    ((chain[kChain] = chain[kChain] * factor + term), ...);
  }
  return (chain[kChain][0] + ...);
}

using Chains = std::make_index_sequence<kChains>;

using Vector4 [[gnu::vector_size(16)]] = float;

void add(const char* name, int lanes, float (*kernel)()) {
  benchmark::RegisterBenchmark(name, [=](benchmark::State& state) {
    for ([[maybe_unused]] auto i : state) {
      benchmark::DoNotOptimize(kernel());
    }
    state.counters["flops"] = 2.0 * kIterations * kChains * lanes;
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
  if (__builtin_cpu_supports("avx512f")) return add("ceiling/avx512", 16, avx512);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return add("ceiling/avx2", 8, avx2);
#endif
  add("ceiling/baseline", 4, baseline);
}

}  // namespace conv2d::bench
