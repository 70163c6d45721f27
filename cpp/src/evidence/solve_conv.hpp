#pragma once

#include <string>
#include <vector>

#include "evidence/store.hpp"

/// Finds the geometry of a convolution by all results that a file has.
namespace conv2d_check {

/// An upstream gradient that a file without dy may belong to.
struct Upstream {
  DySource source = DySource::missing;
  const Tensor* tensor = nullptr;
};

/// dy as the file has it; else ones, 1 / size and y, which must have been tried.
std::vector<Upstream> upstreams_of(const Tensors& tensors, const Dims& y_shape, Store& store);

/// The geometries that explain the results of a convolution best.
struct Solution {
  std::vector<Candidate> fitting{};    ///< give the values of `by`, the likeliest first; empty: none does
  std::vector<Candidate> plausible{};  ///< if none does: the likeliest by sizes
  std::vector<Role> by{};              ///< the results that decided by their values
  Space space{};
  std::int64_t tried = 0;  ///< geometries that were compared with values
  Upstream dy{};
  bool free_bias = false;        ///< y has a bias that the file does not have
  bool in_some_filters = false;  ///< no: it fits without a bias, but only in some filters
  bool contradicts_given =
      false;               ///< the arguments of the file fit the sizes, but not the values, or not even the sizes
  bool has_sizes = false;  ///< at least one geometry gives the sizes
};

/// How much a search does.
enum class Effort {
  first_look,  ///< only by `look_at`: y, or y of a transposed convolution, which is dx
  by_values,   ///< by all results
  whole,       ///< also the plausible geometries
};

/// `tensors`: in the roles of a convolution; those of a transposed one are exchanged (layer.hpp).
Solution solve_conv(const Tensors& tensors, const std::vector<Given>& given, Store& store, Effort effort, Role look_at);

/// Whether the tensors have what a result is computed from, and the result.
bool can_tell(const Tensors& tensors, Role result);

/// Points of a result that matches, and of one that a factor or a named mistake explains.
inline constexpr double kMatch = 4, kMistake = 3;
/// Points of a geometry that the file's arguments say: they stand unless another one explains a result, not only a part
/// of one.
inline constexpr double kOfArguments = 2.5;

/// The most that the results can score (`explained`) with the best of the fitting candidates: those of which a cell
/// disagrees do not match, and neither do gradients of an unknown dy.
double most_explained(const Tensors& tensors, const Solution& solution);

/// Geometries to judge if no values decide.
inline constexpr std::size_t kPlausible = 6;

}  // namespace conv2d_check
