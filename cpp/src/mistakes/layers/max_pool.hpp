#pragma once

#include <algorithm>
#include <cstdint>

#include "desc/windows.hpp"
#include "mistakes/layers/cells.hpp"

/// Mistakes of max pooling.
namespace conv2d::mistakes::max_pool {

/// The first (last) of the largest cells of a window.
inline std::int64_t winner(const LayerProblem& p, std::int64_t y, bool last) {
  std::int64_t best = -1;
  for_each_window_cell(p.geometry, y, [&](std::int64_t cell) {
    if (best < 0 || at(p.x, cell) > at(p.x, best) || (last && at(p.x, cell) == at(p.x, best))) best = cell;
  });
  return best;
}

/// dy of the last window that reads the cell and that it won, or of the first one; 0 if there is none.
inline double dy_of_one_won(const LayerProblem& p, std::int64_t x, bool last) {
  std::int64_t chosen = -1;
  for_each_window_of_cell(p.geometry, x, [&](std::int64_t y) {
    if (winner(p, y, false) != x) return;
    if (chosen < 0 || (y > chosen) == last) chosen = y;
  });
  return chosen < 0 ? 0.0 : at(p.dy, chosen);
}

inline double right(const LayerProblem& p, Pass pass, std::int64_t cell) {
  if (pass == Pass::forward) return at(p.x, winner(p, cell, false));
  return sum_of_windows(p, cell, [&](std::int64_t y) { return winner(p, y, false) == cell ? at(p.dy, y) : 0; });
}

inline constexpr LayerMistake kMistakes[] = {
    {.name = "padding_wins",
     .title = "Padding counts as 0",
     .sentence = "A 0 of the padding was taken as the maximum. Padding never wins: it counts as -infinity.",
     .lesson = "pooling.1",
     .pass = Pass::forward,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           const double largest = right(p, Pass::forward, cell);
           return cells_of(p, cell, false) < cells_of(p, cell, true) ? std::max(largest, 0.0) : largest;
         }},
    {.name = "all_cells",
     .title = "dy to all cells of the window",
     .sentence = "Each cell of the window received dy. Only the winner of the window does: the others do not change y.",
     .lesson = "pooling.2",
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p,
                 std::int64_t cell) { return sum_of_windows(p, cell, [&](std::int64_t y) { return at(p.dy, y); }); }},
    {.name = "largest_dy",
     .title = "Only the largest dy",
     .sentence = "The cell received the largest dy of its windows. It receives the sum over all windows that it won.",
     .lesson = "pooling.5",
     .pass = Pass::backward_data,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           std::int64_t best = -1;
           for_each_window_of_cell(p.geometry, cell, [&](std::int64_t y) {
             if (best < 0 || at(p.dy, y) > at(p.dy, best)) best = y;
           });
           return best < 0 ? 0.0 : at(p.dy, best);
         }},
    {.name = "last_write",
     .title = "= instead of +=",
     .sentence = "The cell kept only the dy of the last window that it won: = instead of +=. It receives the sum over "
                 "all windows that it won.",
     .lesson = "pooling.5",
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p, std::int64_t cell) { return dy_of_one_won(p, cell, true); }},
    {.name = "first_write",
     .title = "Only the first window that it won",
     .sentence = "The cell kept only the dy of the first window that it won. It receives the sum over all windows that "
                 "it won.",
     .lesson = "pooling.5",
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p, std::int64_t cell) { return dy_of_one_won(p, cell, false); }},
    {.name = "window_overwritten",
     .title = "Windows overwritten",
     .sentence = "Each window overwrote the gradients of the windows before it, also with 0: = instead of +=. A cell "
                 "receives the sum over all windows that it won.",
     .lesson = "pooling.5",
     .pass = Pass::backward_data,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           const std::int64_t last = last_window(p, cell);
           return last >= 0 && winner(p, last, false) == cell ? at(p.dy, last) : 0;
         }},
    {.name = "first_window_only",
     .title = "Only the first window",
     .sentence =
         "Only the first window passed dy on: a return or break stands inside the loop. The other cells stayed 0.",
     .lesson = "pooling.2",
     .pass = Pass::backward_data,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           return of_first_window(p, cell,
                                  [&](std::int64_t y) { return winner(p, y, false) == cell ? at(p.dy, y) : 0; });
         }},
    {.name = "last_tie",
     .title = "The last of equal cells",
     .sentence = "The last of the equal cells received dy. Here the first one does, as in PyTorch.",
     .lesson = "pooling.3",
     .pass = Pass::backward_data,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           return sum_of_windows(p, cell, [&](std::int64_t y) { return winner(p, y, true) == cell ? at(p.dy, y) : 0; });
         }},
    {.name = "shared_tie",
     .title = "dy shared by equal cells",
     .sentence =
         "The equal cells shared dy. That is a gradient, too, but here the first of them gets all, as in PyTorch.",
     .lesson = "pooling.3",
     .pass = Pass::backward_data,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           return sum_of_windows(p, cell, [&](std::int64_t y) {
             const double largest = at(p.x, winner(p, y, false));
             double equal = 0;
             for_each_window_cell(p.geometry, y, [&](std::int64_t each) { equal += at(p.x, each) == largest ? 1 : 0; });
             return at(p.x, cell) == largest ? at(p.dy, y) / equal : 0;
           });
         }},
    {.name = "all_ties",
     .title = "dy to all equal cells",
     .sentence = "Each of the equal cells received the whole dy. Here only the first of them does, as in PyTorch: "
                 "together they get dy once.",
     .lesson = "pooling.3",
     .pass = Pass::backward_data,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           return sum_of_windows(p, cell, [&](std::int64_t y) {
             return at(p.x, cell) == at(p.x, winner(p, y, false)) ? at(p.dy, y) : 0;
           });
         }},
    {.name = "divided",
     .title = "dy divided by the window",
     .sentence =
         "dy of the winner was divided by the cells of the window. That is the average's: the winner gets it all.",
     .lesson = "pooling.2",
     .pass = Pass::backward_data,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           return right(p, Pass::backward_data, cell) / static_cast<double>(p.geometry.kh * p.geometry.kw);
         }},
};

}  // namespace conv2d::mistakes::max_pool
