#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "mistakes/mistake.hpp"
#include "mistakes/rows_of_learners.hpp"
#include "mistakes/rows_of_loops.hpp"
#include "mistakes/rows_of_programs.hpp"

namespace conv2d::mistakes {
namespace {

bool sums_over_images(Pass pass) { return pass == Pass::backward_weights || pass == Pass::backward_bias; }

/// For the variant that leaves out taps on padding.
template <int kVariant>
bool on_padding(const Geometry& g, Pass pass, const Term& term, int variant) {
  return variant == kVariant && has_taps(pass) && !in_x(g, indices(g, term));
}

/// Divided by the number of added terms (variant 0), by the largest possible number (1), or by the windows of one image
/// (2).
double divisor_of_average(const Geometry& g, Pass pass, std::int64_t steps, int variant) {
  const std::int64_t channels = pass == Pass::forward ? g.group_c : 1;
  if (variant == 0) return static_cast<double>(steps * channels);
  if (!sums_over_images(pass)) return static_cast<double>(g.kh * g.kw * channels);
  return static_cast<double>((variant == 1 ? g.n : 1) * g.oh * g.ow);
}

/// Whether the window needs padding when the first one is at x[0,0].
bool needs_padding(const Geometry& g, Pass, const Term& term, int) {
  return term.i > (g.h - g.dilated_kh) / g.stride_h || term.j > (g.w - g.dilated_kw) / g.stride_w;
}

/// x[0,0] in place of the first cell of the padding.
void add_padding(const Geometry& g, const Term&, int, Indices& at) {
  at.row += g.padding.top;
  at.col += g.padding.left;
}

enum class Exchanged { in_w, in_y, in_x };
constexpr Exchanged kExchanges[] = {Exchanged::in_w, Exchanged::in_y, Exchanged::in_x};

bool is_square(const Geometry& g, Exchanged where) {
  switch (where) {
    case Exchanged::in_w:
      return g.kh == g.kw && g.kh > 1;
    case Exchanged::in_y:
      return g.oh == g.ow && g.oh > 1;
    case Exchanged::in_x:
      return g.h == g.w && g.h > 1;
  }
  return false;
}

/// One variant for each square tensor.
int squares(const Geometry& g, Pass pass) {
  int count = 0;
  for (const Exchanged where : kExchanges) count += has_taps(pass) && is_square(g, where) ? 1 : 0;
  return count;
}

void exchange_row_and_column(const Geometry& g, const Term&, int variant, Indices& at) {
  for (const Exchanged where : kExchanges) {
    if (!is_square(g, where) || variant-- != 0) continue;
    if (where == Exchanged::in_w) std::swap(at.p, at.q);
    if (where == Exchanged::in_y) std::swap(at.i, at.j);
    if (where == Exchanged::in_x) std::swap(at.row, at.col);
  }
}

constexpr Mistake kBugs[] = {
    {
        .name = "opposite_weight",
        .title = "Weight of the opposite corner",
        .sentence = "Each product used the weight of the opposite corner. For dx the kernel is flipped by 180°; here "
                    "it was not.",
        .lesson = "gather.5",
        .variants = [](const Geometry& g, Pass pass) { return has_taps(pass) && g.kh * g.kw > 1 ? 1 : 0; },
        .changes =
            [](const Geometry& g, const Term&, int, Indices& at) {
              at.p = g.kh - 1 - at.p;
              at.q = g.kw - 1 - at.q;
            },
        .forward = {.sentence =
                        "Each product used the weight of the opposite corner: the kernel was flipped. The forward pass "
                        "does not flip it: the first weight multiplies the first cell of the window.",
                    .lesson = "one-window.4"},
        .weights = {.sentence = "Each product was added to the weight of the opposite corner: dw was flipped. The "
                                "gradient of a weight sums the cells of x that this weight multiplied, times dy.",
                    .lesson = "dw.4"},
    },
    {
        .name = "averaged",
        .title = "Averaged instead of summed",
        .sentence = "The terms were averaged. The result is their sum, without a division.",
        .lesson = "col2im.2",
        .variants = [](const Geometry& g, Pass pass) { return g.n > 1 && sums_over_images(pass) ? 3 : 2; },
        .omits = on_padding<0>,
        .divisor = divisor_of_average,
    },
    {
        .name = "padding_forgotten",
        .title = "Padding forgotten",
        .sentence = "The padding was ignored: the first window starts at the first cell of x, and windows that need "
                    "padding are missing.",
        .lesson = "padding.2",
        .variants = [](const Geometry& g,
                       Pass) { return g.padding != Padding{} && g.h >= g.dilated_kh && g.w >= g.dilated_kw ? 1 : 0; },
        .changes = add_padding,
        .omits = needs_padding,
    },
    {
        .name = "unpadded_indices",
        .title = "x instead of padded x",
        .sentence = "x was read with the indices of padded x. Both start at 0, but padded x begins with the padding.",
        .lesson = "padding.2",
        .variants = [](const Geometry& g,
                       Pass pass) { return has_taps(pass) && (g.padding.top > 0 || g.padding.left > 0) ? 1 : 0; },
        .changes = add_padding,
    },
    {
        .name = "stride_forgotten",
        .title = "Stride forgotten",
        .sentence = "The stride was ignored: the windows were one cell apart. For dx this means that the zeros between "
                    "the cells of dy were not inserted.",
        .lesson = "stride.2",
        .variants = [](const Geometry& g,
                       Pass pass) { return has_taps(pass) && (g.stride_h > 1 || g.stride_w > 1) ? 1 : 0; },
        .changes =
            [](const Geometry& g, const Term& term, int, Indices& at) {
              at.row -= term.i * (g.stride_h - 1);
              at.col -= term.j * (g.stride_w - 1);
            },
        .forward = {.sentence = "The stride was ignored: the windows were one cell apart. With stride 2 they are two "
                                "cells apart.",
                    .lesson = "sliding.3"},
        .weights = {.sentence = "The stride was ignored: the windows were one cell apart. The cells of x that a weight "
                                "multiplies are as far apart as the windows.",
                    .lesson = "sliding.3"},
    },
    {
        .name = "strides_exchanged",
        .title = "Strides of rows and columns exchanged",
        .sentence = "The two strides were exchanged: the window moved down by stride_w and right by stride_h.",
        .lesson = "sliding.4",
        .variants = [](const Geometry& g, Pass pass) { return has_taps(pass) && g.stride_h != g.stride_w ? 1 : 0; },
        .changes =
            [](const Geometry& g, const Term& term, int, Indices& at) {
              at.row += term.i * (g.stride_w - g.stride_h);
              at.col += term.j * (g.stride_h - g.stride_w);
            },
    },
    {
        .name = "remainder_first",
        .title = "Remainder on the wrong side",
        .sentence = "The rows and columns that no window reads were assumed to be the first. They are the last: at the "
                    "bottom and at the right.",
        .lesson = "remainder.1",
        .variants =
            [](const Geometry& g, Pass pass) {
              const bool has_x = pass == Pass::backward_data || pass == Pass::backward_weights;
              return has_x && (g.remainder_h > 0 || g.remainder_w > 0) ? 1 : 0;
            },
        .changes =
            [](const Geometry& g, const Term&, int, Indices& at) {
              at.row += g.remainder_h;
              at.col += g.remainder_w;
            },
    },
    {
        .name = "assigned",
        .title = "= instead of +=",
        .sentence = "Each step overwrote the sum of the previous steps: = instead of +=. Only the last step remains.",
        .lesson = "col2im.3",
        // Variant 0: taps on padding are steps, too. Variant 1: they are skipped.
        .variants = [](const Geometry&, Pass) { return 2; },
        .omits = on_padding<1>,
        .adding = Adding::last_step,
    },
    {
        .name = "one_image",
        .title = "Only one image of the batch",
        .sentence =
            "Only one image of the batch was counted. All images share w and b, so dw and db are sums over the batch.",
        .lesson = "bias-batch.3",
        // The variant is the image that was counted.
        .variants = [](const Geometry& g,
                       Pass pass) { return sums_over_images(pass) && g.n > 1 ? static_cast<int>(g.n) : 0; },
        .omits = [](const Geometry&, Pass, const Term& term, int variant) { return term.n != variant; },
    },
    {
        .name = "divided_by_batch",
        .title = "Divided by the batch",
        .sentence = "The result was divided by the number of images. If the loss is a mean over the batch, dy already "
                    "includes that division.",
        .lesson = "bias-batch.4",
        .variants = [](const Geometry& g, Pass) { return g.n > 1 ? 1 : 0; },
        .divisor = [](const Geometry& g, Pass, std::int64_t, int) { return static_cast<double>(g.n); },
    },
    {
        .name = "other_group",
        .title = "Channels of the wrong group",
        .sentence = "The channels of another group were used. A filter reads only the channels of its own group: the "
                    "first k / groups filters read the first group, and so on.",
        .lesson = "groups.2",
        // Variant 0: the next group. Variant 1: filter k reads group k % groups.
        .variants = [](const Geometry& g, Pass pass) { return has_taps(pass) && g.groups > 1 ? 2 : 0; },
        .changes =
            [](const Geometry& g, const Term& term, int variant, Indices& at) {
              const std::int64_t group = variant == 0 ? (term.k / g.group_k + 1) % g.groups : term.k % g.groups;
              at.channel = group * g.group_c + term.c;
            },
    },
    {
        .name = "transposed",
        .title = "Row and column exchanged",
        .sentence = "Row and column were exchanged. The row comes first: w[1,2] is the third weight of the second row.",
        .lesson = "one-window.4",
        .variants = squares,
        .changes = exchange_row_and_column,
    },
    {
        .name = "dilation_forgotten",
        .title = "Dilation forgotten",
        .sentence = "The dilation was ignored: the taps of the kernel were adjacent, without gaps.",
        .lesson = "groups.1",
        .variants = [](const Geometry& g,
                       Pass pass) { return has_taps(pass) && (g.dilation_h > 1 || g.dilation_w > 1) ? 1 : 0; },
        .changes =
            [](const Geometry& g, const Term& term, int, Indices& at) {
              at.row -= term.p * (g.dilation_h - 1);
              at.col -= term.q * (g.dilation_w - 1);
            },
    },
    {
        .name = "bias_forgotten",
        .title = "Bias forgotten",
        .sentence = "The bias of the filter was not added.",
        .lesson = "bias-batch.1",
        .variants = [](const Geometry&, Pass pass) { return pass == Pass::forward ? 1 : 0; },
        .adds_bias = false,
    },
};

template <std::size_t... Counts>
consteval auto joined(const Mistake (&... rows)[Counts]) {
  std::array<Mistake, (Counts + ...)> all{};
  auto* end = all.data();
  ((end = std::copy(std::begin(rows), std::end(rows), end)), ...);
  return all;
}

constexpr std::array kCatalogue = joined(kBugs, kRowsOfLearners, kRowsOfPrograms, kRowsOfLoops);

}  // namespace

std::span<const Mistake> list() noexcept { return kCatalogue; }

std::span<const Mistake> of_numbers() noexcept {
  return std::span(kCatalogue).first(std::size(kBugs) + std::size(kRowsOfLearners));
}

std::span<const Mistake> bugs() noexcept { return std::span(kCatalogue).first(std::size(kBugs)); }

}  // namespace conv2d::mistakes
