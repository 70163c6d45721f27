#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conv2d_check/check.hpp"

/// Formats of numbers, and the ways in which the values of a result may have been stored.
namespace conv2d_check {

enum class FormatKind { exact, float32, bfloat16, float16, tf32, decimals, digits };
enum class Mode { even, away, zero };  ///< ties to even, ties away from zero, cut off

/// A rounding: to a binary format, or to `count` decimals or significant digits.
struct Format {
  FormatKind kind = FormatKind::exact;
  Mode mode = Mode::even;
  int count = 0;

  bool operator==(const Format&) const = default;
};

/// `value` as a number of the format. Values that overflow become infinite.
double round_to(double value, const Format& format) noexcept;

/// The distance of numbers of the format around `value`; 0 where it is that of float32 or less.
double step_of(double value, const Format& format) noexcept;

/// The digits of `value` without its sign and its power of 2 (of 10, for `digits`), to 1e-5: numbers that a format with
/// a fixed number of digits rounds alike.
std::int64_t significand_of(double value, FormatKind kind) noexcept;

/// One rounding after the other; empty: none but float32.
using Storage = std::vector<Format>;

/// A storage that the values allow. `is_sure`: enough of their digits say so.
struct PossibleStorage {
  Storage storage;
  bool is_sure = true;
};

/// The storages that hold all of `values` (float32 numbers), the first is float32 itself. `is_text`: printed values, in
/// which zeros may be rounded numbers.
std::vector<PossibleStorage> storages_of(std::span<const double> values, bool is_text);

/// The decimals (2 or more) or digits with which `values` were printed, if enough of them say so.
std::optional<Format> printed_format(std::span<const float> values);

/// "bfloat16", "4 decimals"; "float32" for none.
std::string name_of(const Format& format);

/// Mantissa bits with the hidden one: 8 for bfloat16, 11 for float16.
int bits_of(FormatKind kind) noexcept;
bool is_half(FormatKind kind) noexcept;

/// The elements as float32 numbers.
std::vector<float> floats_of(const Elements& elements);

}  // namespace conv2d_check
