#include "mistakes/layers.hpp"

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"
#include "desc/windows.hpp"

namespace conv2d::mistakes {
namespace {

double at(std::span<const float> tensor, std::int64_t index) {
  return static_cast<double>(tensor[static_cast<std::size_t>(index)]);
}

/// The first (last) of the largest cells of a window.
std::int64_t winner(const LayerProblem& p, std::int64_t y, bool last) {
  std::int64_t best = -1;
  for_each_window_cell(p.geometry, y, [&](std::int64_t cell) {
    if (best < 0 || at(p.x, cell) > at(p.x, best) || (last && at(p.x, cell) == at(p.x, best))) best = cell;
  });
  return best;
}

double sum_of(const LayerProblem& p, std::int64_t y) {
  double sum = 0;
  for_each_window_cell(p.geometry, y, [&](std::int64_t cell) { sum += at(p.x, cell); });
  return sum;
}

double cells_of(const LayerProblem& p, std::int64_t y, bool count_padding) {
  if (count_padding) return static_cast<double>(p.geometry.kh * p.geometry.kw);
  double count = 0;
  for_each_window_cell(p.geometry, y, [&](std::int64_t) { ++count; });
  return count;
}

/// dy of the last window that reads the cell and that it won, or of the first one; 0 if there is none.
double dy_of_one_won(const LayerProblem& p, std::int64_t x, bool last) {
  std::int64_t chosen = -1;
  for_each_window_of_cell(p.geometry, x, [&](std::int64_t y) {
    if (winner(p, y, false) != x) return;
    if (chosen < 0 || (y > chosen) == last) chosen = y;
  });
  return chosen < 0 ? 0.0 : at(p.dy, chosen);
}

/// The last window that reads the cell; -1 if there is none.
std::int64_t last_window(const LayerProblem& p, std::int64_t x) {
  std::int64_t last = -1;
  for_each_window_of_cell(p.geometry, x, [&](std::int64_t y) { last = std::max(last, y); });
  return last;
}

/// part(window) of the first window of each image and channel, if it reads the cell; else 0.
template <class Part>
double of_first_window(const LayerProblem& p, std::int64_t x, Part part) {
  const Geometry& g = p.geometry;
  double sum = 0;
  for_each_window_of_cell(g, x, [&](std::int64_t y) {
    const std::int64_t window = g.layout == Layout::nhwc ? y / g.k : y;
    if (window % (g.oh * g.ow) == 0) sum += part(y);
  });
  return sum;
}

/// The sum over the windows that read a cell of part(window).
template <class Part>
double sum_of_windows(const LayerProblem& p, std::int64_t x, Part part) {
  double sum = 0;
  for_each_window_of_cell(p.geometry, x, [&](std::int64_t y) { sum += part(y); });
  return sum;
}

constexpr LayerMistake kMistakes[] = {
    {.name = "gate_forgotten",
     .title = "Gate forgotten",
     .sentence = "The whole dy was passed on. ReLU passes dy only where x is above 0.",
     .lesson = "relu.3",
     .kind = LayerKind::relu,
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p, std::int64_t cell) { return at(p.dy, cell); }},
    {.name = "gate_of_dy",
     .title = "Gate by the sign of dy",
     .sentence = "dy was passed on where dy is above 0. The sign of x decides, not that of dy.",
     .lesson = "relu.2",
     .kind = LayerKind::relu,
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p, std::int64_t cell) { return std::max(at(p.dy, cell), 0.0); }},
    {.name = "gate_at_zero",
     .title = "Gate open at 0",
     .sentence = "dy was passed on where x is exactly 0, too (x >= 0). Here the gate is closed at 0, as in PyTorch.",
     .lesson = "relu.4",
     .kind = LayerKind::relu,
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p, std::int64_t cell) { return at(p.x, cell) >= 0 ? at(p.dy, cell) : 0; }},
    {.name = "padding_wins",
     .title = "Padding counts as 0",
     .sentence = "A 0 of the padding was taken as the maximum. Padding never wins: it counts as -infinity.",
     .lesson = "pooling.1",
     .kind = LayerKind::max_pool,
     .pass = Pass::forward,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           const double largest = right_value(p, Pass::forward, cell);
           return cells_of(p, cell, false) < cells_of(p, cell, true) ? std::max(largest, 0.0) : largest;
         }},
    {.name = "all_cells",
     .title = "dy to all cells of the window",
     .sentence = "Each cell of the window received dy. Only the winner of the window does: the others do not change y.",
     .lesson = "pooling.2",
     .kind = LayerKind::max_pool,
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p,
                 std::int64_t cell) { return sum_of_windows(p, cell, [&](std::int64_t y) { return at(p.dy, y); }); }},
    {.name = "largest_dy",
     .title = "Only the largest dy",
     .sentence = "The cell received the largest dy of its windows. It receives the sum over all windows that it won.",
     .lesson = "pooling.5",
     .kind = LayerKind::max_pool,
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
     .kind = LayerKind::max_pool,
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p, std::int64_t cell) { return dy_of_one_won(p, cell, true); }},
    {.name = "first_write",
     .title = "Only the first window that it won",
     .sentence = "The cell kept only the dy of the first window that it won. It receives the sum over all windows that "
                 "it won.",
     .lesson = "pooling.5",
     .kind = LayerKind::max_pool,
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p, std::int64_t cell) { return dy_of_one_won(p, cell, false); }},
    {.name = "window_overwritten",
     .title = "Windows overwritten",
     .sentence = "Each window overwrote the gradients of the windows before it, also with 0: = instead of +=. A cell "
                 "receives the sum over all windows that it won.",
     .lesson = "pooling.5",
     .kind = LayerKind::max_pool,
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
     .kind = LayerKind::max_pool,
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
     .kind = LayerKind::max_pool,
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
     .kind = LayerKind::max_pool,
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
     .kind = LayerKind::max_pool,
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
     .kind = LayerKind::max_pool,
     .pass = Pass::backward_data,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           return right_value(p, Pass::backward_data, cell) / static_cast<double>(p.geometry.kh * p.geometry.kw);
         }},
    {.name = "sum_not_mean",
     .title = "Sum in place of the mean",
     .sentence = "The cells of the window were added and not divided by their number.",
     .lesson = "pooling.4",
     .kind = LayerKind::average_pool,
     .pass = Pass::forward,
     .value = sum_of},
    {.name = "other_count",
     .title = "Another number of cells",
     .sentence = "The sum was divided by another number: with or without the padding of the window.",
     .lesson = "pooling.4",
     .kind = LayerKind::average_pool,
     .pass = Pass::forward,
     .value = [](const LayerProblem& p,
                 std::int64_t cell) { return sum_of(p, cell) / cells_of(p, cell, !p.count_include_pad); }},
    {.name = "first_window_mean",
     .title = "Only the first window",
     .sentence =
         "Only the first window passed dy on: a return or break stands inside the loop. The other cells stayed 0.",
     .lesson = "pooling.4",
     .kind = LayerKind::average_pool,
     .pass = Pass::backward_data,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           return of_first_window(p, cell,
                                  [&](std::int64_t y) { return at(p.dy, y) / cells_of(p, y, p.count_include_pad); });
         }},
    {.name = "whole_dy",
     .title = "The whole dy to each cell",
     .sentence = "Each cell received the whole dy. It counts only as one of the window's cells in y, so dy is divided.",
     .lesson = "pooling.4",
     .kind = LayerKind::average_pool,
     .pass = Pass::backward_data,
     .value = [](const LayerProblem& p,
                 std::int64_t cell) { return sum_of_windows(p, cell, [&](std::int64_t y) { return at(p.dy, y); }); }},
    {.name = "last_mean",
     .title = "= instead of +=",
     .sentence = "The cell kept only the share of the last window that reads it: = instead of +=. It receives the sum "
                 "over all windows that read it.",
     .lesson = "pooling.4",
     .kind = LayerKind::average_pool,
     .pass = Pass::backward_data,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           const std::int64_t last = last_window(p, cell);
           return last < 0 ? 0.0 : at(p.dy, last) / cells_of(p, last, p.count_include_pad);
         }},
    {.name = "other_count_of_dy",
     .title = "Another number of cells",
     .sentence = "dy was divided by another number: with or without the padding of the window.",
     .lesson = "pooling.4",
     .kind = LayerKind::average_pool,
     .pass = Pass::backward_data,
     .value =
         [](const LayerProblem& p, std::int64_t cell) {
           return sum_of_windows(p, cell,
                                 [&](std::int64_t y) { return at(p.dy, y) / cells_of(p, y, !p.count_include_pad); });
         }},
};

/// A value with the magnitude that its rounding is relative to: a bound of all sums of this layer.
Cell cell_of(const LayerProblem& p, double value) {
  return {.sum = value, .magnitude = std::abs(value), .steps = p.geometry.kh * p.geometry.kw};
}

}  // namespace

Status check_problem(const LayerProblem& p, Pass pass, std::int64_t cell) {
  if (p.kind == LayerKind::conv) {
    return {ErrorCode::invalid_argument, "kind", "the layer is a convolution, which has its own mistakes"};
  }
  if (pass != Pass::forward && pass != Pass::backward_data) {
    return {ErrorCode::invalid_argument, "pass", "the layer has only y and dx"};
  }
  Status status = check_lengths(
      {{"x", p.x.size(), p.geometry.x_size}, {"dy", p.dy.size(), pass == Pass::forward ? -1 : p.geometry.y_size}});
  if (!status.ok()) return status;
  if (cell < 0 || cell >= p.geometry.result_size(pass)) {
    return {ErrorCode::invalid_argument, "cell", "cell is outside the result"};
  }
  return {};
}

double right_value(const LayerProblem& p, Pass pass, std::int64_t cell) {
  const bool forward = pass == Pass::forward;
  if (p.kind == LayerKind::relu) {
    if (forward) return std::max(at(p.x, cell), 0.0);
    return at(p.x, cell) > 0 ? at(p.dy, cell) : 0;
  }
  if (p.kind == LayerKind::max_pool) {
    if (forward) return at(p.x, winner(p, cell, false));
    return sum_of_windows(p, cell, [&](std::int64_t y) { return winner(p, y, false) == cell ? at(p.dy, y) : 0; });
  }
  if (forward) return sum_of(p, cell) / cells_of(p, cell, p.count_include_pad);
  return sum_of_windows(p, cell, [&](std::int64_t y) { return at(p.dy, y) / cells_of(p, y, p.count_include_pad); });
}

std::span<const LayerMistake> layer_mistakes() noexcept { return kMistakes; }

Result<Diagnosis> diagnose(const LayerProblem& problem, Pass pass, std::int64_t cell, const WrittenValue& written) {
  if (Status status = check_problem(problem, pass, cell); !status.ok()) return status;
  Diagnosis diagnosis{.right = matches(written, cell_of(problem, right_value(problem, pass, cell))),
                      .explanations = {}};
  for (std::size_t i = 0; !diagnosis.right && i < std::size(kMistakes); ++i) {
    const LayerMistake& mistake = kMistakes[i];
    if (mistake.kind != problem.kind || mistake.pass != pass) continue;
    if (matches(written, cell_of(problem, mistake.value(problem, cell)))) {
      diagnosis.explanations.push_back(static_cast<int>(i));
    }
  }
  return diagnosis;
}

}  // namespace conv2d::mistakes
