#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conv2d_check/check.hpp"

/// Judges the arrays of a file: finds which array is which tensor of which layer, the order of its axes, and the
/// geometry of the layer, by names, by sizes and by values; then judges every result.
///
///   const auto verdict = conv2d_check::judge_arrays(arrays);
///   std::puts(conv2d_check::to_json(verdict, "layer.npz").c_str());
namespace conv2d_check {

/// An array as a file has it: row-major, any number of axes.
struct Array {
  std::string name{};  ///< "conv1.weight"; empty or "arr_0" for an array without a name
  std::vector<std::int64_t> shape{};
  Elements values{};     ///< memory of the caller
  bool is_text = false;  ///< printed as text: zeros may be rounded numbers
};

/// An argument of a layer that is given beside the arrays: stride, pad, padding, dilation, groups and their usual
/// names; x_order and w_order, which choose among orders of axes. Tried first, and believed only if the values agree.
struct Argument {
  std::string name{};                  ///< "stride", "conv1.padding"
  std::vector<std::int64_t> values{};  ///< [2], [1, 1], [top, left, bottom, right] for ONNX' pads
  std::string text{};                  ///< "same", "valid", "NCHW"; empty: `values` are read
};

/// What is known beside the arrays of the file.
struct ArraysOptions {
  std::vector<Argument> arguments{};
  double learning_rate = 0;        ///< see Options
  std::vector<Array> operands{};   ///< x, w, b, dy of the caller, by these names, for a file that does not have them
  std::string owner = "the page";  ///< of `operands`, as sentences call it
  bool says_arguments = true;      ///< false: `arguments` are not of the file, and sentences do not mention them
};

/// Where the upstream gradient comes from. A file without dy may have the gradients of a usual loss.
enum class DySource {
  file,
  ones,     ///< the loss y.sum()
  mean,     ///< the loss y.mean(): 1 / size
  y,        ///< the loss (y * y).sum() / 2
  owner,    ///< ArraysOptions::operands
  missing,  ///< no gradient can be judged
};

/// The verdict on a whole file.
enum class FileVerdict {
  right,        ///< every result matches
  wrong,        ///< at least one does not, or a gradient changes between two layers
  cannot_tell,  ///< a result cannot be judged, or there is none; those that can are right
};

/// The name of the enumerator, as in the JSON of the command.
std::string_view to_string(DySource source) noexcept;
std::string_view to_string(FileVerdict verdict) noexcept;

/// The geometry of a layer. Pairs are rows, columns.
struct LayerGeometry {
  std::array<std::int64_t, 2> kernel{1, 1};  ///< the window of pooling
  std::array<std::int64_t, 2> stride{1, 1};
  std::array<std::int64_t, 4> padding{};  ///< top, bottom, left, right
  std::array<std::int64_t, 2> dilation{1, 1};
  std::int64_t groups = 1;
  std::array<std::int64_t, 2> output_padding{};  ///< conv_transpose
  std::string x_order{}, w_order{};              ///< "NCHW", "OIHW"; "" without weights
};

/// The verdict on one result of a layer.
struct TensorVerdict {
  std::string name{};                   ///< "y", "dx", "dw", "db"
  std::string array{};                  ///< the array of the file
  std::vector<std::string> operands{};  ///< "x: A_prev", "dy: ones"
  Verdict verdict{};
};

/// An array of the file as a tensor of a layer.
struct LayerArray {
  std::string tensor{};   ///< "x", "w", "b", "y", "dy", "dx", "dw", "db"
  std::size_t index = 0;  ///< in the list of arrays
};

/// An alternative as data: another geometry, or other tensors.
struct Choice {
  std::string words{};  ///< the alternative
  bool has_geometry = false;
  LayerGeometry geometry{};
  std::vector<LayerArray> arrays{};
};

/// The verdict on one layer of the file: which layer it is, and its results.
struct LayerVerdict {
  std::string name{};         ///< the part of the names that its arrays share; often empty
  std::string kind{};         ///< "conv", "conv1d", "conv_transpose", "relu", "max_pool", "average_pool"
  bool has_geometry = false;  ///< ReLU has none; a layer that fits no geometry neither
  LayerGeometry geometry{};
  std::string evidence{};                   ///< "stride 2, padding 1: the only one of 40 that gives y"
  std::vector<std::string> alternatives{};  ///< other geometries, orders of axes or assignments that fit as well
  std::vector<Choice> choices{};            ///< alternatives as data; those of pooling are words only
  std::string told_apart_by{};              ///< what would decide between them
  std::vector<LayerArray> arrays{};
  DySource dy = DySource::missing;
  std::vector<TensorVerdict> tensors{};
};

/// Two layers that follow one another.
struct Join {
  std::string from{}, to{};  ///< layers
  std::string tensors{};     ///< "y -> x", "dx -> dy"
  std::string relation{};    ///< "equal", "relu", "differs"; "sum": dy is that of several layers that read y
};

/// The verdict on the arrays of a file, layer by layer in the forward order.
struct ArraysVerdict {
  FileVerdict verdict = FileVerdict::cannot_tell;
  std::string sentence{};  ///< the verdict in words
  std::vector<LayerVerdict> layers{};
  std::vector<LayerVerdict>
      inputs{};  ///< without `layers`: at most one, the layer that these arrays would be the inputs of
  std::vector<std::string> unused{};  ///< arrays that are no tensor of a layer and no argument
  std::string arguments{};            ///< what the file's arguments say, and whether the values agree; empty: none
  std::vector<Join> joins{};
  std::string first_wrong_forward{}, first_wrong_backward{};  ///< names of layers; empty: none, or one layer only
};

/// Never throws. Takes about as long as some twenty plain runs of the layers.
ArraysVerdict judge_arrays(std::span<const Array> arrays, const ArraysOptions& options = {});

/// One line of JSON. `file`: its name, omitted if empty.
std::string to_json(const ArraysVerdict& verdict, std::string_view file = "");

}  // namespace conv2d_check
