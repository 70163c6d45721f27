#include "race/stream.hpp"

#include <algorithm>
#include <cstddef>

namespace conv2d::race {
namespace {

/// Floats per call, small enough for frequent calls (see add_row in loops.cpp).
constexpr std::size_t kChunk = 4096;

[[gnu::noinline]] void triad_chunk(std::size_t length, const float* __restrict a, const float* __restrict b,
                                   float factor, float* __restrict out) {
  for (std::size_t t = 0; t < length; ++t) out[t] = a[t] + factor * b[t];
}

}  // namespace

void triad(std::span<const float> a, std::span<const float> b, float factor, std::span<float> out) noexcept {
  for (std::size_t first = 0; first < out.size(); first += kChunk) {
    triad_chunk(std::min(kChunk, out.size() - first), a.data() + first, b.data() + first, factor, out.data() + first);
  }
}

}  // namespace conv2d::race
