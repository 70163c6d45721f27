#pragma once

#include <array>
#include <optional>

#include "conv2d/conv_desc.hpp"
#include "race/loops.hpp"
#include "shared/heap_buffer.hpp"

/// What JavaScript holds of a race: the numbers that all compute with, what must come out, and the judge. Only
/// plumbing.
namespace conv2d::bindings {

/// The inputs; what a pass must give; and what somebody made of it, to be judged or raced here.
enum class RaceSlot { x, w, b, dy, expected, made };
inline constexpr std::size_t kRaceSlotCount = 6;

struct Prepared {
  Status status;
  double macs = 0;  ///< multiply-adds of a pass, padding taps included
  double x_floats = 0, w_floats = 0, y_floats = 0;
  double x_col_floats = 0;  ///< of the whole im2col matrix, all groups
};

/// How far a result is off.
struct Judged {
  Status status;
  double error = 0;    ///< max |made - expected| / max |expected|; infinite for another length or what is no number
  bool plain = false;  ///< nothing subnormal in it, which some processors are a hundred times slower with
};

class RaceSession {
 public:
  /// Takes a problem and fills its inputs with values in [-1, 1), the same every time.
  Prepared set_problem(const ConvDesc& desc);
  [[nodiscard]] std::span<float> span(RaceSlot slot) const noexcept;
  /// The right result of a pass, by the reference's sums in double.
  Status expect(Pass pass);
  /// Room for a result that was made elsewhere, to be written through `span` at once.
  Status reserve_made(double length);
  [[nodiscard]] Judged judge() const;
  /// A pass by loops, into `made`. Precondition: race::supports().
  Status loops(Pass pass, race::Order order);

  /// Three arrays for `stream`.
  Status reserve_stream(double length);
  void stream() noexcept;

 private:
  [[nodiscard]] race::Inputs inputs() const noexcept;

  std::optional<Geometry> geometry_;
  std::array<HeapBuffer<float>, kRaceSlotCount> tensors_;
  std::array<HeapBuffer<float>, 3> arrays_;
};

}  // namespace conv2d::bindings
