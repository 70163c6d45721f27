#pragma once

#include <optional>

#include "conv2d/conv_desc.hpp"
#include "race/loops.hpp"
#include "session/buffer.hpp"

/// The session of the module "race": the inputs of all entrants, the expected results, and the check of a result.
namespace conv2d::session {

/// x, w, b, dy: inputs. expected: result of the reference. actual: result to verify, and output of `loops`.
enum class RaceSlot { x, w, b, dy, expected, actual };
inline constexpr std::size_t kRaceSlotCount = 6;

struct ProblemSizes {
  Status status;
  std::int64_t macs = 0;  ///< multiply-adds of a pass, including taps on padding
  std::int64_t x_floats = 0, w_floats = 0, y_floats = 0;
};

/// The accuracy of a result.
struct VerifyResult {
  Status status;
  double error = 0;  ///< relative_error of `actual`
};

class RaceSession {
 public:
  /// Sets the problem and fills its inputs with deterministic random values in [-1, 1). Errors: those of `resolve`,
  /// out_of_memory.
  ProblemSizes set_problem(const ConvDesc& desc);
  [[nodiscard]] std::span<float> span(RaceSlot slot) const noexcept { return tensors_[slot].span(); }
  /// Computes `expected` with the reference implementation.
  Status compute_expected(Pass pass);
  /// Allocates `actual`, to be written through `span`.
  Status reserve_actual(std::int64_t length);
  [[nodiscard]] VerifyResult verify() const;
  /// Runs a pass with plain loops, into `actual`. Precondition: race::supports().
  Status loops(Pass pass, race::Order order);

  /// Allocates the three arrays of `stream`, of `length` floats each.
  Status reserve_stream(std::int64_t length);
  /// One triad over the arrays (race/loops.hpp).
  void stream() noexcept;

 private:
  [[nodiscard]] race::Inputs inputs() const noexcept;

  std::optional<Geometry> geometry_;
  EnumArray<RaceSlot, Buffer<float>, kRaceSlotCount> tensors_;
  std::array<Buffer<float>, 3> arrays_;
};

}  // namespace conv2d::session
