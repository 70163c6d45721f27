#pragma once

#include "engines/executable.hpp"
#include "engines/windows/product.hpp"

/// 3 x 3 depthwise passes of small images with 256, 512, ... channels. Their pixels are a power of two apart, so that a
/// row of them, register by register, maps to a few sets of the L1 cache and is loaded from L2 again and again. The
/// engine therefore copies the cells of a few channels first, with zeros around them, and computes all their outputs
/// from the copy. The steps of the copy are constants (in a browser, 14 x 14 x 512 takes a fifth less time than with
/// steps that depend on the image).
namespace conv2d::engine {

/// Whether the pass `product` uses channel blocks.
bool prefers_channel_blocks(const WindowProduct& product) noexcept;

/// Prepares it. `tensors` gives the memory of the product's offsets; `cost` is that of the whole pass.
ExecutablePointer prepare_channel_blocks(const WindowProduct& product, WindowTensors (*tensors)(const Operands&),
                                         int threads, double cost);

}  // namespace conv2d::engine
