#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conv2d/config.hpp"
#include "conv2d/conv_desc.hpp"
#include "conv2d/plan_options.hpp"

namespace conv2d {

/// An algorithm as `algorithms()` lists it for a geometry and plan options.
struct AlgorithmInfo {
  std::string_view name;              ///< e.g. "im2col_gemm"; unique within a pass
  std::string_view description;       ///< one sentence; assumes that the reader knows the formula
  bool supported = false;             ///< whether plan() accepts it by name, with the same options
  std::string reason;                 ///< why it is not supported; empty when it is
  std::int64_t workspace_floats = 0;  ///< `Plan::workspace_floats()` of a plan with these options
  /// Estimated run time, comparable only within one list. plan() with the same options chooses the supported algorithm
  /// with the lowest cost. With PlanOptions::deterministic it is the time on one thread, 1.3 times that for a large
  /// pass that threads cannot share.
  double cost = 0;
  double error_bound = 0;  ///< |result - exact| <= error_bound * 2^-24 * sum |a * b| of the element; reference: 0
  /// Whether intermediate sums contain terms of neighboring elements that cancel at the end (Winograd). error_bound is
  /// then relative to the largest possible sum: number of terms * max |a| * max |b| + |bias|.
  bool mixes_cells = false;
  Accuracy accuracy = Accuracy::strict;  ///< the strictest PlanOptions::accuracy that allows it
};

/// All algorithms of `pass`, supported or not, evaluated for `geometry` and `options`. PlanOptions::algorithm is
/// ignored.
CONV2D_API std::vector<AlgorithmInfo> algorithms(const Geometry& geometry, Pass pass, const PlanOptions& options = {});

}  // namespace conv2d
