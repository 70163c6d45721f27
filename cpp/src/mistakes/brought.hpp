#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"
#include "mistakes/compute.hpp"

/// A whole result that somebody brings from another program, held against what is right.
namespace conv2d::mistakes {

/// How exactly a result may be meant: a cell is the same that is off by no more than `absolute` and `relative` times
/// the sum of its products' magnitudes.
struct Exactness {
  std::string_view title;  ///< for a person, behind "agrees"
  double absolute = 0, relative = 0;
};

/// From what nobody can tell apart to what is only just the same.
std::span<const Exactness> exactnesses() noexcept;

struct Held {
  std::int64_t worst = -1;      ///< the cell that is furthest off; one with NaN on one side only before all others
  std::int64_t not_finite = 0;  ///< of what was brought
  std::vector<std::int64_t> within{};  ///< for each exactness: so many cells are the same
  /// Where each number is this many times what is right; 0: it is right, or there is no such factor.
  double factor = 0;
};

/// Of each cell: what was brought, what is right, and the sum of its products' magnitudes. Into `difference` brought -
/// right. Error length_mismatch.
Result<Held> hold(std::span<const float> brought, std::span<const float> right, std::span<const float> magnitudes,
                  std::span<float> difference);

struct Explanation {
  int exactness = -1;           ///< of the exactnesses the first with which any mistake gives the whole result
  std::vector<int> mistakes{};  ///< those that do, by their places in the list
};

/// Which wrong models give a result that is not right. Errors: those of `check_problem`, length_mismatch ("brought").
Result<Explanation> explain(const Geometry& g, Pass pass, const Inputs& inputs, std::span<const float> brought);

/// values[t] = |values[t]|: of such inputs the passes make the magnitudes.
void drop_signs(std::span<float> values) noexcept;

/// What any algorithm's number may be away from the exact one, given each cell's magnitude: for case files.
double rounding(std::span<const float> magnitudes) noexcept;

}  // namespace conv2d::mistakes
