#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "conv2d/conv_desc.hpp"

/// Common mistakes: wrong convolutions that learners and programs compute, each from one misunderstanding. They explain
/// wrong results, and some are the bugs of "Spot the bug".
namespace conv2d::mistakes {

/// One multiply-add: image n, output position (i, j), tap (p, q), channel c within the group of filter k.
struct Term {
  std::int64_t n = 0, i = 0, j = 0, p = 0, q = 0, c = 0, k = 0;
  std::int64_t groups_on = 0;  ///< 0; if the mistake `reads_all_groups`, also 1 to groups - 1: see there
};

/// The elements that a term reads and writes. An element outside its tensor is 0.
struct Indices {
  std::int64_t row, col, channel;  ///< of x or dx; `channel` counts over all groups
  std::int64_t p, q, w_c, w_k;     ///< of w or dw; `w_c` counts within the group
  std::int64_t i, j, y_k;          ///< of y or dy
  std::int64_t b;                  ///< of b or db
};

/// The factors of a term; 1 for a tensor that its pass does not read.
struct Factors {
  double x = 1;  ///< 0 on padding
  double w = 1, dy = 1;
  double y = 0;             ///< the correct value of the cell of y; 0 unless the mistake `reads_all`
  bool on_padding = false;  ///< whether x is outside x
};

/// The correct indices, by the formula of ConvDesc.
Indices indices(const Geometry& g, const Term& term) noexcept;

/// Whether the element of x is inside x, not in the padding.
bool in_x(const Geometry& g, const Indices& at) noexcept;

/// Whether the pass has a term for each tap; db has one for each cell of dy.
constexpr bool has_taps(Pass pass) noexcept { return pass != Pass::backward_bias; }

/// How the terms of an element are combined. A step is a tap for y, and a window for dx, dw and db.
enum class Adding {
  sum,
  last_step,   ///< "=" instead of "+=": each step overwrites the previous ones
  first_step,  ///< the same in a loop that takes the steps in reverse order
};

/// The explanation of a mistake on the page.
struct MistakeText {
  std::string_view sentence{};  ///< what was done instead of the right computation
  std::string_view lesson{};    ///< lesson and step that explain it, as in links: "gather.3"
};

struct Mistake {
  std::string_view name;      ///< identifier in links, data and tests
  std::string_view title;     ///< short name
  std::string_view sentence;  ///< what was done instead of the right computation
  std::string_view lesson;    ///< lesson and step that explain it, as in links: "gather.3"
  /// Number of variants of the mistake in this pass; 0 if it is not applicable to the problem.
  int (*variants)(const Geometry&, Pass) = nullptr;
  /// Changes the indices of a term, which are correct before. nullptr: they stay so.
  void (*changes)(const Geometry&, const Term&, int variant, Indices& at) = nullptr;
  /// Changes the factors of a term. nullptr: they stay so.
  void (*changes_factors)(Factors& of, int variant) = nullptr;
  /// Whether the mistake leaves the term out. nullptr: it adds all terms.
  bool (*omits)(const Geometry&, Pass, const Term&, int variant) = nullptr;
  Adding adding = Adding::sum;
  /// Divisor of a sum that took `steps` steps. nullptr: no division.
  double (*divisor)(const Geometry&, Pass, std::int64_t steps, int variant) = nullptr;
  /// Changes a complete cell. nullptr: it stays so.
  double (*changes_sum)(double sum) = nullptr;
  bool adds_bias = true;
  bool reads_dy = true;       ///< if not, every cell of dy is 1
  bool reads_all = false;     ///< in each pass, `changes_factors` gets x and the correct y as well
  bool leaves_zeros = false;  ///< cells of y without a term stay 0: they get no bias
  /// Each term counts once for each group, with the channel of x `groups_on` groups further, as without groups.
  bool reads_all_groups = false;
  /// Replace `sentence` and `lesson` for the forward pass and for dw, unless empty.
  MistakeText forward{}, weights{};
};

/// All mistakes, in the order of the page. They explain whole results.
std::span<const Mistake> list() noexcept;

/// The first mistakes of list() that explain a single number, too. A number would match the others by chance.
std::span<const Mistake> of_numbers() noexcept;

/// The first mistakes of of_numbers(): the bugs of "Spot the bug". Their number fixes the order of the letters, so one
/// more changes what existing links show.
std::span<const Mistake> bugs() noexcept;

/// Inputs of all passes, in the geometry's layout; `b` may be empty.
struct Inputs {
  std::span<const float> x, w, b, dy;
};

/// Whether the inputs that a mistake reads are there, besides those of the pass.
bool has_inputs(const Geometry& g, const Inputs& inputs, const Mistake& mistake) noexcept;

/// One element of a result. Bias and divisor are included in all three sums; terms that were overwritten are not.
struct Cell {
  double sum = 0;
  double magnitude = 0;    ///< sum of |terms|, which bounds rounding
  double squares = 0;      ///< sum of the squares of the terms: independent roundings grow with its root
  std::int64_t steps = 0;  ///< taps (y) or windows (dx, dw, db) that contributed
};

/// A mistake in one of its variants.
struct Applied {
  const Mistake* mistake = nullptr;
  int variant = 0;
};

/// The result of a pass with the mistakes one after the other; none: the correct result. Computed in double, term by
/// term, in the order n, i, j, p, q, c, k. Precondition: the pass has its inputs, and has_inputs().
std::vector<Cell> compute(const Geometry& g, Pass pass, const Inputs& inputs, std::span<const Applied> mistakes);

/// The same with one mistake; nullptr: none.
std::vector<Cell> compute(const Geometry& g, Pass pass, const Inputs& inputs, const Mistake* mistake, int variant);

struct IndexedCell {
  std::int64_t index = 0;  ///< flat index in the result
  Cell cell{};
};

/// About `count` cells of the same result, without the others, and before them those with the terms of the cells
/// `first` of the right result (flat indices). Empty if the mistakes leave no cell with terms of its own: then only
/// compute() has its values.
std::vector<IndexedCell> compute_some(const Geometry& g, Pass pass, const Inputs& inputs,
                                      std::span<const Applied> mistakes, std::int64_t count,
                                      std::span<const std::int64_t> first = {});

}  // namespace conv2d::mistakes
