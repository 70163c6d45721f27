#pragma once

#include <cstdint>
#include <memory>

#include "algorithms/entry.hpp"
#include "algorithms/run_parts.hpp"

namespace conv2d::algorithm {

/// What a plan holds: a pass made ready by one algorithm, for tensors in the caller's layout. NCHW tensors of an
/// algorithm that knows NHWC only are converted through the workspace around its run. Immutable.
class PreparedPass {
 public:
  /// Precondition: the entry supports the geometry.
  PreparedPass(const Entry& entry, const Geometry& g, const Request& request);
  PreparedPass(const PreparedPass&) = delete;
  PreparedPass& operator=(const PreparedPass&) = delete;
  ~PreparedPass() = default;

  [[nodiscard]] const Entry& entry() const noexcept { return entry_; }
  [[nodiscard]] std::string_view instruction_set() const noexcept { return instruction_set_; }
  [[nodiscard]] int parts() const noexcept { return prepared_->parts(); }
  /// Estimated cycles, conversions included.
  [[nodiscard]] double cost() const noexcept { return cost_; }
  /// Floats of the workspace; -1 when their bytes do not fit the address space.
  [[nodiscard]] std::int64_t workspace_floats() const noexcept { return workspace_floats_; }
  /// Floats of packed weights; 0 when there is no use for them, or they are too many to address.
  [[nodiscard]] std::int64_t packed_floats() const noexcept { return packed_floats_; }

  void pack(const float* w, float* packed) const noexcept { prepared_->pack(w, packed); }
  /// False when the hook asked to stop.
  bool run(const Operands& operands, float* workspace, const Execution& execution) const noexcept;

 private:
  [[nodiscard]] bool converts() const noexcept;
  bool run_converted(const Operands& operands, float* scratch, const Execution& execution) const noexcept;
  bool run_parts_in(const Operands& operands, float* scratch, const Execution& execution) const noexcept;

  const Entry& entry_;
  std::string_view instruction_set_;
  Geometry g_;  ///< in the caller's layout
  PreparedPointer prepared_;
  double cost_ = 0;
  std::int64_t workspace_floats_ = 0, packed_floats_ = 0;
  // In the workspace, from its first line on:
  Place x_, w_, dy_, out_;  ///< in NHWC, of a pass that converts
  Place common_, own_;      ///< of all parts; own memory follows part by part
  std::int64_t own_step_ = 0;
};

}  // namespace conv2d::algorithm
