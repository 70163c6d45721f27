#pragma once

#include <algorithm>
#include <cstddef>

#include "mistakes/mistake.hpp"

/// Mistakes of the loops of a program, of their arguments and of the layers next to them. They explain whole results
/// only.
namespace conv2d::mistakes {
namespace rows {

/// The variant `variant` of a mistake: one of `all`, without those that do not apply to the problem.
template <class Part, std::size_t kCount, class Applies>
constexpr Part applicable(const Part (&all)[kCount], int variant, Applies applies) {
  for (const Part part : all) {
    if (applies(part) && variant-- == 0) return part;
  }
  return all[0];
}

template <class Part, std::size_t kCount, class Applies>
constexpr int count_applicable(const Part (&all)[kCount], Applies applies) {
  return static_cast<int>(std::ranges::count_if(all, applies));
}

/// The windows that were computed.
enum class Windows { first_of_each_image, first_of_all, first_row, first_column };
inline constexpr Windows kWindows[] = {Windows::first_of_each_image, Windows::first_of_all, Windows::first_row,
                                       Windows::first_column};

inline auto differs(const Geometry& g) {
  return [&g](Windows windows) {
    if (windows == Windows::first_of_each_image) return g.oh * g.ow > 1;
    if (windows == Windows::first_of_all) return g.n > 1;
    return g.oh > 1 && g.ow > 1;
  };
}

/// The axes along which the last window is missing.
enum class LastOf { both, rows, columns };
inline constexpr LastOf kLastOf[] = {LastOf::both, LastOf::rows, LastOf::columns};

/// An axis with a single window would have none.
inline auto has_others(const Geometry& g) {
  return [&g](LastOf last) {
    if (last == LastOf::both) return g.oh > 1 && g.ow > 1;
    return (last == LastOf::rows ? g.oh : g.ow) > 1;
  };
}

/// An argument of one axis that was used for both.
enum class ForBoth { stride_h, stride_w, dilation_h, dilation_w, top, left, kh, all_h, all_w };
inline constexpr ForBoth kForBoth[] = {ForBoth::stride_h,   ForBoth::stride_w, ForBoth::dilation_h,
                                       ForBoth::dilation_w, ForBoth::top,      ForBoth::left,
                                       ForBoth::kh,         ForBoth::all_h,    ForBoth::all_w};

inline auto is_uneven(const Geometry& g) {
  return [&g](ForBoth argument) {
    const bool strides = g.stride_h != g.stride_w, dilations = g.dilation_h != g.dilation_w,
               paddings = g.padding.top != g.padding.left;
    switch (argument) {
      case ForBoth::stride_h:
      case ForBoth::stride_w:
        return strides;
      case ForBoth::dilation_h:
      case ForBoth::dilation_w:
        return dilations;
      case ForBoth::top:
      case ForBoth::left:
        return paddings;
      // A kernel that is higher than wide has no weights for more columns.
      case ForBoth::kh:
        return g.kh < g.kw;
      // With a single uneven argument this is the same as that one.
      case ForBoth::all_h:
      case ForBoth::all_w:
        return strides + dilations + paddings > 1;
    }
    return false;
  };
}

/// Reads a square kernel that was rotated by 90°, in one of the two directions.
inline void turn(const Geometry& g, const Term&, int variant, Indices& at) {
  const std::int64_t p = at.p, last = g.kh - 1;
  at.p = variant == 0 ? last - at.q : at.q;
  at.q = variant == 0 ? p : last - p;
}

inline bool has_padding_and_remainder(const Geometry& g) {
  return (g.padding.bottom > 0 && g.remainder_h > 0) || (g.padding.right > 0 && g.remainder_w > 0);
}

}  // namespace rows

inline constexpr Mistake kRowsOfLoops[] = {
    {
        .name = "first_window_only",
        .title = "Only the first window",
        .sentence = "Only the first window, or the first row or column of windows, was added: a return or break stands "
                    "inside the loop. Every window that reads a cell of x adds to its gradient.",
        .lesson = "scatter.2",
        .variants = [](const Geometry& g, Pass) { return rows::count_applicable(rows::kWindows, rows::differs(g)); },
        .omits =
            [](const Geometry& g, Pass, const Term& term, int variant) {
              switch (rows::applicable(rows::kWindows, variant, rows::differs(g))) {
                case rows::Windows::first_of_each_image:
                  return term.i > 0 || term.j > 0;
                case rows::Windows::first_of_all:
                  return term.i > 0 || term.j > 0 || term.n > 0;
                case rows::Windows::first_row:
                  return term.i > 0;
                case rows::Windows::first_column:
                  return term.j > 0;
              }
              return false;
            },
        .leaves_zeros = true,
        .forward = {.sentence = "Only the first cell, row or column of y was computed: a return or break stands inside "
                                "the loop. The others stayed 0.",
                    .lesson = "sliding.1"},
        .weights = {.sentence = "Only the first window, or the first row or column of windows, was added: a return or "
                                "break stands inside the loop. Each window adds to dw.",
                    .lesson = "dw.3"},
    },
    {
        .name = "assigned_by_tap",
        .title = "= instead of += in col2im",
        .sentence =
            "Each tap overwrote the sum of the taps before: img[…] = in place of += in the loops of col2im. Only "
            "the last tap that reads a cell remains. A cell of dx is the sum over all of them.",
        .lesson = "col2im.3",
        .variants = [](const Geometry& g, Pass pass) { return pass == Pass::backward_data && g.kh * g.kw > 1 ? 1 : 0; },
        // A later tap reads the cell in an earlier window.
        .adding = Adding::first_step,
    },
    {
        .name = "range_without_one",
        .title = "Last row and column of windows missing",
        .sentence = "The last row or column of windows was not added: a loop ends one window early. There are "
                    "(h + padding − kernel) / stride + 1 of them; range(…) needs the + 1.",
        .lesson = "sliding.2",
        .variants = [](const Geometry& g, Pass) { return rows::count_applicable(rows::kLastOf, rows::has_others(g)); },
        .omits =
            [](const Geometry& g, Pass, const Term& term, int variant) {
              const auto last = rows::applicable(rows::kLastOf, variant, rows::has_others(g));
              return (last != rows::LastOf::columns && term.i == g.oh - 1) ||
                     (last != rows::LastOf::rows && term.j == g.ow - 1);
            },
        .leaves_zeros = true,
        .forward = {.sentence = "The last row or column of y was not computed: a loop ends one window early. There are "
                                "(h + padding − kernel) / stride + 1 windows; range(…) needs the + 1.",
                    .lesson = "sliding.2"},
    },
    {
        .name = "paddings_exchanged",
        .title = "Paddings of rows and columns exchanged",
        .sentence = "The padding of the rows was used for the columns: the sides were given in another order. F.pad "
                    "takes left, right, top, bottom; ONNX top, left, bottom, right.",
        .lesson = "padding.4",
        // Variant 0: top, bottom and left, right exchanged. Variant 1: bottom and left exchanged.
        .variants =
            [](const Geometry& g, Pass pass) {
              const Padding& p = g.padding;
              return has_taps(pass) && (p.top != p.left || p.bottom != p.left) ? 2 : 0;
            },
        .changes =
            [](const Geometry& g, const Term&, int variant, Indices& at) {
              const Padding& p = g.padding;
              if (variant == 0) at.row += p.top - p.left;
              at.col += p.left - (variant == 0 ? p.top : p.bottom);
            },
    },
    {
        .name = "axis_unpadded",
        .title = "x instead of padded x along one axis",
        .sentence = "Along one axis, x was read with the indices of padded x: its padding was forgotten there.",
        .lesson = "padding.2",
        // Variant 0: the rows. Variant 1: the columns. With padding along a single axis it is unpadded_indices.
        .variants = [](const Geometry& g,
                       Pass pass) { return has_taps(pass) && g.padding.top > 0 && g.padding.left > 0 ? 2 : 0; },
        .changes =
            [](const Geometry& g, const Term&, int variant, Indices& at) {
              if (variant == 0) at.row += g.padding.top;
              if (variant == 1) at.col += g.padding.left;
            },
    },
    {
        .name = "rows_for_columns",
        .title = "One axis used for both",
        .sentence = "The stride, dilation, padding or kernel size of one axis was used for both. Rows and columns have "
                    "their own.",
        .lesson = "sliding.4",
        .variants =
            [](const Geometry& g, Pass pass) {
              return has_taps(pass) ? rows::count_applicable(rows::kForBoth, rows::is_uneven(g)) : 0;
            },
        .changes =
            [](const Geometry& g, const Term& term, int variant, Indices& at) {
              using enum rows::ForBoth;
              const auto of = rows::applicable(rows::kForBoth, variant, rows::is_uneven(g));
              if (of == stride_w || of == all_w) at.row += term.i * (g.stride_w - g.stride_h);
              if (of == stride_h || of == all_h) at.col += term.j * (g.stride_h - g.stride_w);
              if (of == dilation_w || of == all_w) at.row += term.p * (g.dilation_w - g.dilation_h);
              if (of == dilation_h || of == all_h) at.col += term.q * (g.dilation_h - g.dilation_w);
              if (of == left || of == all_w) at.row += g.padding.top - g.padding.left;
              if (of == top || of == all_h) at.col += g.padding.left - g.padding.top;
            },
        .omits =
            [](const Geometry& g, Pass, const Term& term, int variant) {
              const auto of = rows::applicable(rows::kForBoth, variant, rows::is_uneven(g));
              return of == rows::ForBoth::kh && term.q >= g.kh;
            },
    },
    {
        .name = "rotated_once",
        .title = "Rotated by 90°",
        .sentence = "The kernel was rotated by 90° in place of 180°: rot90 once in place of twice.",
        .lesson = "gather.3",
        // The two directions.
        .variants = [](const Geometry& g, Pass pass) { return has_taps(pass) && g.kh == g.kw && g.kh > 1 ? 2 : 0; },
        .changes = rows::turn,
        .forward = {.sentence = "The kernel was rotated by 90°. The forward pass does not rotate it: the first weight "
                                "multiplies the first cell of the window.",
                    .lesson = "one-window.4"},
        .weights = {.sentence = "dw was rotated by 90°. Row p and column q of dw belong to row p and column q of w.",
                    .lesson = "dw.4"},
    },
    {
        .name = "all_axes_flipped",
        .title = "Channels and filters flipped",
        .sentence = "w was flipped along the axes of its channels and filters, too, as by flip(w) without axes. For dx "
                    "only rows and columns are flipped.",
        .lesson = "gather.3",
        // Variant 0: only channels and filters. Variant 1: rows and columns as well.
        .variants =
            [](const Geometry& g, Pass pass) {
              if (!has_taps(pass) || (g.k == 1 && g.group_c == 1)) return 0;
              return g.kh * g.kw > 1 ? 2 : 1;
            },
        .changes =
            [](const Geometry& g, const Term&, int variant, Indices& at) {
              at.w_c = g.group_c - 1 - at.w_c;
              at.w_k = g.k - 1 - at.w_k;
              if (variant == 0) return;
              at.p = g.kh - 1 - at.p;
              at.q = g.kw - 1 - at.q;
            },
        .forward = {.sentence = "w was flipped along the axes of its channels and filters. The forward pass flips no "
                                "axis of w.",
                    .lesson = "channels.3"},
        .weights = {.sentence = "dw was flipped along the axes of its channels and filters. No axis of dw is flipped.",
                    .lesson = "dw.4"},
    },
    {
        .name = "padding_of_ones",
        .title = "Padding that is not 0",
        .sentence = "The padding was filled with 1 or −1 in place of 0, so products in the padding were added.",
        .lesson = "padding.2",
        // Variant 0: 1. Variant 1: -1.
        .variants =
            [](const Geometry& g, Pass pass) {
              const bool reads_x = pass == Pass::forward || pass == Pass::backward_weights;
              return reads_x && g.padding != Padding{} ? 2 : 0;
            },
        .changes_factors =
            [](Factors& of, int variant) {
              if (of.on_padding) of.x = variant == 0 ? 1 : -1;
            },
    },
    {
        .name = "bias_by_image",
        .title = "Bias of the image in place of the filter",
        .sentence = "dy was added up for each image. db has one sum for each filter, over all images.",
        .lesson = "bias-batch.2",
        .variants =
            [](const Geometry& g, Pass pass) {
              if (pass == Pass::forward) return g.k > 1 && g.n <= g.k ? 1 : 0;
              return pass == Pass::backward_bias && g.n > 1 && g.n == g.k ? 1 : 0;
            },
        .changes = [](const Geometry&, const Term& term, int, Indices& at) { at.b = term.n; },
        .forward = {.sentence = "Image n got the bias b[n]. The bias belongs to the filter: y[n, …, k] gets b[k].",
                    .lesson = "bias-batch.1"},
    },
    {
        .name = "first_group",
        .title = "Always the first group",
        .sentence = "Each group used the channels or filters of the first one: the pointer to x, w or dy was not moved "
                    "from group to group.",
        .lesson = "groups.2",
        // Not moved: x or dx, w or dw, y or dy.
        .variants = [](const Geometry& g, Pass pass) { return has_taps(pass) && g.groups > 1 ? 3 : 0; },
        .changes =
            [](const Geometry& g, const Term& term, int variant, Indices& at) {
              if (variant == 0) at.channel = term.c;
              if (variant == 1) at.w_k = term.k % g.group_k;
              if (variant == 2) at.y_k = term.k % g.group_k;
            },
    },
    {
        .name = "groups_forgotten",
        .title = "Groups forgotten",
        .sentence = "The groups were ignored: each filter was used with the channels of all groups. It reads only the "
                    "channels of its own group.",
        .lesson = "groups.2",
        .variants = [](const Geometry& g, Pass pass) { return has_taps(pass) && g.groups > 1 ? 1 : 0; },
        .reads_all_groups = true,
    },
    {
        .name = "relu_mask",
        .title = "Mask of a ReLU",
        .sentence = "A ReLU was included: the gradient counts only where y (or dy, or x for dx) is above 0. dy is the "
                    "gradient of y itself; the ReLU is another layer.",
        .lesson = "relu.2",
        // Variant 0: where y > 0. Variant 1: where dy > 0. Variant 2, for dx: where x > 0.
        .variants =
            [](const Geometry&, Pass pass) {
              if (pass == Pass::forward) return 0;
              return pass == Pass::backward_data ? 3 : 2;
            },
        .changes_factors =
            [](Factors& of, int variant) {
              const double gates[] = {of.y, of.dy, of.x};
              if (gates[variant] <= 0) of.dy = 0;
            },
        .reads_all = true,
    },
    {
        .name = "relu_in_y",
        .title = "ReLU included in y",
        .sentence = "Negative cells became 0: this is y behind a ReLU. The convolution keeps them.",
        .lesson = "relu.1",
        .variants = [](const Geometry&, Pass pass) { return pass == Pass::forward ? 1 : 0; },
        .changes_sum = [](double sum) { return std::max(sum, 0.0); },
    },
    {
        .name = "output_padding_zeros",
        .title = "Last rows or columns left 0",
        .sentence = "The last rows or columns, as many as the remainder, were filled with 0: output_padding does not "
                    "append zeros. With padding, windows read these cells.",
        .lesson = "remainder.3",
        .variants = [](const Geometry& g,
                       Pass pass) { return pass == Pass::backward_data && rows::has_padding_and_remainder(g) ? 1 : 0; },
        .omits =
            [](const Geometry& g, Pass, const Term& term, int) {
              const Indices at = indices(g, term);
              return at.row >= g.h - g.remainder_h || at.col >= g.w - g.remainder_w;
            },
    },
};

}  // namespace conv2d::mistakes
