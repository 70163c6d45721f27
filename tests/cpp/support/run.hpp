#pragma once

#include <string>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "support/compare.hpp"
#include "support/oracle.hpp"

namespace conv2d::test {

inline constexpr Pass kPasses[] = {Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias};
inline constexpr Layout kLayouts[] = {Layout::nhwc, Layout::nchw};
inline constexpr WeightsLayout kWeightsLayouts[] = {WeightsLayout::hwio, WeightsLayout::oihw, WeightsLayout::ohwi};

const char* to_string(Layout layout);
/// The descriptor as designated initializers, to paste into a test.
std::string to_string(const ConvDesc& d);

/// The spans of one run; those that the pass does not use are empty.
struct Spans {
  std::span<const float> x{}, w{}, b{}, dy{};
  std::span<const float> packed{};  ///< replaces w if not empty
  std::span<float> out{}, workspace{};
};

/// Calls conv2d::run on them.
Status run_on(const Plan& plan, const Spans& spans, const ProgressHook& progress = {}, const Team& team = {});

struct Outcome {
  Status status{};
  std::vector<float> out{};
  Failure stray_write{};  ///< the tensor that was written outside its contents, or an input that was written
};

/// Runs a plan with packed weights and NaN in w, which must not be read.
Outcome run_packed(const Plan& plan, const TensorValues& tensors, const Team& team = {});

/// Runs a plan between canaries, at misaligned addresses, with NaN in the output and the workspace.
Outcome run(const Plan& plan, const TensorValues& tensors, const ProgressHook& progress = {}, const Team& team = {});

/// The number of elements that a pass writes.
std::size_t out_size(const Geometry& g, Pass pass);

/// Whether the algorithm sums the products of the definition, so integers are exact. Winograd transforms are not
/// integers: its results must stay within the declared bound.
bool sums_products(const AlgorithmInfo& info);

/// difference_beyond_bound of compare.hpp with the declared bound of the algorithm and the magnitude that it refers to.
Failure difference_beyond_bound(std::span<const float> got, const Exact& exact, const AlgorithmInfo& info,
                                const ConvDesc& d, Pass pass, const TensorValues& t);

/// Runs every algorithm of every pass and compares with the oracle: exactly for integers, otherwise within the declared
/// bound.
Failures failures_of_all_algorithms(const ConvDesc& d, const TensorValues& tensors, Data data = Data::integers);

}  // namespace conv2d::test
