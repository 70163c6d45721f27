#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "conv2d_teach/numeric.hpp"
#include "mistakes/compute.hpp"
#include "session/buffer.hpp"

/// The session of the module "mistakes": a copy of one problem, and the functions of mistakes/ on it.
namespace conv2d::session {

/// Tensors of the session. x, w, b, dy: inputs. wrong, difference: written by `apply`. measured: slopes of the gradient
/// check. user_result, expected, magnitudes: read by `compare`, which writes `difference`.
enum class MistakeSlot { x, w, b, dy, wrong, difference, measured, user_result, expected, magnitudes };
inline constexpr std::size_t kMistakeSlotCount = 10;

struct DiagnosisResult {
  Status status;
  bool right = false;
  std::vector<int> explanations{};  ///< indices into mistakes::list()
};

struct AppliedMistakeResult {
  Status status;
  bool applicable = false;        ///< whether the mistake is possible in this problem
  bool differs = false;           ///< whether any cell is wrong
  std::vector<int> equivalent{};  ///< indices of mistakes with the same result here, including this one
};

struct GradientComparisonResult {
  Status status;
  std::int64_t failed = 0;
  std::int64_t worst = -1;
};

struct ComparisonResult {
  Status status;
  std::int64_t worst = -1;
  std::int64_t not_finite = 0;
  double factor = 0;
  std::vector<int> within{};  ///< cells that agree, for each tolerance
};

struct ExplanationResult {
  Status status;
  int tolerance = -1;
  std::vector<int> mistakes{};  ///< indices into mistakes::list()
};

class MistakeSession {
 public:
  Status set_problem(const ConvDesc& desc);
  /// Allocates `length` values of a tensor with unspecified contents, to be written through `span`.
  Status reserve(MistakeSlot slot, std::int64_t length);
  [[nodiscard]] std::span<float> span(MistakeSlot slot) const noexcept;
  [[nodiscard]] TensorStats stats(MistakeSlot slot) const noexcept { return tensor_stats(span(slot)); }

  /// Which mistakes give `value` +- `precision` for a cell of a result.
  DiagnosisResult diagnose(Pass pass, std::int64_t cell, double value, double precision) const;
  /// Computes a pass with mistake `index` of mistakes::list().
  AppliedMistakeResult apply(Pass pass, int index);
  /// Compares `wrong` with `measured`.
  [[nodiscard]] GradientComparisonResult compare_gradient() const;
  /// Compares `user_result` with `expected` and writes `difference`.
  ComparisonResult compare();
  /// Which mistakes give `user_result`.
  [[nodiscard]] ExplanationResult explain(Pass pass) const;
  Status drop_signs(MistakeSlot slot);
  /// Largest rounding error of any algorithm, from `magnitudes`.
  [[nodiscard]] double rounding() const noexcept;

 private:
  [[nodiscard]] mistakes::Inputs inputs() const noexcept;

  std::optional<Geometry> geometry_;
  std::array<Buffer<float>, kMistakeSlotCount> tensors_;
};

}  // namespace conv2d::session
