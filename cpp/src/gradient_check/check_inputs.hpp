#pragma once

#include "gradient_check/check_run.hpp"
#include "losses/loss_tables.hpp"

namespace conv2d {

/// The error of the arguments of a gradient check, but for the step, the cells and the distributions of a target.
template <class T>
Status check_inputs(std::span<const LayerInfo> chain, const losses::Entry& loss, const ChainParameter& of,
                    const GradientCheckInputs<T>& in) {
  if (Status status = check_enumerator("parameter", of.parameter, Parameter::b); !status.ok()) return status;
  if (in.layers.size() != chain.size()) {
    return length_mismatch("layers", in.layers.size(), static_cast<std::int64_t>(chain.size()));
  }
  if (of.layer >= chain.size()) {
    return {ErrorCode::invalid_argument, "parameter",
            text("the chain has ", chain.size(), " layers, but the parameter is of layers[", of.layer, "]")};
  }
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const LayerInfo& layer = chain[i];
    const std::size_t biases = in.layers[i].b.size();
    Status status = check_lengths({{layers::field_of(i, "w"), in.layers[i].w.size(), layer.w_size},
                                   {layers::field_of(i, "b"), biases, biases == 0 ? 0 : layer.b_size}});
    if (!status.ok()) return status;
  }
  const LayerTensors<T>& own = in.layers[of.layer];
  if ((of.parameter == Parameter::w && own.w.empty()) || (of.parameter == Parameter::b && own.b.empty())) {
    return {ErrorCode::invalid_argument, "parameter",
            text("layers[", of.layer, "] has no ", of.parameter == Parameter::w ? "w" : "b", " to check")};
  }
  return check_lengths({{"x", in.x.size(), chain[0].x_size},
                        {loss.is_linear() ? "dy" : "target", in.dy_or_target.size(), chain[chain.size() - 1].y_size},
                        {"gradient", in.gradient.size(), in.gradient.empty() ? 0 : size_of(chain, of)}});
}

}  // namespace conv2d
