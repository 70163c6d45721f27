#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "verdict/exact.hpp"
#include "verdict/formats.hpp"

/// How far a right result may be from the exact value. Constants and rates: docs/testing.md, "How it decides".
namespace conv2d_check {

inline constexpr double kUnit = 0x1p-24;  ///< half the distance of float32 numbers around 1
/// Fewer cells are judged as plain sums: no tile mixes them.
inline constexpr std::int64_t kFew = 12;

/// An axis of a result in memory.
struct Axis {
  std::int64_t size, stride;
};

/// The axes of rows and columns of y, dx or dw.
std::array<Axis, 2> image_axes(const Geometry& geometry, Pass pass);

/// The size of what a float32 algorithm adds up for a cell: its terms, its sum, its neighbors in a tile of Winograd,
/// and the mean of all, which an FFT mixes.
std::vector<double> scale_of(const Problem& problem, Pass pass, const Expected& expected);

/// Of one sum; of a result that an FFT of the whole image may have given; of tiles; of one sum, however long.
enum class Bound { plain_sum, spread, tiled, unlimited };

/// Units of kUnit * scale that the sum of `terms` may be off by.
double units_of(Bound bound, std::int64_t terms) noexcept;

/// The bound of the algorithms that can have computed the result. Tiles of Winograd overlap as windows of stride 1 do:
/// there are none with another stride or with dilation, and libraries have none for kernels of an even size.
Bound bound_of(const Problem& problem, Pass pass, std::int64_t cells) noexcept;

/// Tolerance per cell.
std::vector<double> tolerance_of(std::span<const double> scale, Bound bound, std::int64_t terms);

/// Tolerance per cell of one plain sum, which no other cell takes part in.
std::vector<double> plain_tolerance_of(const Expected& expected);

struct Interval {
  double first, last;
};

/// The values that a result of `right` +- `tolerance` may have after it was stored.
Interval allowed(double right, double tolerance, const Storage& storage) noexcept;

/// Whether `value` is in the interval. Infinities are equal to themselves; a NaN only fits a NaN.
inline bool is_in(double value, const Interval& interval) noexcept {
  return value >= interval.first && value <= interval.last;
}

/// Whether all values are allowed.
bool fits(std::span<const double> values, std::span<const double> right, std::span<const double> tolerance,
          const Storage& storage) noexcept;

double rms(std::span<const double> values) noexcept;

/// Scales that count the rounding of the storage as well: the standard deviation of half a step, in units of what one
/// sum is off by. Weights for structure_of(): cells that were stored in fine steps show what coarse ones hide.
std::vector<double> scale_with_steps(std::span<const double> scale, std::span<const double> right,
                                     const Storage& storage);

/// What a residual within the tolerance still shows.
struct Structure {
  enum class Kind { none, one_cell, offset_or_factor, parameter };
  Kind kind = Kind::none;
  std::int64_t cell = -1;   ///< of one_cell
  double amount = 0;        ///< of parameter: the multiple that was added
  double bias = 0;          ///< root mean square of what an offset and a factor explain, in units of kUnit * scale
  double noise = 0;         ///< the same of what they and the parameter leave
  double significance = 0;  ///< of the parameter, in standard errors
};

/// Looks for one cell that stands out, an offset or factor, and a multiple of `parameter` (empty: none) in the
/// difference of `values` and `right`. `stored`: the values are in a lower format, where only the last one counts.
Structure structure_of(std::span<const double> values, std::span<const double> right, std::span<const double> scale,
                       std::span<const float> parameter, std::int64_t terms, bool stored);

}  // namespace conv2d_check
