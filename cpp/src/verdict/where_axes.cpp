#include "verdict/where_axes.hpp"

#include <algorithm>

#include "base/strided_view.hpp"
#include "desc/windows.hpp"

namespace conv2d_check {
namespace {

template <class Holds>
void name_set(ResultAxis& axis, std::string fact, Holds holds) {
  NamedSet set{.mask = std::vector<char>(static_cast<std::size_t>(axis.size)), .fact = std::move(fact)};
  for (std::int64_t i = 0; i < axis.size; ++i) set.mask[static_cast<std::size_t>(i)] = holds(i) ? 1 : 0;
  axis.named.push_back(std::move(set));
}

/// The windows along an axis of y: `reach(i)` is the first cell behind window i.
void name_windows(ResultAxis& axis, std::int64_t stride, std::int64_t before, std::int64_t kernel, std::int64_t size,
                  const char* before_name, const char* after_name) {
  const auto first = [=](std::int64_t i) { return i * stride - before < 0; };
  const auto last = [=](std::int64_t i) { return i * stride - before + kernel > size; };
  name_set(axis, std::string("windows that touch the ") + before_name + " padding", first);
  name_set(axis, std::string("windows that touch the ") + after_name + " padding", last);
  name_set(axis, "windows that touch the padding", [=](std::int64_t i) { return first(i) || last(i); });
}

/// The cells along an axis of dx.
void name_cells(ResultAxis& axis, std::int64_t stride, std::int64_t dilation, std::int64_t before, std::int64_t kernel,
                std::int64_t windows) {
  std::vector<std::int64_t> readers(static_cast<std::size_t>(axis.size));
  for (std::int64_t i = 0; i < axis.size; ++i)
    for (std::int64_t p = 0; p < kernel; ++p)
      readers[static_cast<std::size_t>(i)] += conv2d::window_at(i + before, p * dilation, stride, windows) >= 0 ? 1 : 0;
  const std::int64_t most = *std::max_element(readers.begin(), readers.end());
  const auto of = [&readers](std::int64_t i) { return readers[static_cast<std::size_t>(i)]; };
  name_set(axis, "no window reads them", [&](std::int64_t i) { return of(i) == 0; });
  name_set(axis, "fewer windows read them than the others", [&](std::int64_t i) { return of(i) < most; });
}

ResultAxes activation_axes(const Geometry& g, std::int64_t rows, std::int64_t columns, std::int64_t channels) {
  const auto view = conv2d::activation_view<const float>(nullptr, g.layout, rows, columns, channels);
  return {ResultAxis{.one = "image", .many = "images", .size = g.n, .stride = view.stride_0},
          ResultAxis{.one = "row", .many = "rows", .size = rows, .stride = view.stride_1},
          ResultAxis{.one = "column", .many = "columns", .size = columns, .stride = view.stride_2},
          ResultAxis{.one = "channel", .many = "channels", .size = channels, .stride = view.stride_3}};
}

JoinedAxis joined(const ResultAxes& axes, std::vector<std::size_t> parts, std::string one, std::string many,
                  std::string suffix) {
  JoinedAxis joined{.parts = std::move(parts)};
  joined.axis.one = std::move(one);
  joined.axis.many = std::move(many);
  joined.axis.suffix = std::move(suffix);
  for (const std::size_t part : joined.parts) joined.axis.size *= axes[part].size;
  return joined;
}

}  // namespace

ResultAxes axes_of(const Problem& problem, Pass pass) {
  const Geometry& g = problem.geometry;
  const bool has_filters = problem.layer == Layer::conv;
  const bool has_windows = problem.layer != Layer::relu;
  if (pass == Pass::forward) {
    ResultAxes axes = activation_axes(g, g.oh, g.ow, g.k);
    if (has_filters) axes[3].one = "filter", axes[3].many = "filters";
    if (has_filters && g.groups > 1) axes[3].group_size = g.group_k;
    if (has_windows) {
      name_windows(axes[1], g.stride_h, g.padding.top, g.dilated_kh, g.h, "upper", "lower");
      name_windows(axes[2], g.stride_w, g.padding.left, g.dilated_kw, g.w, "left", "right");
    }
    return axes;
  }
  if (pass == Pass::backward_data) {
    ResultAxes axes = activation_axes(g, g.h, g.w, g.c);
    if (has_filters && g.groups > 1) axes[3].group_size = g.group_c;
    if (has_windows) {
      name_cells(axes[1], g.stride_h, g.dilation_h, g.padding.top, g.kh, g.oh);
      name_cells(axes[2], g.stride_w, g.dilation_w, g.padding.left, g.kw, g.ow);
    }
    return axes;
  }
  ResultAxis filter{.one = "filter", .many = "filters", .size = g.k, .stride = 1};
  if (g.groups > 1) filter.group_size = g.group_k;
  if (pass == Pass::backward_bias) return {ResultAxis{}, ResultAxis{}, ResultAxis{}, filter};
  const auto view = conv2d::w_view<const float>(nullptr, g);
  filter.stride = view.stride_3;
  return {ResultAxis{.one = "tap row", .many = "tap rows", .size = g.kh, .stride = view.stride_0},
          ResultAxis{.one = "tap column", .many = "tap columns", .size = g.kw, .stride = view.stride_1},
          ResultAxis{.one = "input channel", .many = "input channels", .size = g.group_c, .stride = view.stride_2},
          filter};
}

std::vector<Grid> grids_of(const ResultAxes& axes, Pass pass) {
  const auto alone = [&](std::size_t part) { return JoinedAxis{.parts = {part}, .axis = axes[part]}; };
  std::vector<Grid> grids{{alone(0), alone(1), alone(2), alone(3)}};
  if (pass == Pass::backward_bias) return grids;
  if (pass == Pass::backward_weights) {
    const JoinedAxis taps = joined(axes, {0, 1}, "tap", "taps", "counted row by row");
    const JoinedAxis rows = joined(axes, {0, 1, 2}, "row of w_col", "rows of w_col", "");
    const JoinedAxis planes = joined(axes, {3, 2}, "kernel plane", "kernel planes", "counted filter by filter");
    grids.push_back({taps, alone(2), alone(3)});
    grids.push_back({rows, alone(3)});
    grids.push_back({planes, alone(0), alone(1)});
    grids.push_back({planes, taps});
  } else {
    const bool is_y = pass == Pass::forward;
    const char* one = is_y ? "window" : "cell";
    const char* many = is_y ? "windows" : "cells";
    const JoinedAxis cells = joined(axes, {1, 2}, one, many, "counted row by row in each image");
    const JoinedAxis all = joined(axes, {0, 1, 2}, one, many, "counted row by row over all images");
    const JoinedAxis rows = joined(axes, {0, 1}, "row", "rows", "counted over all images");
    const JoinedAxis planes =
        joined(axes, {0, 3}, "plane", "planes", "counted " + axes[3].one + " by " + axes[3].one + " over all images");
    grids.push_back({alone(0), cells, alone(3)});
    grids.push_back({rows, alone(2), alone(3)});
    grids.push_back({all, alone(3)});
    grids.push_back({planes, alone(1), alone(2)});
    grids.push_back({planes, cells});
  }
  std::vector<std::size_t> order{0, 1, 2, 3};
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return axes[a].stride > axes[b].stride; });
  grids.push_back({joined(axes, order, "element", "elements", "in memory")});
  return grids;
}

std::string in_words(const std::string& pattern, const std::string& one, const std::string& many) {
  std::string words;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '#') {
      words += pattern[i];
      continue;
    }
    words += pattern[++i] == '1' ? one : many;
  }
  return words;
}

std::string ordinal(std::int64_t number) {
  const std::int64_t ten = number % 10, hundred = number % 100;
  const bool is_teen = hundred >= 11 && hundred <= 13;
  const char* ending = is_teen ? "th" : ten == 1 ? "st" : ten == 2 ? "nd" : ten == 3 ? "rd" : "th";
  return std::to_string(number) + ending;
}

}  // namespace conv2d_check
