#pragma once

#include "engines/prepared.hpp"
#include "engines/windows/product.hpp"

/// 3 x 3 depthwise passes of small images with 256, 512, ... channels. Their pixels lie a power of two apart, so that a
/// row of them, register by register, shares a few sets of the L1 cache and is fetched from L2 again and again; so the
/// cells of a few channels are copied first, between zeros, and all their outputs are made of the copy, whose steps are
/// constants (in a browser, 14 x 14 x 512 takes a fifth less than with the steps of any image).
namespace conv2d::engine {

/// Whether the pass `product` is done that way.
bool takes_channel_blocks(const WindowProduct& product) noexcept;

/// Makes it ready. `tensors` finds what the product's places count in, and `cost` is that of the whole pass.
PreparedPointer prepare_channel_blocks(const WindowProduct& product, WindowTensors (*tensors)(const Operands&),
                                       int threads, double cost);

}  // namespace conv2d::engine
