#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conv2d/conv_desc.hpp"

namespace conv2d {

/// One entry of the list of algorithms, as seen for a given geometry.
struct AlgorithmInfo {
  std::string_view name;         ///< e.g. "im2col_gemm"; unique within a pass
  std::string_view description;  ///< one sentence for a reader who knows the formula
  bool supported = false;
  std::string reason;                 ///< why not, when not supported
  std::int64_t workspace_floats = 0;  ///< what `Plan::workspace_floats` would be
  double cost = 0;                    ///< the cost model's estimate (smaller is better; only for comparison)
  double error_bound = 0;  ///< |result - exact| <= error_bound * 2^-24 * sum of |a||b| of the element; 0: reference
  /// Whether an element's sum meets other cells than its own and loses them again (Winograd). Its error_bound is then
  /// relative to the largest sum that any data of this size could have: products * max |a| * max |b|, and |bias|.
  bool mixes_cells = false;
};

/// Every algorithm of `pass`, in the list's order, with its answer for this geometry.
std::vector<AlgorithmInfo> algorithms(const Geometry& geometry, Pass pass);

}  // namespace conv2d
