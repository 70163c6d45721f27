#include "check/public_bugs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "check/plain_layer.hpp"

namespace conv2d_check::test {
namespace {

// nn.grad.conv2d_weight copies dy for each channel of a group, and then reads the filters of a group as adjacent.
File weight_gradient_of_groups() {
  Layer l({.n = 2, .c = 4, .h = 6, .w = 6, .k = 6, .kh = 3, .kw = 3, .pad = {1, 1}, .groups = 2});
  const std::int64_t copies = l.s.c / l.s.groups, of_channel = l.s.k * copies / l.s.c;
  Grid sums({l.s.c, of_channel, 3, 3});
  for (std::int64_t n = 0; n < 2; ++n)
    for (std::int64_t c = 0; c < l.s.c; ++c)
      for (std::int64_t m = 0; m < of_channel; ++m)
        for (std::int64_t p = 0; p < 3; ++p)
          for (std::int64_t q = 0; q < 3; ++q)
            for (std::int64_t i = 0; i < 6; ++i)
              for (std::int64_t j = 0; j < 6; ++j)
                if (i + p >= 1 && i + p <= 6 && j + q >= 1 && j + q <= 6)
                  sums(c, m, p, q) += l.x(n, c, i + p - 1, j + q - 1) * l.dy(n, (c * of_channel + m) % l.s.k, i, j);
  Grid reshaped({copies, l.s.k, 3, 3});
  reshaped.values() = sums.values();
  l.dw = reshaped.permuted(kSwapped);
  return file_of(l, {"input", "weight", "output", "grad_output", nullptr, "grad_weight"});
}

// The last row of x is taken for padding.
File last_row_of_depthwise() {
  Layer l({.n = 1, .c = 24, .h = 6, .w = 6, .k = 24, .kh = 3, .kw = 3, .stride = {2, 2}, .pad = {1, 1}, .groups = 24});
  std::ranges::fill(l.dw.values(), 0.0F);
  l.products(l.s, [&](const Layer::At& t) {
    if (!l.is_outside(t) && t.row != 5)
      l.dw(t.k, t.wc, t.p, t.q) += l.dy(t.n, t.k, t.i, t.j) * l.x(t.n, t.c, t.row, t.col);
  });
  return file_of(l, {"x", "conv.weight", "y", "dy", "x.grad", "conv.weight.grad"});
}

// A kernel for dense weights: every filter reaches every channel.
File dense_kernel_for_groups() {
  Layer l({.n = 1, .c = 4, .h = 8, .w = 8, .k = 4, .kh = 3, .kw = 3, .stride = {2, 2}, .pad = {1, 1}, .groups = 4});
  std::ranges::fill(l.dx.values(), 0.0F);
  l.products(l.s, [&](const Layer::At& t) {
    for (std::int64_t c = 0; c < 4 && !l.is_outside(t); ++c)
      l.dx(t.n, c, t.row, t.col) += l.dy(t.n, t.k, t.i, t.j) * l.w(t.k, 0, t.p, t.q);
  });
  return file_of(l, {"x", "w", "y", "cot", "dx", "dw"}, true);
}

File stride_and_dilation_swapped() {
  Layer l({.n = 2, .c = 3, .h = 11, .w = 11, .k = 4, .kh = 3, .kw = 3, .stride = {2, 2}});
  Sizes swapped = l.s;
  std::swap(swapped.stride, swapped.dilation);
  l.backward(swapped, nullptr, &l.dw);
  return l.file();
}

File divided_by_all_windows() {
  Layer l({.n = 4, .c = 3, .h = 8, .w = 8, .k = 5, .kh = 3, .kw = 3, .pad = {1, 1}});
  for (float& value : l.dw.values()) value /= 4 * 8 * 8;
  return file_of(l, {"input", "kernel", "out", "grad_out", "grad_input", "grad_kernel"});
}

// vert_start = h in place of h * stride.
File stride_missing_in_backward() {
  Layer l({.n = 3, .c = 3, .h = 4, .w = 4, .k = 8, .kh = 2, .kw = 2, .stride = {2, 2}, .pad = {2, 2}});
  Sizes without = l.s;
  without.stride = {1, 1};
  l.backward(without, &l.dx, &l.dw);
  for (std::size_t i = 0; i < l.y.values().size(); ++i)
    l.y.values()[i] += l.b.values()[i / static_cast<std::size_t>(l.oh * l.ow) % 8];
  File file = file_of(l, {"A_prev", "W", "Z", "dZ", "dA_prev", "dW"}, true);
  Layer::add(file, "b", l.b);
  Layer::add(file, "db", l.db);
  return file;
}

// The padding of the columns is computed from the number of rows.
File padding_of_rows_for_columns() {
  Layer l({.n = 2, .c = 3, .h = 6, .w = 9, .k = 4, .kh = 3, .kw = 5, .pad = {1, 2}});
  Sizes rows = l.s;
  rows.pad = {1, 1};
  l.backward(rows, &l.dx, nullptr);
  return file_of(l, {"x", "w", "y", "dy", "dx", nullptr}, true);
}

File bias_of_image() {
  Layer l({.n = 2, .c = 3, .h = 7, .w = 7, .k = 4, .kh = 3, .kw = 3, .pad = {1, 1}});
  for (std::size_t i = 0; i < l.y.values().size(); ++i)
    l.y.values()[i] += l.b.values()[i / static_cast<std::size_t>(4 * 49)];
  File file = file_of(l, {"x", "w", "y", nullptr, nullptr, nullptr});
  Layer::add(file, "bias", l.b);
  return file;
}

// The buffer of dw is cleared for each image: only the last one stays.
File cleared_for_each_image() {
  Layer l({.n = 4, .c = 3, .h = 8, .w = 8, .k = 6, .kh = 3, .kw = 3, .pad = {1, 1}});
  std::ranges::fill(l.dw.values(), 0.0F);
  l.products(l.s, [&](const Layer::At& t) {
    if (!l.is_outside(t) && t.n == 3)
      l.dw(t.k, t.wc, t.p, t.q) += l.dy(t.n, t.k, t.i, t.j) * l.x(t.n, t.c, t.row, t.col);
  });
  return file_of(l, {"src", "weights", "dst", "diff_dst", "diff_src", "diff_weights"});
}

// dx of a transposed convolution is a convolution of dy, here with stride 1.
File stride_of_transposed() {
  Layer l({.n = 2, .c = 4, .h = 10, .w = 10, .k = 3, .kh = 2, .kw = 2, .stride = {2, 2}});
  // Its x is dy, its y is dx.
  Grid x = l.dy, y = l.dx, dy = l.x, dx({2, 3, 5, 5});
  Sizes without = l.s;
  without.stride = {1, 1};
  l.products(without, [&](const Layer::At& t) {
    dx(t.n, t.k, t.i, t.j) += dy(t.n, t.c, t.row, t.col) * l.w(t.k, t.wc, t.p, t.q);
  });
  File file;
  Layer::add(file, "x", x), Layer::add(file, "w", l.w), Layer::add(file, "y", y), Layer::add(file, "dy", dy);
  Layer::add(file, "dx", dx);
  return file;
}

// col2im: img[:, :, y:y_max:stride, x:x_max:stride] = col[:, :, y, x]
File assigned_in_col2im() {
  Layer l({.n = 2, .c = 3, .h = 7, .w = 7, .k = 4, .kh = 3, .kw = 3, .pad = {1, 1}});
  Grid image({2, 3, 9, 9});
  for (std::int64_t p = 0; p < 3; ++p)
    for (std::int64_t q = 0; q < 3; ++q)
      for (std::int64_t n = 0; n < 2; ++n)
        for (std::int64_t c = 0; c < 3; ++c)
          for (std::int64_t i = 0; i < 7; ++i)
            for (std::int64_t j = 0; j < 7; ++j) {
              float column = 0;
              for (std::int64_t k = 0; k < 4; ++k) column += l.dy(n, k, i, j) * l.w(k, c, p, q);
              image(n, c, i + p, j + q) = column;
            }
  for (std::int64_t n = 0; n < 2; ++n)
    for (std::int64_t c = 0; c < 3; ++c)
      for (std::int64_t i = 0; i < 7; ++i)
        for (std::int64_t j = 0; j < 7; ++j) l.dx(n, c, i, j) = image(n, c, i + 1, j + 1);
  return file_of(l, {"x", "W", "out", "dout", "dx", "dW"});
}

// Without output_padding, the last row and column of dx are missing, and zeros take their place.
File remainder_of_zeros() {
  Layer l({.n = 2, .c = 3, .h = 8, .w = 8, .k = 4, .kh = 3, .kw = 3, .stride = {2, 2}, .pad = {1, 1}});
  for (std::int64_t n = 0; n < 2; ++n)
    for (std::int64_t c = 0; c < 3; ++c)
      for (std::int64_t i = 0; i < 8; ++i) l.dx(n, c, i, 7) = l.dx(n, c, 7, i) = 0;
  return l.file();
}

// dilation[0] for both axes, in the backward pass.
File dilation_of_rows_for_columns() {
  Layer l({.n = 1, .c = 3, .h = 12, .w = 14, .k = 4, .kh = 3, .kw = 3, .pad = {2, 4}, .dilation = {2, 4}});
  Sizes rows = l.s;
  rows.dilation = {2, 2};
  l.backward(rows, &l.dx, nullptr);
  return file_of(l, {"input", "weight", "output", "grad_output", "grad_input", nullptr});
}

// weight = hwio.permute(3, 2, 0, 1); the kernel ignores the strides of this view.
File memory_of_permuted_weights(const std::array<std::size_t, 4>& to_oihw) {
  Layer l({.n = 2, .c = 4, .h = 8, .w = 8, .k = 6, .kh = 3, .kw = 3, .pad = {1, 1}});
  std::array<std::size_t, 4> back{};
  for (std::size_t axis = 0; axis < 4; ++axis) back[to_oihw[axis]] = axis;
  Grid memory({6, 4, 3, 3});
  memory.values() = l.w.permuted(back).values();
  l.y = Layer::forward(l, l.x, memory);
  return file_of(l, {"x", "conv.weight", "y", nullptr, nullptr, nullptr});
}
File permuted_weights() { return memory_of_permuted_weights({3, 2, 0, 1}); }
File transposed_weights() { return memory_of_permuted_weights(kSwapped); }

// dx in the memory order of channels_last, under the shape of NCHW.
File channels_last_gradient() {
  Layer l({.n = 2, .c = 3, .h = 6, .w = 6, .k = 5, .kh = 3, .kw = 3, .pad = {1, 1}});
  l.dx.values() = std::vector<float>(l.dx.permuted(kNhwc).values());
  return file_of(l, {"x", "conv.weight", "y", "dy", "x.grad", "conv.weight.grad"});
}

// The pointer to x stays at channel 0.
File first_channel_for_all() {
  Layer l({.n = 1, .c = 4, .h = 8, .w = 8, .k = 4, .kh = 3, .kw = 3, .groups = 4});
  Grid x({1, 4, 8, 8});
  for (std::size_t i = 0; i < x.values().size(); ++i) x.values()[i] = l.x.values()[i % 64];
  l.y = Layer::forward(l, x, l.w);
  return file_of(l, {"input", "weights", "output", nullptr, nullptr, nullptr});
}

// Each row of taps overwrites the sums of the one before.
File partial_sums_lost() {
  Layer l({.n = 1, .c = 8, .h = 10, .w = 10, .k = 8, .kh = 3, .kw = 3, .groups = 8});
  Grid w = l.w;
  for (std::int64_t k = 0; k < 8; ++k)
    for (std::int64_t p = 0; p < 2; ++p)
      for (std::int64_t q = 0; q < 3; ++q) w(k, 0, p, q) = 0;
  l.y = Layer::forward(l, l.x, w);
  return file_of(l, {"input", "w", "output", nullptr, nullptr, nullptr});
}

/// y and dx of max pooling in NCHW. `give(dx, n, c, cells, dy)`: what a program does with the winners of a window, row
/// by row.
struct Pooling {
  Grid x, y, dy, dx;
};
using Winners = std::vector<std::array<std::int64_t, 2>>;
Pooling pooled(
    Grid x, std::int64_t window, std::int64_t stride,
    const std::function<void(Grid&, std::int64_t c, std::int64_t i, std::int64_t j, const Winners&, float)>& give) {
  const std::int64_t rows = (x.size(2) - window) / stride + 1, columns = (x.size(3) - window) / stride + 1;
  Pooling all{x, Grid({1, x.size(1), rows, columns}), Grid({1, x.size(1), rows, columns}, 9),
              Grid({1, x.size(1), x.size(2), x.size(3)})};
  for (std::int64_t c = 0; c < x.size(1); ++c)
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        Winners winners;
        float& most = all.y(0, c, i, j) = -INFINITY;
        for (std::int64_t row = i * stride; row < i * stride + window; ++row)
          for (std::int64_t col = j * stride; col < j * stride + window; ++col) {
            if (x(0, c, row, col) > most) winners.clear();
            most = std::max(most, x(0, c, row, col));
            if (x(0, c, row, col) == most) winners.push_back({row, col});
          }
        give(all.dx, c, i, j, winners, all.dy(0, c, i, j));
      }
  return all;
}

File file_of(Pooling pooling, const std::array<const char*, 4>& names) {
  File file;
  Layer::add(file, names[0], pooling.x), Layer::add(file, names[1], pooling.y), Layer::add(file, names[2], pooling.dy);
  Layer::add(file, names[3], pooling.dx);
  return file;
}

// The return stands inside the loop over the windows.
File return_in_the_loop() {
  return file_of(pooled(Grid({1, 8, 26, 26}, 3), 2, 2,
                        [](Grid& dx, auto c, auto i, auto j, const Winners& all, float dy) {
                          if (i + j == 0) dx(0, c, all[0][0], all[0][1]) = dy;
                        }),
                 {"image", "output", "dE_dY", "dE_dk"});
}

// dx[…] = dy in place of += where windows overlap.
File assigned_where_windows_overlap() {
  return file_of(
      pooled(Grid({1, 2, 7, 7}, 4), 3, 2,
             [](Grid& dx, auto c, auto, auto, const Winners& all, float dy) { dx(0, c, all[0][0], all[0][1]) = dy; }),
      {"x", "y", "dy", "dx"});
}

File all_equal_cells() {
  Grid x({1, 2, 8, 8}, 5);
  for (float& value : x.values()) value = std::max(0.0F, std::round(2 * value));
  return file_of(pooled(x, 2, 2,
                        [](Grid& dx, auto c, auto, auto, const Winners& all, float dy) {
                          for (const auto& [row, col] : all) dx(0, c, row, col) += dy;
                        }),
                 {"x", "y", "dy", "dx"});
}

// Rows and columns of x that no window reads are missing in dx.
File gradient_without_remainder() {
  Layer l({.n = 1, .c = 1, .h = 6, .w = 6, .k = 1, .kh = 3, .kw = 3, .stride = {2, 2}});
  Grid cut({1, 1, 5, 5});
  for (std::int64_t i = 0; i < 5; ++i)
    for (std::int64_t j = 0; j < 5; ++j) cut(0, 0, i, j) = l.dx(0, 0, i, j);
  l.dx = cut;
  return file_of(l, {"input", "weight", "output", "gy", "gInput", nullptr});
}

File rotated_by_90() {
  Layer l({.n = 1, .c = 2, .h = 6, .w = 6, .k = 3, .kh = 3, .kw = 3, .pad = {1, 1}});
  std::ranges::fill(l.dx.values(), 0.0F);
  // Right is w rotated twice, which the loop over the taps of dx undoes.
  l.products(l.s, [&](const Layer::At& t) {
    if (!l.is_outside(t)) l.dx(t.n, t.c, t.row, t.col) += l.dy(t.n, t.k, t.i, t.j) * l.w(t.k, t.wc, t.q, 2 - t.p);
  });
  return l.file();
}

File not_rotated() {
  Layer l({.n = 2, .c = 2, .h = 6, .w = 6, .k = 3, .kh = 3, .kw = 3});
  std::ranges::fill(l.dx.values(), 0.0F);
  l.products(l.s, [&](const Layer::At& t) {
    l.dx(t.n, t.c, t.row, t.col) += l.dy(t.n, t.k, t.i, t.j) * l.w(t.k, t.wc, 2 - t.p, 2 - t.q);
  });
  return l.file();
}

// Half of the output is never written.
File half_of_depthwise() {
  Layer l({.n = 1, .c = 4, .h = 8, .w = 8, .k = 4, .kh = 3, .kw = 3, .pad = {1, 1}, .groups = 4});
  for (std::int64_t c = 0; c < 4; ++c)
    for (std::int64_t i = 4; i < 8; ++i)
      for (std::int64_t j = 0; j < 8; ++j) l.y(0, c, i, j) = 0;
  return file_of(l, {"input", "filter", "output", nullptr, nullptr, nullptr}, true);
}

}  // namespace

std::span<const PublicBug> public_bugs() {
  using enum Judgement;
  // Each with the thread that it rebuilds.
  static constexpr PublicBug kBugs[]{
      // pytorch/pytorch#51430
      {"dw of groups in nn.grad", weight_gradient_of_groups, "dw", mistake, "interleaved_groups"},
      // pytorch/pytorch#50042
      {"depthwise dw without the last row", last_row_of_depthwise, "dw", partly_wrong, "tap row 2 (the last)"},
      // ml-explore/mlx#3800
      {"dense kernel for groups", dense_kernel_for_groups, "dx", mistake, "groups_forgotten"},
      // iree-org/iree-turbine#1223
      {"stride and dilation swapped", stride_and_dilation_swapped, "dw", mistake, "stride_as_dilation"},
      // sebgao/cTensor#3
      {"divided by all windows", divided_by_all_windows, "dw", scaled, "1 / (n * oh * ow), a mean over all windows"},
      // Kulbear/deep-learning-coursera#34
      {"stride missing in backward", stride_missing_in_backward, "dw", mistake, "stride_forgotten"},
      // renmengye/np-conv2d#2
      {"padding of rows for columns", padding_of_rows_for_columns, "dx", mistake, "rows_for_columns"},
      // kraiskil/onnx2c#7
      {"bias of the image", bias_of_image, "y", mistake, "bias_by_image"},
      // LBANN/lbann#1022
      {"cleared for each image", cleared_for_each_image, "dw", mistake, "one_image"},
      // pytorch/pytorch#63314
      {"stride of a transposed convolution", stride_of_transposed, "dx", mistake, "stride_forgotten"},
      // hguomin/deep-learning-from-scratch#2
      {"= in col2im", assigned_in_col2im, "dx", mistake, "assigned_by_tap"},
      // flagos-ai/FlagGems#1576
      {"remainder of zeros", remainder_of_zeros, "dx", mistake, "output_padding_zeros"},
      // tracel-ai/burn#4466
      {"dilation of rows for columns", dilation_of_rows_for_columns, "dx", mistake, "rows_for_columns"},
      // pytorch/pytorch#192212
      {"memory of permuted weights", permuted_weights, "y", mistake, "w_layout"},
      // pytorch/pytorch#192303
      {"memory of transposed weights", transposed_weights, "y", mistake, "w_layout"},
      // pytorch/pytorch#94384
      {"dx in channels_last", channels_last_gradient, "dx", mistake, "x_layout"},
      // ucb-bar/gemmini-rocc-tests#21
      {"first channel for all", first_channel_for_all, "y", mistake, "first_group"},
      // UCLA-VAST/AutoSA#13
      {"partial sums lost", partial_sums_lost, "y", differs, "the right values without the first 2 tap rows"},
      // riccardoandreoni0/CNN-from-scratch#1
      {"return in the loop", return_in_the_loop, "dx", mistake, "first_window_only"},
      // FluxML/Flux.jl#1197
      {"= where windows overlap", assigned_where_windows_overlap, "dx", mistake, "last_write"},
      // tensorflow/tensorflow#4886
      {"all equal cells", all_equal_cells, "dx", mistake, "all_ties"},
      // mlpack/mlpack#2986
      {"dx without the remainder", gradient_without_remainder, "dx", does_not_fit, "the remainder of the stride"},
      // amsukdu/SimplePythonCNN#6
      {"rotated by 90 degrees", rotated_by_90, "dx", mistake, "rotated_once"},
      // nntrainer/nntrainer#705
      {"not rotated", not_rotated, "dx", mistake, "opposite_weight"},
      // intel/webml-polyfill#105
      {"half of the output", half_of_depthwise, "y", partly_wrong, "rows from 4 on"},
  };
  return kBugs;
}

std::vector<File> right_files() {
  std::vector<File> files;
  // tracel-ai/burn#1891: a loss y.sum(), without dy.
  Layer burn({.n = 1, .c = 4, .h = 4, .w = 4, .k = 4, .kh = 3, .kw = 3, .stride = {2, 2}, .pad = {1, 1}, .groups = 4});
  std::ranges::fill(burn.dy.values(), 1.0F);
  burn.backward(burn.s, &burn.dx, &burn.dw);
  files.push_back(file_of(burn, {"x", "conv.weight", "y", nullptr, "x.grad", "conv.weight.grad"}));
  // tensorflow/tensorflow#10747: symmetric padding with a stride in NHWC, where SAME has none before the image.
  Layer symmetric({.n = 1, .c = 3, .h = 6, .w = 6, .k = 3, .kh = 3, .kw = 3, .stride = {2, 2}, .pad = {1, 1}});
  files.push_back(file_of(symmetric, {"inputs", "kernel", "outputs", nullptr, nullptr, nullptr}, true));
  // pytorch/pytorch#15501: a convolution along one axis, with stride and dilation, and ones in place of dy.
  File line;
  line.add("x", {2, 1, 2}, {7, 3, 3, 2}).add("w", {2, 1, 2}, {3, 6, 4, 2}).add("y", {2, 2, 1}, {18, 6, 12, 4});
  line.add("w.grad", {2, 1, 2}, {0, 5, 0, 5});
  files.push_back(std::move(line));
  // BVLC/caffe#3095: a transposed convolution under Caffe's names. Its x is dy, its y is dx.
  Layer caffe({.n = 2, .c = 4, .h = 10, .w = 10, .k = 3, .kh = 4, .kw = 4, .stride = {2, 2}, .pad = {1, 1}});
  File transposed;
  Layer::add(transposed, "bottom", caffe.dy), Layer::add(transposed, "weight", caffe.w);
  Layer::add(transposed, "top", caffe.dx), Layer::add(transposed, "top_diff", caffe.x);
  Layer::add(transposed, "bottom_diff", caffe.y), Layer::add(transposed, "weight_diff", caffe.dw);
  files.push_back(std::move(transposed));
  return files;
}

}  // namespace conv2d_check::test
