#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/entry.hpp"
#include "desc/windows.hpp"
#include "engines/chunks.hpp"
#include "engines/dot.hpp"

/// Building blocks of the loops of several algorithms: inner products over strided memory, and work in chunks.
namespace conv2d::algorithm {

using engine::dot;
using engine::in_chunks;
using engine::Progress;

/// out[t * stride_out] += factor * a[t * stride_a]. Compilers vectorize the loop with unit strides.
inline void add_scaled(std::int64_t count, float factor, const float* a, std::int64_t stride_a, float* __restrict out,
                       std::int64_t stride_out) noexcept {
  if (stride_a == 1 && stride_out == 1) {
    for (std::int64_t t = 0; t < count; ++t) out[t] += factor * a[t];
  } else {
    for (std::int64_t t = 0; t < count; ++t) out[t * stride_out] += factor * a[t * stride_a];
  }
}

}  // namespace conv2d::algorithm
