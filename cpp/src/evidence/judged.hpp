#pragma once

#include <vector>

#include "conv2d/conv_desc.hpp"
#include "evidence/shapes.hpp"
#include "evidence/solve_conv.hpp"

/// Judges the results of a layer with a geometry that is known.
namespace conv2d_check {

/// Operands that the caller offers for a file without them.
struct Owner {
  Tensors tensors{};
  std::string name{};  ///< "the page"
};

/// A layer that can be judged.
struct Known {
  ConvDesc desc{};
  Reading reading{};
  Layer layer = Layer::conv;
  bool count_include_pad = true;
  bool is_transposed = false;  ///< the tensors' roles are exchanged, see `exchanged`
  Upstream dy{};               ///< of the layer itself, also of a transposed one
};

/// The tensors of a transposed convolution as those of the convolution that it transposes: its y is a dx.
Tensors exchanged(const Tensors& tensors) noexcept;
Role exchanged(Role role) noexcept;

/// The verdicts on all results that the file has.
std::vector<TensorVerdict> judge_results(const Known& known, const Tensors& tensors, const Owner& owner,
                                         const ArraysOptions& options, Store& store);

/// How much the verdicts explain: what matches counts more than a named mistake.
double explained(const std::vector<TensorVerdict>& verdicts) noexcept;

/// Why a result has not the shape that it should have.
std::string misfit_sentence(const Known& known, const Tensors& tensors, Role role, const Dims& wanted);

/// The shape of a result of this layer in the order of the file. `role`: of the layer itself.
Dims wanted_shape(const Known& known, const Tensors& tensors, Role role);

}  // namespace conv2d_check
