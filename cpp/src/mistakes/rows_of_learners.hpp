#pragma once

#include <algorithm>
#include <cmath>

#include "desc/geometry.hpp"
#include "mistakes/mistake.hpp"

/// Mistakes of sums on paper, behind the bugs of "Spot the bug".
namespace conv2d::mistakes {
namespace rows {

/// One axis of a convolution.
struct Axis {
  std::int64_t kernel, stride, dilation, out;
};

/// All windows that read one cell of x, in reading order, get weights in reading order: window number r gets the first
/// weights of the kernel (`from_first`), or of those that read the cell. Returns the tap that replaces `tap`.
inline std::int64_t tap_in_reading_order(const Axis& axis, std::int64_t window, std::int64_t tap, bool from_first) {
  const auto reads = [&](std::int64_t other) {
    const std::int64_t off = (tap - other) * axis.dilation;
    return off % axis.stride == 0 && window + off / axis.stride >= 0 && window + off / axis.stride < axis.out;
  };
  // A later tap belongs to an earlier window.
  std::int64_t earlier = 0;
  for (std::int64_t other = tap + 1; other < axis.kernel; ++other) earlier += reads(other) ? 1 : 0;
  if (from_first) return earlier;
  std::int64_t chosen = 0;
  while (!reads(chosen) || earlier-- > 0) ++chosen;
  return chosen;
}

/// The filters or channels that a cell sums over: of x for y, of y for dx.
inline std::int64_t summed_channels(const Geometry& g, Pass pass) {
  if (pass == Pass::forward) return g.group_c;
  return pass == Pass::backward_data ? g.group_k : 1;
}

/// The first channels and the last one are tried.
inline constexpr std::int64_t kMostChannels = 4;

}  // namespace rows

inline constexpr Mistake kRowsOfLearners[] = {
    {
        .name = "reading_order",
        .title = "Weights in reading order",
        .sentence =
            "The windows that read the cell got their weights in reading order. The first of these windows holds "
            "the cell under its last weight: the weights come in reverse order.",
        .lesson = "gather.1",
        // Variant 0: the weights that read the cell. Variant 1: w[0,0], w[0,1], ...
        .variants = [](const Geometry& g, Pass pass) { return pass == Pass::backward_data && g.kh * g.kw > 1 ? 2 : 0; },
        .changes =
            [](const Geometry& g, const Term& term, int variant, Indices& at) {
              at.p = rows::tap_in_reading_order({g.kh, g.stride_h, g.dilation_h, g.oh}, term.i, term.p, variant == 1);
              at.q = rows::tap_in_reading_order({g.kw, g.stride_w, g.dilation_w, g.ow}, term.j, term.q, variant == 1);
            },
    },
    {
        .name = "one_axis_flipped",
        .title = "Flipped along one axis only",
        .sentence = "The kernel was flipped along one axis. For dx it is flipped along both: by 180°.",
        .lesson = "gather.3",
        // Variant 0: only the columns are right. Variant 1: only the rows are right.
        .variants = [](const Geometry& g, Pass pass) { return has_taps(pass) && g.kh > 1 && g.kw > 1 ? 2 : 0; },
        .changes =
            [](const Geometry& g, const Term&, int variant, Indices& at) {
              if (variant == 0) at.p = g.kh - 1 - at.p;
              if (variant == 1) at.q = g.kw - 1 - at.q;
            },
        .forward = {.sentence = "The kernel was flipped along one axis. The forward pass does not flip it: the first "
                                "weight multiplies the first cell of the window.",
                    .lesson = "one-window.4"},
        .weights = {.sentence = "dw was flipped along one axis. The gradient of a weight sums the cells of x that this "
                                "weight multiplied, times dy.",
                    .lesson = "dw.4"},
    },
    {
        .name = "dy_as_ones",
        .title = "Ones in place of dy",
        .sentence =
            "dy was left out: each of its cells counted as 1 (or as 1 divided by the number of cells), as if the "
            "loss were the sum (or mean) of y. Each product has a factor dy.",
        .lesson = "loss.3",
        // Variant 0: the sum of y. Variant 1: its mean.
        .variants = [](const Geometry&, Pass pass) { return pass == Pass::forward ? 0 : 2; },
        .divisor = [](const Geometry& g, Pass, std::int64_t,
                      int variant) { return variant == 0 ? 1.0 : static_cast<double>(g.y_size); },
        .reads_dy = false,
    },
    {
        .name = "one_channel",
        .title = "Only one channel or filter",
        .sentence = "The terms of one filter only were added. dx sums over all filters that read its channel.",
        .lesson = "channels.3",
        // The variant is the channel or filter; the last one of four is the last one of all.
        .variants =
            [](const Geometry& g, Pass pass) {
              const std::int64_t count = rows::summed_channels(g, pass);
              return count > 1 ? static_cast<int>(std::min(count, rows::kMostChannels)) : 0;
            },
        .omits =
            [](const Geometry& g, Pass pass, const Term& term, int variant) {
              const std::int64_t chosen =
                  variant == rows::kMostChannels - 1 ? rows::summed_channels(g, pass) - 1 : std::int64_t{variant};
              return (pass == Pass::forward ? term.c : term.k % g.group_k) != chosen;
            },
        .forward = {.sentence = "The products of one channel only were added. y sums over all channels that its filter "
                                "reads.",
                    .lesson = "channels.2"},
    },
    {
        .name = "dy_flipped",
        .title = "Reversed dy",
        .sentence =
            "dy was read from its end: it was flipped by 180°. For dw it slides over x as it is; only for dx the "
            "kernel is flipped.",
        .lesson = "dw.4",
        .variants = [](const Geometry& g,
                       Pass pass) { return pass == Pass::backward_weights && g.oh * g.ow > 1 ? 1 : 0; },
        .changes =
            [](const Geometry& g, const Term& term, int, Indices& at) {
              at.i = g.oh - 1 - term.i;
              at.j = g.ow - 1 - term.j;
            },
    },
    {
        .name = "weights_left_out",
        .title = "Weights left out",
        .sentence = "The cells of dy were added without their weights. Each product has a factor w.",
        .lesson = "gather.1",
        .variants = [](const Geometry&, Pass pass) { return tensors_of(pass).w ? 1 : 0; },
        .changes_factors = [](Factors& of, int) { of.w = 1; },
        .forward = {.sentence = "The cells of the window were added without their weights. Multiply each by the weight "
                                "on it, then add.",
                    .lesson = "one-window.2"},
    },
    {
        .name = "signs_left_out",
        .title = "Signs left out",
        .sentence = "Negative factors were counted as positive. A product with one negative factor is subtracted.",
        .lesson = "one-window.2",
        .variants = [](const Geometry&, Pass) { return 1; },
        .changes_factors = [](Factors& of,
                              int) { of = {.x = std::abs(of.x), .w = std::abs(of.w), .dy = std::abs(of.dy)}; },
    },
};

}  // namespace conv2d::mistakes
