#pragma once

#include <cstdint>

#include "algorithms/entry.hpp"
#include "gemm/window_product.hpp"

/// 3 x 3 depthwise passes of small images with 256, 512, ... channels. Their pixels lie a power of two apart, so that a
/// row of them, register by register, shares a few sets of the L1 cache and is fetched from L2 again and again; so the
/// cells of a few channels are copied first, between zeros, and all their outputs are made of the copy, whose steps are
/// constants (in a browser, 14 x 14 x 512 takes a fifth less than with the steps of any image).
namespace conv2d::algorithm {

/// Whether the pass `product`, of as many groups as channels, is done that way.
bool in_channel_blocks(const Geometry& g, const gemm::WindowProduct& product) noexcept;

/// Floats of the copy; 0 where it is not done that way.
std::int64_t channel_block_floats(const Geometry& g, const gemm::WindowProduct& product) noexcept;

/// Blocks of all images: what shares are made of.
std::int64_t channel_blocks(const gemm::WindowProduct& product) noexcept;

/// The share's blocks. False when the hook asked to stop.
bool run_channel_blocks(const gemm::WindowProduct& product, Share share, float* copy,
                        const ProgressHook& progress) noexcept;

}  // namespace conv2d::algorithm
