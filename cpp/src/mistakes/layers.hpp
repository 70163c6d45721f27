#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"
#include "conv2d_teach/layers.hpp"
#include "mistakes/diagnose.hpp"

/// Common mistakes of the layers other than convolution, forwards (y) and backwards (dx): for exercises and their
/// diagnosis.
namespace conv2d::mistakes {

/// A layer: its members as in LayerInfo, tensors in its layout. dy may be empty for the forward pass; w and b are read
/// of a transposed convolution.
struct LayerProblem {
  std::string_view kind;
  LayerOptions options{};
  Geometry geometry;
  std::span<const float> x, dy;
  std::span<const float> w{}, b{};
  bool is_transposed = false;

  [[nodiscard]] std::int64_t result_size(Pass pass) const noexcept {
    return (pass == Pass::forward) == is_transposed ? geometry.x_size : geometry.y_size;
  }
};

struct LayerMistake {
  std::string_view name;      ///< identifier in links, data and tests
  std::string_view title;     ///< short name
  std::string_view sentence;  ///< what was done instead of the right computation
  std::string_view lesson;    ///< lesson and step that explain it, as in links: "relu.3"
  std::string_view kind{};    ///< set in layer_mistakes()
  Pass pass = Pass::forward;  ///< forward or backward_data
  /// One cell of the wrong result, in double.
  double (*value)(const LayerProblem& problem, std::int64_t cell) = nullptr;
};

/// All of them, in the order of the page.
std::span<const LayerMistake> layer_mistakes() noexcept;

/// Errors: invalid_argument (field "kind": no such kind; "pass": neither forward nor backward_data;
/// "cell"), length_mismatch (field "x", "dy", "w" or "b").
Status check_problem(const LayerProblem& problem, Pass pass, std::int64_t cell);

/// Whether `written` is the value of a cell of y or dx, and if not, which mistakes give it, as indices into
/// layer_mistakes(). Errors: those of `check_problem`.
Result<Diagnosis> diagnose(const LayerProblem& problem, Pass pass, std::int64_t cell, const WrittenValue& written);

/// One cell of the right result, in double. Precondition: `check_problem` has no error.
double right_value(const LayerProblem& problem, Pass pass, std::int64_t cell);

}  // namespace conv2d::mistakes
