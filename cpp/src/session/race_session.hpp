#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "conv2d/conv_desc.hpp"
#include "race/loops.hpp"
#include "session/buffer.hpp"

/// What a page holds of a race: the numbers that all compute with, what must come out, and the judge.
namespace conv2d::session {

/// The inputs; what a pass must give; and what somebody made of it, to be judged or raced here.
enum class RaceSlot { x, w, b, dy, expected, made };
inline constexpr std::size_t kRaceSlotCount = 6;

struct Prepared {
  Status status;
  std::int64_t macs = 0;  ///< multiply-adds of a pass, padding taps included
  std::int64_t x_floats = 0, w_floats = 0, y_floats = 0;
  std::int64_t x_col_floats = 0;  ///< of the whole im2col matrix, all groups
};

/// How far a result is off.
struct Judged {
  Status status;
  double error = 0;    ///< relative_error of what was made
  bool plain = false;  ///< nothing subnormal in what is expected, which some processors are a hundred times slower with
};

class RaceSession {
 public:
  /// Takes a problem and fills its inputs with values in [-1, 1), the same every time. Errors: those of `resolve`,
  /// out_of_memory.
  Prepared set_problem(const ConvDesc& desc);
  [[nodiscard]] std::span<float> span(RaceSlot slot) const noexcept;
  /// The right result of a pass, by the reference's sums in double.
  Status expect(Pass pass);
  /// Room for a result that was made elsewhere, to be written through `span` at once.
  Status reserve_made(std::int64_t length);
  [[nodiscard]] Judged judge() const;
  /// A pass by loops, into `made`. Precondition: race::supports().
  Status loops(Pass pass, race::Order order);

  /// Three arrays for `stream`.
  Status reserve_stream(std::int64_t length);
  void stream() noexcept;

 private:
  [[nodiscard]] race::Inputs inputs() const noexcept;
  Buffer<float>& tensor(RaceSlot slot) noexcept { return tensors_[static_cast<std::size_t>(slot)]; }

  std::optional<Geometry> geometry_;
  std::array<Buffer<float>, kRaceSlotCount> tensors_;
  std::array<Buffer<float>, 3> arrays_;
};

}  // namespace conv2d::session
