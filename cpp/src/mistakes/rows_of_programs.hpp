#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "mistakes/mistake.hpp"

/// Mistakes of programs. They explain whole results only.
namespace conv2d::mistakes {
namespace rows {

/// The cell of x that is read in place of a cell of the padding, along an axis of `size` cells.
using Filling = std::int64_t (*)(std::int64_t at, std::int64_t size);

constexpr std::int64_t mirrored(std::int64_t at, std::int64_t size) {
  if (at < 0) return -at;
  return at < size ? at : 2 * (size - 1) - at;
}
constexpr std::int64_t repeated(std::int64_t at, std::int64_t size) {
  return std::clamp(at, std::int64_t{0}, size - 1);
}
constexpr std::int64_t wrapped(std::int64_t at, std::int64_t size) { return (at % size + size) % size; }

template <Filling kFill>
void fill(const Geometry& g, const Term&, int, Indices& at) {
  at.row = kFill(at.row, g.h);
  at.col = kFill(at.col, g.w);
}

/// Mirroring repeats no cell: the padding is smaller than x.
inline bool can_mirror(const Geometry& g) {
  return std::max(g.padding.top, g.padding.bottom) < g.h && std::max(g.padding.left, g.padding.right) < g.w;
}
inline bool is_padded(const Geometry& g, Pass pass) { return has_taps(pass) && g.padding != Padding{}; }

/// The axes of a tensor in memory, the innermost last. An axis is its place in the list of indices.
template <std::size_t kRank>
using Order = std::array<std::size_t, kRank>;

template <std::size_t kRank>
using Sizes = std::array<std::int64_t, kRank>;

/// A program computes the offset with `assumed`, the memory has `actual`.
template <std::size_t kRank>
struct Misreading {
  Order<kRank> assumed, actual;
};

/// Replaces the indices of an element by those of the element that the program reads.
template <std::size_t kRank>
void misread(const Misreading<kRank>& orders, const Sizes<kRank>& sizes, const std::array<std::int64_t*, kRank>& at) {
  std::int64_t offset = 0;
  for (const std::size_t axis : orders.assumed) offset = offset * sizes[axis] + *at[axis];
  for (auto axis = orders.actual.rbegin(); axis != orders.actual.rend(); ++axis) {
    *at[*axis] = offset % sizes[*axis];
    offset /= sizes[*axis];
  }
}

/// Of an image (row, column, channel): NHWC as NCHW, and NCHW as NHWC.
inline constexpr Order<3> kHwc{0, 1, 2}, kChw{2, 0, 1};
inline constexpr Misreading<3> kOfImages[] = {{kChw, kHwc}, {kHwc, kChw}};

/// Of w (p, q, channel, filter).
inline constexpr Order<4> kHwio{0, 1, 2, 3}, kOihw{3, 2, 0, 1}, kOhwi{3, 0, 1, 2}, kIohw{2, 3, 0, 1};
inline constexpr Misreading<4> kOfWeights[] = {{kOihw, kHwio}, {kHwio, kOihw}, {kOihw, kOhwi}, {kOhwi, kOihw},
                                               {kHwio, kOhwi}, {kOhwi, kHwio}, {kOihw, kIohw}, {kIohw, kOihw}};

/// Number of misreadings if at least two of the sizes exceed 1; with fewer, all orders are the same.
template <std::size_t kRank>
int misreadings(std::span<const Misreading<kRank>> all, const Sizes<kRank>& sizes) {
  return std::ranges::count_if(sizes, [](std::int64_t size) { return size > 1; }) > 1 ? static_cast<int>(all.size())
                                                                                      : 0;
}

}  // namespace rows

inline constexpr Mistake kRowsOfPrograms[] = {
    {
        .name = "mirrored_padding",
        .title = "Mirrored padding",
        .sentence = "The padding was filled with the mirrored cells of x (padding_mode=\"reflect\"). Here it is filled "
                    "with zeros, so products in the padding count neither in y nor in a gradient.",
        .lesson = "padding.2",
        .variants = [](const Geometry& g,
                       Pass pass) { return rows::is_padded(g, pass) && rows::can_mirror(g) ? 1 : 0; },
        .changes = rows::fill<rows::mirrored>,
    },
    {
        .name = "repeated_padding",
        .title = "Padding that repeats the edge",
        .sentence =
            "The padding was filled with the nearest cells of x (padding_mode=\"replicate\"). Here it is filled "
            "with zeros, so products in the padding count neither in y nor in a gradient.",
        .lesson = "padding.2",
        .variants = [](const Geometry& g, Pass pass) { return rows::is_padded(g, pass) ? 1 : 0; },
        .changes = rows::fill<rows::repeated>,
    },
    {
        .name = "circular_padding",
        .title = "Circular padding",
        .sentence =
            "The padding was filled with cells of the opposite edge of x (padding_mode=\"circular\"). Here it is "
            "filled with zeros, so products in the padding count neither in y nor in a gradient.",
        .lesson = "padding.2",
        .variants = [](const Geometry& g, Pass pass) { return rows::is_padded(g, pass) ? 1 : 0; },
        .changes = rows::fill<rows::wrapped>,
    },
    {
        .name = "padding_sides_exchanged",
        .title = "Padding on the wrong side",
        .sentence = "The padding at the top and at the bottom, or at the left and at the right, was exchanged: the "
                    "result is shifted.",
        .lesson = "padding.4",
        .variants =
            [](const Geometry& g, Pass pass) {
              const bool is_even = g.padding.top == g.padding.bottom && g.padding.left == g.padding.right;
              return has_taps(pass) && !is_even ? 1 : 0;
            },
        .changes =
            [](const Geometry& g, const Term&, int, Indices& at) {
              at.row += g.padding.top - g.padding.bottom;
              at.col += g.padding.left - g.padding.right;
            },
    },
    {
        .name = "stride_as_dilation",
        .title = "Stride and dilation exchanged",
        .sentence = "Stride and dilation were exchanged. The stride is the distance between windows, the dilation the "
                    "distance between the cells of one window.",
        .lesson = "groups.1",
        .variants =
            [](const Geometry& g, Pass pass) {
              return has_taps(pass) && (g.stride_h != g.dilation_h || g.stride_w != g.dilation_w) ? 1 : 0;
            },
        .changes =
            [](const Geometry& g, const Term& term, int, Indices& at) {
              at.row = term.i * g.dilation_h + term.p * g.stride_h - g.padding.top;
              at.col = term.j * g.dilation_w + term.q * g.stride_w - g.padding.left;
            },
    },
    {
        .name = "interleaved_groups",
        .title = "Channels interleaved between the groups",
        .sentence = "The channels were dealt out to the groups in turn (channel shuffle). The channels of a group are "
                    "adjacent: the first group has the first channels and the first filters.",
        .lesson = "groups.2",
        // Variant 0: the channels of x. Variant 1: those of y.
        .variants =
            [](const Geometry& g, Pass pass) {
              return has_taps(pass) && g.groups > 1 && (g.group_c > 1 || g.group_k > 1) ? 2 : 0;
            },
        .changes =
            [](const Geometry& g, const Term& term, int variant, Indices& at) {
              if (variant == 0) at.channel = term.c * g.groups + term.k / g.group_k;
              if (variant == 1) at.y_k = term.k % g.group_k * g.groups + term.k / g.group_k;
            },
    },
    {
        .name = "channels_as_filters",
        .title = "Channels and filters exchanged",
        .sentence = "The axes of w for channels and filters were exchanged: filter 0 on channel 1 got the weights of "
                    "filter 1 on channel 0.",
        .lesson = "channels.3",
        .variants = [](const Geometry& g,
                       Pass pass) { return has_taps(pass) && g.group_c == g.group_k && g.group_c > 1 ? 1 : 0; },
        .changes =
            [](const Geometry& g, const Term& term, int, Indices& at) {
              at.w_c = term.k % g.group_k;
              at.w_k = term.k - at.w_c + term.c;
            },
    },
    {
        .name = "mean_or_sum",
        .title = "Mean in place of sum, or sum in place of mean",
        .sentence =
            "The gradient was divided by the number of cells of y, or multiplied by it: one loss is a mean over "
            "y, the other a sum. dy decides; the layer does not divide.",
        .lesson = "bias-batch.4",
        // Variant 0: divided. Variant 1: multiplied.
        .variants = [](const Geometry& g, Pass pass) { return pass != Pass::forward && g.y_size > 1 ? 2 : 0; },
        .divisor =
            [](const Geometry& g, Pass, std::int64_t, int variant) {
              const auto cells = static_cast<double>(g.y_size);
              return variant == 0 ? cells : 1 / cells;
            },
    },
    {
        .name = "x_layout",
        .title = "Memory order of x or dx",
        .sentence = "NHWC memory of x or dx was read as NCHW, or NCHW memory as NHWC. Permute the axes; a reshape does "
                    "not move the values.",
        .lesson = "channels.1",
        .variants =
            [](const Geometry& g, Pass pass) {
              return has_taps(pass) ? rows::misreadings<3>(rows::kOfImages, {g.h * g.w, 1, g.c}) : 0;
            },
        .changes =
            [](const Geometry& g, const Term&, int variant, Indices& at) {
              if (!in_x(g, at)) return;
              rows::misread<3>(rows::kOfImages[variant], {g.h, g.w, g.c}, {&at.row, &at.col, &at.channel});
            },
    },
    {
        .name = "w_layout",
        .title = "Memory order of w or dw",
        .sentence = "Memory of w or dw in one order (HWIO, OIHW, OHWI, IOHW) was read as another. Permute the axes; a "
                    "reshape does not move the values.",
        .lesson = "channels.3",
        .variants =
            [](const Geometry& g, Pass pass) {
              return has_taps(pass) ? rows::misreadings<4>(rows::kOfWeights, {g.kh * g.kw, 1, g.group_c, g.k}) : 0;
            },
        .changes =
            [](const Geometry& g, const Term&, int variant, Indices& at) {
              rows::misread<4>(rows::kOfWeights[variant], {g.kh, g.kw, g.group_c, g.k},
                               {&at.p, &at.q, &at.w_c, &at.w_k});
            },
    },
    {
        .name = "y_layout",
        .title = "Memory order of y or dy",
        .sentence = "NHWC memory of y or dy was read as NCHW, or NCHW memory as NHWC. Permute the axes; a reshape does "
                    "not move the values.",
        .lesson = "channels.3",
        .variants =
            [](const Geometry& g, Pass) {
              return rows::misreadings<3>(rows::kOfImages, {g.oh * g.ow, 1, g.k});
            },
        .changes =
            [](const Geometry& g, const Term&, int variant, Indices& at) {
              rows::misread<3>(rows::kOfImages[variant], {g.oh, g.ow, g.k}, {&at.i, &at.j, &at.y_k});
            },
    },
};

}  // namespace conv2d::mistakes
