#include "problems/awkward.hpp"

#include <array>

namespace conv2d::test {

namespace {

constexpr auto kSame = PaddingMode::same;
constexpr auto kFull = PaddingMode::full;

// clang-format off: one problem is one thing to read, not twenty lines
constexpr std::array kProblems{
    // Small kernels and degenerate sizes.
    NamedProblem{"one cell", {}},
    NamedProblem{"1x1 kernel, primes", {.n = 2, .h = 7, .w = 5, .c = 3, .k = 11}},
    NamedProblem{"1x1 kernel, strided 3x2", {.n = 2, .h = 8, .w = 7, .c = 5, .k = 3, .stride_h = 3, .stride_w = 2}},
    NamedProblem{"1x1 kernel, padded", {.h = 3, .w = 4, .c = 2, .k = 3, .padding = {1, 2, 3, 1}}},
    NamedProblem{"one row of image", {.h = 1, .w = 17, .c = 3, .k = 2, .kw = 4}},
    NamedProblem{"one column of image", {.h = 19, .w = 1, .c = 2, .k = 3, .kh = 5, .stride_h = 2}},
    NamedProblem{"1xN kernel", {.n = 2, .h = 5, .w = 11, .c = 3, .k = 4, .kw = 7, .padding = {0, 0, 3, 3}}},
    NamedProblem{"Nx1 kernel", {.n = 2, .h = 11, .w = 5, .c = 3, .k = 4, .kh = 7, .padding = {3, 3, 0, 0}}},
    NamedProblem{"kernel is the image", {.n = 3, .h = 5, .w = 7, .c = 2, .k = 3, .kh = 5, .kw = 7}},
    NamedProblem{"batch 0", {.n = 0, .h = 5, .w = 4, .c = 2, .k = 3, .kh = 3, .kw = 2}},
    NamedProblem{"empty image, padding only", {.h = 0, .w = 2, .c = 2, .k = 3, .padding = {1, 1, 1, 1}}},

    // Nothing square.
    NamedProblem{"nothing square",
                 {.n = 2,
                  .h = 9,
                  .w = 7,
                  .c = 3,
                  .k = 5,
                  .kh = 3,
                  .kw = 2,
                  .stride_h = 2,
                  .stride_w = 3,
                  .padding = {1, 2, 0, 3}}},
    NamedProblem{"everything at once",
                 {.n = 2,
                  .h = 13,
                  .w = 11,
                  .c = 6,
                  .k = 9,
                  .kh = 3,
                  .kw = 2,
                  .stride_h = 2,
                  .stride_w = 3,
                  .dilation_h = 2,
                  .dilation_w = 3,
                  .groups = 3,
                  .padding = {5, 1, 0, 4}}},
    NamedProblem{"even kernel 4x2", {.n = 2, .h = 10, .w = 9, .c = 3, .k = 4, .kh = 4, .kw = 2}},
    NamedProblem{"3x3 same", {.n = 2, .h = 7, .w = 9, .c = 4, .k = 6, .kh = 3, .kw = 3, .padding_mode = kSame}},
    NamedProblem{"5x5 same", {.h = 8, .w = 11, .c = 3, .k = 7, .kh = 5, .kw = 5, .padding_mode = kSame}},
    NamedProblem{"3x3 on 2x2 tiles with odd output",
                 {.n = 1, .h = 9, .w = 15, .c = 5, .k = 6, .kh = 3, .kw = 3, .padding = {1, 0, 0, 1}}},

    // Strides.
    NamedProblem{"stride above kernel",
                 {.n = 2, .h = 11, .w = 10, .c = 3, .k = 2, .kh = 2, .kw = 3, .stride_h = 4, .stride_w = 5}},
    NamedProblem{
        "stride above image",
        {.h = 4, .w = 5, .c = 2, .k = 3, .kh = 2, .kw = 2, .stride_h = 9, .stride_w = 7, .padding = {1, 0, 1, 1}}},
    NamedProblem{"stride 2, remainder row and column",
                 {.h = 6, .w = 8, .c = 2, .k = 3, .kh = 3, .kw = 3, .stride_h = 2, .stride_w = 2}},
    NamedProblem{"stride 5, remainder 4",
                 {.h = 12, .w = 17, .c = 2, .k = 2, .kh = 3, .kw = 3, .stride_h = 5, .stride_w = 5}},
    NamedProblem{"stride 2, odd input, same",
                 {.n = 2,
                  .h = 7,
                  .w = 9,
                  .c = 3,
                  .k = 4,
                  .kh = 3,
                  .kw = 3,
                  .stride_h = 2,
                  .stride_w = 2,
                  .padding_mode = kSame}},
    NamedProblem{"stride 2, even input, same",
                 {.n = 2,
                  .h = 8,
                  .w = 6,
                  .c = 3,
                  .k = 4,
                  .kh = 3,
                  .kw = 3,
                  .stride_h = 2,
                  .stride_w = 2,
                  .padding_mode = kSame}},
    NamedProblem{
        "same, stride above kernel",
        {.h = 7, .w = 8, .c = 2, .k = 2, .kh = 2, .kw = 2, .stride_h = 3, .stride_w = 4, .padding_mode = kSame}},
    NamedProblem{
        "first layer: 7x7 stride 2",
        {.h = 15, .w = 17, .c = 3, .k = 16, .kh = 7, .kw = 7, .stride_h = 2, .stride_w = 2, .padding = {3, 3, 3, 3}}},

    // Padding.
    NamedProblem{"full", {.n = 2, .h = 4, .w = 5, .c = 3, .k = 2, .kh = 3, .kw = 4, .padding_mode = kFull}},
    NamedProblem{"padding above kernel, asymmetric",
                 {.h = 4, .w = 3, .c = 2, .k = 3, .kh = 2, .kw = 3, .padding = {5, 1, 0, 7}}},
    NamedProblem{"padding on one side only",
                 {.h = 5, .w = 6, .c = 3, .k = 3, .kh = 3, .kw = 3, .padding = {0, 4, 0, 0}}},
    NamedProblem{
        "padding above stride times output",
        {.h = 3, .w = 3, .c = 1, .k = 2, .kh = 2, .kw = 2, .stride_h = 3, .stride_w = 4, .padding = {8, 9, 13, 0}}},
    NamedProblem{"kernel above image",
                 {.n = 2, .h = 2, .w = 3, .c = 3, .k = 2, .kh = 5, .kw = 6, .padding = {2, 2, 2, 3}}},
    NamedProblem{"kernel above image, one output",
                 {.h = 2, .w = 2, .c = 2, .k = 2, .kh = 5, .kw = 5, .padding = {3, 0, 0, 3}}},

    // Dilation.
    NamedProblem{"dilation 2x3",
                 {.n = 2, .h = 9, .w = 12, .c = 3, .k = 4, .kh = 3, .kw = 3, .dilation_h = 2, .dilation_w = 3}},
    NamedProblem{
        "dilation, same, 2x2",
        {.h = 7, .w = 6, .c = 2, .k = 3, .kh = 2, .kw = 2, .dilation_h = 3, .dilation_w = 2, .padding_mode = kSame}},
    NamedProblem{"dilation and stride share a factor",
                 {.h = 13,
                  .w = 16,
                  .c = 2,
                  .k = 3,
                  .kh = 3,
                  .kw = 3,
                  .stride_h = 2,
                  .stride_w = 4,
                  .dilation_h = 4,
                  .dilation_w = 2,
                  .padding = {2, 3, 1, 2}}},
    NamedProblem{"dilation and stride coprime",
                 {.h = 14,
                  .w = 15,
                  .c = 2,
                  .k = 3,
                  .kh = 3,
                  .kw = 2,
                  .stride_h = 3,
                  .stride_w = 2,
                  .dilation_h = 2,
                  .dilation_w = 5,
                  .padding_mode = kSame}},
    NamedProblem{
        "taps step over the image",
        {.h = 2, .w = 3, .c = 2, .k = 2, .kh = 2, .kw = 2, .dilation_h = 5, .dilation_w = 6, .padding = {3, 3, 4, 4}}},
    NamedProblem{"dilation on a kernel of one", {.h = 4, .w = 4, .c = 2, .k = 2, .dilation_h = 9, .dilation_w = 9}},

    // Groups.
    NamedProblem{"two groups", {.n = 2, .h = 5, .w = 6, .c = 4, .k = 6, .kh = 3, .kw = 2, .groups = 2}},
    NamedProblem{"five groups of three",
                 {.h = 6, .w = 5, .c = 15, .k = 10, .kh = 2, .kw = 3, .groups = 5, .padding_mode = kSame}},
    NamedProblem{"groups with wide tails",
                 {.h = 4, .w = 5, .c = 18, .k = 34, .kh = 3, .kw = 3, .groups = 2, .padding_mode = kSame}},
    NamedProblem{"grouped reduction to one filter each",
                 {.n = 2, .h = 5, .w = 4, .c = 12, .k = 3, .kh = 2, .kw = 2, .groups = 3}},
    NamedProblem{"depthwise 3x3",
                 {.n = 2, .h = 7, .w = 6, .c = 7, .k = 7, .kh = 3, .kw = 3, .groups = 7, .padding_mode = kSame}},
    NamedProblem{"depthwise, multiplier 3", {.n = 2, .h = 6, .w = 7, .c = 5, .k = 15, .kh = 3, .kw = 2, .groups = 5}},
    NamedProblem{"depthwise, vector tails",
                 {.h = 6, .w = 7, .c = 37, .k = 37, .kh = 3, .kw = 3, .groups = 37, .padding = {1, 0, 2, 1}}},
    NamedProblem{"depthwise, stride 2, dilation 2",
                 {.n = 2,
                  .h = 11,
                  .w = 9,
                  .c = 17,
                  .k = 17,
                  .kh = 3,
                  .kw = 3,
                  .stride_h = 2,
                  .stride_w = 2,
                  .dilation_h = 2,
                  .dilation_w = 2,
                  .groups = 17,
                  .padding_mode = kSame}},
    NamedProblem{"depthwise, multiplier 2, strided",
                 {.h = 8,
                  .w = 9,
                  .c = 9,
                  .k = 18,
                  .kh = 5,
                  .kw = 3,
                  .stride_h = 3,
                  .stride_w = 1,
                  .groups = 9,
                  .padding = {2, 2, 1, 1}}},
    NamedProblem{"depthwise, one channel", {.h = 6, .w = 5, .c = 1, .k = 3, .kh = 3, .kw = 3}},

    // Beyond the block sizes of a blocked GEMM, in one dimension each.
    NamedProblem{"deep reduction", {.h = 3, .w = 3, .c = 131, .k = 5, .kh = 3, .kw = 3, .padding_mode = kSame}},
    NamedProblem{"very deep reduction", {.h = 2, .w = 2, .c = 1031, .k = 3, .padding = {0, 1, 0, 0}}},
    NamedProblem{"many filters", {.h = 3, .w = 2, .c = 3, .k = 277, .kh = 2, .kw = 2, .padding_mode = kSame}},
    NamedProblem{"many pixels", {.n = 3, .h = 29, .w = 31, .c = 2, .k = 3, .kh = 3, .kw = 3, .padding_mode = kSame}},
    NamedProblem{"wide row", {.h = 2, .w = 1037, .c = 1, .k = 2, .kh = 2, .kw = 3, .padding = {0, 0, 1, 1}}},
    NamedProblem{"batch of many", {.n = 19, .h = 3, .w = 4, .c = 3, .k = 5, .kh = 3, .kw = 3, .padding_mode = kSame}},
};
// clang-format on

}  // namespace

std::span<const NamedProblem> awkward_problems() noexcept { return kProblems; }

}  // namespace conv2d::test
