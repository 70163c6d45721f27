#pragma once

#include <cstdint>

#include "desc/share.hpp"
#include "gemm/window_product.hpp"
#include "gemm/window_run.hpp"
#include "gemm/winograd_run.hpp"

/// How a product is divided among threads: each gets some of the images, of the rows of windows, or of the columns, and
/// runs that as a product of its own. Nothing is shared but what is read, so what the shares do for themselves (packing
/// the weights for some rows, padding or transforming the image for some columns) is done several times: the cost model
/// tells which cut loses least. Every sum is made in the order in which the whole product would make it.
namespace conv2d::gemm {

/// A way of running products.
struct WindowMethod {
  double (*cost)(const WindowProduct&) noexcept;
  std::int64_t (*workspace)(const WindowProduct&) noexcept;  ///< -1 when it overflows
  /// Whether the part is summed as it would be within the whole; null: it always is.
  bool (*same_sums)(const WindowProduct& whole, const WindowProduct& part) noexcept = nullptr;
  std::int64_t rows = 1;  ///< rows of windows that it never takes apart
};

bool same_window_sums(const WindowProduct& whole, const WindowProduct& part) noexcept;

inline constexpr WindowMethod kWindows{
    .cost = window_cost, .workspace = window_workspace, .same_sums = same_window_sums};

template <std::int64_t kOutputs>
inline constexpr WindowMethod kWinograd{
    .cost = [](const WindowProduct& p) noexcept { return winograd_cost(p, kOutputs); },
    .workspace = [](const WindowProduct& p) noexcept { return winograd_workspace(p, kOutputs); },
    .rows = kOutputs};

/// Into how many shares, at most `most`, the product can be divided so that none is empty.
int share_count(const WindowProduct& product, const WindowMethod& method, int most) noexcept;

/// The part of one share of several. A product that cannot be divided into as many belongs to the first; the others get
/// one without images.
WindowProduct part_of(const WindowProduct& product, const WindowMethod& method, Share share) noexcept;

inline WindowProduct share_of(const WindowProduct& product, const WindowMethod& method, Share share) noexcept {
  return share.whole() ? product : part_of(product, method, share);
}

/// Floats that the neediest of `shares` shares needs; -1 when they overflow.
std::int64_t share_workspace(const WindowProduct& product, const WindowMethod& method, int shares) noexcept;

}  // namespace conv2d::gemm
