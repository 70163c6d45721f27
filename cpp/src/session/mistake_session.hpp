#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "conv2d/conv_desc.hpp"
#include "conv2d/numeric.hpp"
#include "mistakes/compute.hpp"
#include "session/buffer.hpp"

/// What a page holds of the wrong convolutions: a copy of one problem, and the calls on it.
namespace conv2d::session {

/// The inputs; what `show` writes, what the bug computes and what it is off by in each cell; the slopes of a gradient
/// check; and what `hold` reads: a result that somebody brought, the right one, and its magnitudes.
enum class MistakeSlot { x, w, b, dy, wrong, difference, measured, brought, right, magnitudes };
inline constexpr std::size_t kMistakeSlotCount = 10;

struct Diagnosed {
  Status status;
  bool right = false;
  std::vector<int> explanations{};  ///< places in the list
};

struct Shown {
  Status status;
  bool occasion = false;     ///< whether the problem gives one to make this mistake
  bool differs = false;      ///< whether any number is wrong
  std::vector<int> alike{};  ///< places in the list of those that compute the same here, its own among them
};

struct CheckedBug {
  Status status;
  std::int64_t failed = 0;
  std::int64_t worst = -1;
};

struct HeldResult {
  Status status;
  std::int64_t worst = -1;
  std::int64_t not_finite = 0;
  double factor = 0;
  std::vector<int> within{};  ///< cells, for each exactness
};

struct Explained {
  Status status;
  int exactness = -1;
  std::vector<int> mistakes{};  ///< places in the list
};

class MistakeSession {
 public:
  Status set_problem(const ConvDesc& desc);
  /// Room for `length` values of an input, to be written through `span` at once.
  Status reserve(MistakeSlot slot, std::int64_t length);
  [[nodiscard]] std::span<float> span(MistakeSlot slot) const noexcept;
  [[nodiscard]] TensorStats stats(MistakeSlot slot) const noexcept { return tensor_stats(span(slot)); }

  /// What somebody did who wrote `value`, give or take `precision`, for a cell of a result.
  Diagnosed diagnose(Pass pass, std::int64_t cell, double value, double precision) const;
  /// A pass as the mistake at `place` of the list computes it.
  Shown show(Pass pass, int place);
  /// Holds what `show` wrote against what was measured.
  [[nodiscard]] CheckedBug check() const;
  /// What was brought against what is right, and into `difference` by how much it is off.
  HeldResult hold();
  /// Which mistakes give what was brought.
  [[nodiscard]] Explained explain(Pass pass) const;
  Status drop_signs(MistakeSlot slot);
  /// What any algorithm's number may be away from the exact one, by `magnitudes`.
  [[nodiscard]] double rounding() const noexcept;

 private:
  [[nodiscard]] mistakes::Inputs inputs() const noexcept;

  std::optional<Geometry> geometry_;
  std::array<Buffer<float>, kMistakeSlotCount> tensors_;
};

}  // namespace conv2d::session
