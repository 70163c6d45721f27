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

/// `tensors`: in the roles of a convolution; those of a transposed one are exchanged (layer.hpp). `only_by_values`:
/// without the plausible ones.
Solution solve_conv(const Tensors& tensors, const std::vector<Given>& given, Store& store, bool only_by_values);

/// Geometries to judge if no values decide.
inline constexpr std::size_t kPlausible = 6;

}  // namespace conv2d_check
