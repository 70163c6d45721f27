#pragma once

#include <cstdint>

#include "base/share.hpp"
#include "gemm/window_product.hpp"

/// How a product is divided among threads: each gets some of the images, of the rows of windows, or of the columns, and
/// runs that as a product of its own. Nothing is shared but what is read, so what the shares do for themselves (packing
/// the weights for some rows, padding the image for some columns) is done several times: the cost model
/// tells which cut loses least. Every sum is made in the order in which the whole product would make it.
namespace conv2d::gemm {

/// Into how many shares, at most `most`, the product can be divided so that none is empty.
int share_count(const WindowProduct& product, int most) noexcept;

/// The part of one share of several. A product that cannot be divided into as many belongs to the first; the others get
/// one without images.
WindowProduct part_of(const WindowProduct& product, Share share) noexcept;

inline WindowProduct share_of(const WindowProduct& product, Share share) noexcept {
  return share.whole() ? product : part_of(product, share);
}

/// Floats that the neediest of `shares` shares needs; -1 when they overflow.
std::int64_t share_workspace(const WindowProduct& product, int shares) noexcept;

}  // namespace conv2d::gemm
