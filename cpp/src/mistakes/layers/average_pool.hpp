#pragma once

#include <algorithm>
#include <cstdint>

#include "desc/windows.hpp"
#include "mistakes/layers/cells.hpp"

/// Mistakes of average pooling.
namespace conv2d::mistakes::average_pool {

/// The option count_include_pad.
inline bool counts_padding(const LayerProblem& p) { return p.options[0] != 0; }

inline double sum_of(const LayerProblem& p, std::int64_t y) {
  double sum = 0;
  for_each_window_cell(p.geometry, y, [&](std::int64_t cell) { sum += at(p.x, cell); });
  return sum;
}

inline double right(const LayerProblem& p, Pass pass, std::int64_t cell) {
  if (pass == Pass::forward) return sum_of(p, cell) / cells_of(p, cell, counts_padding(p));
  return sum_of_windows(p, cell, [&](std::int64_t y) { return at(p.dy, y) / cells_of(p, y, counts_padding(p)); });
}

inline constexpr LayerMistake kMistakes[] = {
    {.name = "sum_not_mean",
     .title = "Sum in place of the mean",
     .sentence = "The cells of the window were added and not divided by their number.",
     .lesson = "pooling.4",
     .pass = Pass::forward,
     .value = sum_of},
    {.name = "other_count",
     .title = "Another number of cells",
     .sentence = "The sum was divided by another number: with or without the padding of the window.",
     .lesson = "pooling.4",
     .pass = Pass::forward,
     .value = [](const LayerProblem& p,
                 std::int64_t cell) { return sum_of(p, cell) / cells_of(p, cell, !counts_padding(p)); }},
    {.name = "first_window_mean",
     .title = "Only the first window",
     .sentence =
         "Only the first window passed dy on: a return or break stands inside the loop. The other cells stayed 0.",
     .lesson = "pooling.4",
     .pass = Pass::backward_data,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           return of_first_window(p, cell,
                                  [&](std::int64_t y) { return at(p.dy, y) / cells_of(p, y, counts_padding(p)); });
         }},
    {.name = "whole_dy",
     .title = "The whole dy to each cell",
     .sentence = "Each cell received the whole dy. It counts only as one of the window's cells in y, so dy is divided.",
     .lesson = "pooling.4",
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p,
                 std::int64_t cell) { return sum_of_windows(p, cell, [&](std::int64_t y) { return at(p.dy, y); }); }},
    {.name = "last_mean",
     .title = "= instead of +=",
     .sentence = "The cell kept only the share of the last window that reads it: = instead of +=. It receives the sum "
                 "over all windows that read it.",
     .lesson = "pooling.4",
     .pass = Pass::backward_data,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           const std::int64_t last = last_window(p, cell);
           return last < 0 ? 0.0 : at(p.dy, last) / cells_of(p, last, counts_padding(p));
         }},
    {.name = "other_count_of_dy",
     .title = "Another number of cells",
     .sentence = "dy was divided by another number: with or without the padding of the window.",
     .lesson = "pooling.4",
     .pass = Pass::backward_data,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           return sum_of_windows(p, cell,
                                 [&](std::int64_t y) { return at(p.dy, y) / cells_of(p, y, !counts_padding(p)); });
         }},
};

}  // namespace conv2d::mistakes::average_pool
