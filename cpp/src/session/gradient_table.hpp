#pragma once

#include <cstdint>
#include <span>

#include "conv2d/gradient_check.hpp"
#include "session/buffer.hpp"

namespace conv2d::session {

/// Tensors of a gradient check as the session holds them: those of GradientCheckInputs, in float.
using CheckTensors = GradientCheckInputs<float>;

/// What to check and how.
struct CheckOptions {
  Loss loss = Loss::linear;
  Parameter parameter = Parameter::x;
  bool float64 = false;  ///< all arithmetic in double, on the float32 values widened
  double epsilon = 0;
};

/// The largest errors of a check; NaN when any is NaN.
struct CheckSummary {
  Status status;
  std::int64_t cells = 0;
  double max_absolute_error = 0;
  double max_relative_error = 0;
};

/// Runs gradient_check and writes its cells as a table of rows, one per member of GradientCheckCell in the order
/// index, loss_plus, loss_minus, analytic, numeric, absolute_error, relative_error; each row has a value per cell.
/// Errors: those of gradient_check, out_of_memory.
CheckSummary fill_gradient_table(const Geometry& g, const CheckTensors& tensors, const CheckOptions& options,
                                 std::span<const std::int64_t> indices, Buffer<double>& table);

}  // namespace conv2d::session
