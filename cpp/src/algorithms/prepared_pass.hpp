#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "algorithms/algorithm_entry.hpp"
#include "base/scratch.hpp"
#include "conv2d/conv_desc.hpp"
#include "conv2d/status.hpp"
#include "cost/constants.hpp"

namespace conv2d::algorithm {

/// Cache lines in front of packed weights that identify the plans that can read them: for another instruction set or
/// another version of the library, the same number of floats has another order.
class PackedTag {
 public:
  static constexpr std::int64_t kFloats = 4 * kCacheLineFloats;

  PackedTag() = default;
  /// `order`: Executable::packed_order().
  PackedTag(const Geometry& g, Pass pass, std::string_view algorithm, std::string_view instruction_set,
            std::uint64_t order, std::string_view version) noexcept;

  void write(float* packed) const noexcept;
  /// Error invalid_argument (field "packed") for weights with another tag, or without one; the message has the first
  /// difference. Reads kFloats.
  [[nodiscard]] Status check(const float* packed) const noexcept;

 private:
  static constexpr std::size_t kFields = 18;

  std::array<char, 56> plan_{};                   ///< "w for forward by implicit_gemm on avx2"
  std::array<char, 48> version_{};                ///< of the library
  [[maybe_unused]] std::uint64_t order_ = 0;      ///< of the packed weights; read as bytes
  std::array<std::int64_t, kFields> geometry_{};  ///< its fields that are not derived
};

/// A pass prepared by one algorithm, for tensors in the caller's layouts: the content of a Plan. Tensors in layouts
/// that the algorithm does not support are converted before and after its run, in the workspace. Immutable.
class PreparedPass {
 public:
  /// For runs on at most `threads` threads, which may be fewer than the parts. Precondition: the entry supports the
  /// geometry.
  PreparedPass(const Entry& entry, const Geometry& g, const PrepareOptions& options, int threads);
  PreparedPass(const PreparedPass&) = delete;
  PreparedPass& operator=(const PreparedPass&) = delete;
  ~PreparedPass() = default;

  /// The plan of a prepared pass, and the prepared pass of a plan.
  static Plan plan(std::shared_ptr<const PreparedPass> prepared) noexcept { return Plan(std::move(prepared)); }
  static const PreparedPass& of(const Plan& plan) noexcept { return *plan.prepared_; }

  [[nodiscard]] const Entry& entry() const noexcept { return entry_; }
  /// In the caller's layouts.
  [[nodiscard]] const Geometry& geometry() const noexcept { return g_; }
  [[nodiscard]] std::string_view instruction_set() const noexcept { return instruction_set_; }
  /// Most of the numbers of parts and of shares of the common data.
  [[nodiscard]] int parts() const noexcept { return std::max(executable_->parts(), executable_->shares()); }
  /// Whether threads could share a run.
  [[nodiscard]] bool divides() const noexcept { return executable_->divides(); }
  /// Threads of a run; not more than there are parts.
  [[nodiscard]] int threads() const noexcept { return kThreads ? threads_ : 1; }
  /// Estimated cycles, conversions included.
  [[nodiscard]] double cost() const noexcept { return cost_; }
  /// Floats of the workspace; -1 when their bytes do not fit the address space.
  [[nodiscard]] std::int64_t workspace_floats() const noexcept { return workspace_floats_; }
  /// Floats of packed weights and their tag; 0 when the algorithm does not pack them, or they are too many to address.
  [[nodiscard]] std::int64_t packed_floats() const noexcept { return packed_floats_; }
  /// Whether run() follows Operands::clamp. Plain loops do not, nor do kernel sets without a clamp.
  [[nodiscard]] bool clamps() const noexcept { return clamps_; }
  [[nodiscard]] const PackedTag& packed_tag() const noexcept { return tag_; }

  void pack(const float* w, float* packed) const noexcept;
  /// False when the hook cancels the run.
  bool run(const Operands& operands, const Resources& resources) const noexcept;

 private:
  /// Estimated cycles of a run, with `converted` floats to convert.
  [[nodiscard]] double cycles(const cost::Loops& costs, bool packed_weights, std::int64_t converted) const noexcept;
  /// The operands of the algorithm: with the places of the tensors that are converted.
  [[nodiscard]] Operands places(const Operands& operands, float* scratch) const noexcept;
  /// Converts a share of the inputs to their places, and a share of the output back.
  void convert_inputs(const Operands& from, const Operands& to, Part part) const noexcept;
  void convert_out(const float* from, float* to, Part part) const noexcept;

  const Entry& entry_;
  std::string_view instruction_set_;
  Geometry g_;
  ExecutablePointer executable_;
  int threads_ = 1;
  double cost_ = 0;
  std::int64_t workspace_floats_ = 0, packed_floats_ = 0;
  PackedTag tag_;
  // Offsets in the workspace, from its first cache line:
  Offset x_, w_, dy_, out_;  ///< NHWC and HWIO copies of the tensors that are converted
  Offset sum_;               ///< the output of this run, when it is added to the caller's
  Offset common_, own_;      ///< of all parts; the own memory of each thread follows that of the one before
  std::int64_t own_step_ = 0;
  bool accumulates_ = false, clamps_ = false;
  bool converts_activations_ = false, converts_weights_ = false, converts_out_ = false;
};

}  // namespace conv2d::algorithm
