#pragma once

#include <string>
#include <vector>

#include "evidence/judged.hpp"

/// Judges one layer: what kind it is, with which geometry, and its results.
namespace conv2d_check {

/// The arrays of one layer.
struct LayerArrays {
  std::string name{};
  Tensors tensors{};
  bool is_deconv = false;  ///< its name says so
};

/// What all layers of a file share.
struct Context {
  const ArraysOptions& options;
  std::vector<Argument> arguments{};
  Owner owner;
  Store& store;
  bool only_by_values = false;  ///< does not judge a layer if no values fit: to choose between assignments
  double enough = -1;           ///< does not judge a convolution that cannot have this score; infinite: a first look
};

/// A reading of a layer with its verdicts. `score`: how much it explains.
struct Attempt {
  LayerVerdict layer{};
  bool by_values = false;  ///< the values of a result fit
  bool has_sizes = false;  ///< a geometry gives the sizes
  bool is_judged = true;   ///< false: `score` is the most that it can have
  bool fits_y = false;     ///< y is right; if it was not judged, its cells that tell are
  double score = -1;
  bool contradicts_given = false;
};

Attempt attempt_conv(const LayerArrays& layer, const Context& context, bool is_transposed);

/// ReLU, max and average pooling.
Attempt attempt_without_weights(const LayerArrays& layer, const Context& context);

/// The best attempt. `contradicts_given`, if not null: whether the values contradict the arguments.
Attempt judge_layer(const LayerArrays& layer, const Context& context);

// In layer_words.cpp.

/// "stride 2, padding 1"; with the order of the axes if `orders`.
std::string words_of(const Candidate& candidate, bool orders);
LayerGeometry geometry_of(const ConvDesc& desc, const Reading& reading, bool is_transposed);
/// Fills evidence, alternatives and told_apart_by. `chosen`: the candidate that was judged. `says_arguments`: whether
/// to mention `given`.
void explain(const Solution& solution, const Candidate& chosen, const std::vector<Given>& given, bool is_transposed,
             bool says_arguments, LayerVerdict& layer);

}  // namespace conv2d_check
