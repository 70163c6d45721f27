#include "session/gradient_table.hpp"

#include <limits>
#include <utility>

namespace conv2d::session {
namespace {

template <class T>
CheckSummary fill(const Geometry& g, const CheckTensors& tensors, const CheckOptions& options,
                  std::span<const std::int64_t> indices, Buffer<double>& table) {
  Converted<T> x, w, b, dy, target, gradient;
  for (Status status :
       {x.assign(tensors.x, "x"), w.assign(tensors.w, "w"), b.assign(tensors.b, "b"), dy.assign(tensors.dy, "dy"),
        target.assign(tensors.target, "target"), gradient.assign(tensors.gradient, "gradient")}) {
    if (!status.ok()) return {.status = std::move(status)};
  }
  const GradientCheckInputs<T> inputs{.x = x.view(),
                                      .w = w.view(),
                                      .b = b.view(),
                                      .dy = dy.view(),
                                      .target = target.view(),
                                      .gradient = gradient.view(),
                                      .gradient_precision = static_cast<double>(std::numeric_limits<float>::epsilon())};
  const auto checked =
      gradient_check<T>(g, options.loss, options.parameter, inputs, static_cast<T>(options.epsilon), indices);
  if (!checked.ok()) return {.status = checked.status()};
  return write_table(*checked, table);
}

}  // namespace

CheckSummary fill_gradient_table(const Geometry& g, const CheckTensors& tensors, const CheckOptions& options,
                                 std::span<const std::int64_t> indices, Buffer<double>& table) {
  return options.float64 ? fill<double>(g, tensors, options, indices, table)
                         : fill<float>(g, tensors, options, indices, table);
}

}  // namespace conv2d::session
