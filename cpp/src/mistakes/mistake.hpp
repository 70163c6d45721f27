#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "conv2d/conv_desc.hpp"

/// Wrong convolutions: what learners compute in place of a pass, each from one idea that is off. They tell somebody
/// with a wrong number which idea gives just that number, and are bugs to be found. Nobody computes with them.
namespace conv2d::mistakes {

/// One multiply-add of a convolution: the window (n, i, j), its tap (p, q), channel c of filter k's group.
struct Term {
  std::int64_t n, i, j, p, q, c, k;
};

/// Where a term finds its factors, or puts its product. A place outside its tensor stands for a zero.
struct Places {
  std::int64_t row, col, channel;  ///< of x or dx; `channel` counts over all groups
  std::int64_t p, q;               ///< of w or dw
  std::int64_t i, j;               ///< of y or dy
};

/// As the formula of ConvDesc has them.
Places places(const Geometry& g, const Term& term) noexcept;

/// Whether the place in x is one of its cells, and none of the padding.
bool in_x(const Geometry& g, const Places& at) noexcept;

/// How the products of a result's cell become one number. A step is a tap for y, a window for dx, dw and db.
enum class Adding {
  sum,
  last_step,  ///< "=" in place of "+=": each step forgets those before it
};

struct Mistake {
  std::string_view name;      ///< in links, data and tests
  std::string_view title;     ///< what one calls the bug that it makes
  std::string_view sentence;  ///< what was done in place of what is right, for a person
  std::string_view lesson;    ///< the step of a lesson that cures it, as links call it: "gather.3"
  /// In how many ways somebody makes it in this pass; 0: the problem gives no occasion.
  int (*ways)(const Geometry&, Pass) = nullptr;
  /// Null: as is right. Nothing: the term is left out.
  std::optional<Places> (*places)(const Geometry&, Pass, const Term&, int way) = nullptr;
  Adding adding = Adding::sum;
  /// What the sum is divided by; `steps` were taken for this cell. Null: nothing.
  double (*divisor)(const Geometry&, Pass, std::int64_t steps, int way) = nullptr;
  bool adds_bias = true;
};

/// THE LIST, in the order in which they are told.
std::span<const Mistake> list() noexcept;

}  // namespace conv2d::mistakes
