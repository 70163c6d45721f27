#pragma once

#include <string>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "support/compare.hpp"
#include "support/oracle.hpp"

namespace conv2d::test {

inline constexpr Pass kPasses[] = {Pass::forward, Pass::backward_data, Pass::backward_weights, Pass::backward_bias};
inline constexpr Layout kLayouts[] = {Layout::nhwc, Layout::nchw};

const char* to_string(Layout layout);
/// The descriptor as designated initialisers, to be pasted into a test.
std::string to_string(const ConvDesc& d);

/// The spans of one run, wherever they lie; those that the pass does not have are empty.
struct Spans {
  std::span<const float> x{}, w{}, b{}, dy{};
  std::span<const float> packed{};  ///< in place of w, where there are any
  std::span<float> out{}, workspace{};
};

/// conv2d::run on them.
Status run_on(const Plan& plan, const Spans& spans, const ProgressHook& progress = {}, const Team& team = {});

struct Outcome {
  Status status{};
  std::vector<float> out{};
  Failure trespass{};  ///< which tensor was written to beside its contents or, if an input, at all
};

/// Runs a plan with packed weights, NaN in place of w: it must not be read.
Outcome run_packed(const Plan& plan, const TensorValues& tensors, const Team& team = {});

/// Runs a plan between canaries, at misaligned addresses, with NaN in the output and the workspace beforehand.
Outcome run(const Plan& plan, const TensorValues& tensors, const ProgressHook& progress = {}, const Team& team = {});

/// Elements of the tensor that a pass writes.
std::size_t out_size(const Geometry& g, Pass pass);

/// Whether the algorithm adds up the products of the definition themselves, so that integers come out exact.
/// Winograd's transforms of them are not whole numbers; its results are held to its declared bound.
bool sums_products(const AlgorithmInfo& info);

/// compare.hpp's difference_beyond_bound for the bound that the algorithm declares, whatever it is relative to.
Failure difference_beyond_bound(std::span<const float> got, const Exact& exact, const AlgorithmInfo& info,
                                const ConvDesc& d, const TensorValues& t);

/// Runs every algorithm of every pass on the problem and compares with the oracle: exactly, or within the declared
/// bound when the data are not integers.
Failures failures_of_all_algorithms(const ConvDesc& d, const TensorValues& tensors, Data data = Data::integers);

}  // namespace conv2d::test
