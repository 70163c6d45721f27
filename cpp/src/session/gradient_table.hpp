#pragma once

#include "conv2d_teach/gradient_check.hpp"
#include "session/buffer.hpp"

namespace conv2d::session {

/// Inputs of a gradient check, in float.
using CheckTensors = GradientCheckInputs<float>;

struct CheckOptions {
  Loss loss = Loss::linear;
  Parameter parameter = Parameter::x;
  bool float64 = false;  ///< all arithmetic in double, on the float32 values
  double epsilon = 0;
};

/// The largest errors of a check; NaN if any is NaN. max_relative_error ignores cells within rounding.
struct CheckSummary {
  Status status;
  std::int64_t cells = 0;
  double max_absolute_error = 0;
  double max_relative_error = 0;
  std::int64_t verdict = 0;  ///< the worst GradientVerdict
};

/// Runs gradient_check and writes a table with one column per checked cell and 9 rows, in this order: index, loss_plus,
/// loss_minus, analytic, numeric, absolute_error, relative_error, rounding, verdict.
/// Errors: those of gradient_check, out_of_memory.
CheckSummary fill_gradient_table(const Geometry& g, const CheckTensors& tensors, const CheckOptions& options,
                                 std::span<const std::int64_t> indices, Buffer<double>& table);

}  // namespace conv2d::session
