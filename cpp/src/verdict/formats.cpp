#include "verdict/formats.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

namespace conv2d_check {
namespace {

constexpr double kUnit = 0x1p-24;
constexpr double kSureBits = 20, kPossibleBits = 2;
/// Evidence that printed values were stored in fewer bits before: one accident in a thousand.
constexpr double kStoredBits = 10;
constexpr std::int64_t kMostCounted = 10000;
/// Distinct values that tell printed numbers from typed ones.
constexpr std::size_t kManyValues = 8;

/// float32 with the last `drop` bits rounded away. NaN and infinities stay.
double without_bits(double value, unsigned drop, Mode mode) noexcept {
  if (!std::isfinite(value)) return value;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (mode == Mode::even) bits += (1U << (drop - 1)) - 1 + (bits >> drop & 1U);
  if (mode == Mode::away) bits += 1U << (drop - 1);
  return std::bit_cast<float>(bits >> drop << drop);
}

/// Ties to even. Below 2^-14 all numbers are multiples of 2^-24; from 65520 on they are infinite.
double to_float16(double value) noexcept {
  if (!std::isfinite(value) || value == 0) return value;
  const int exponent = std::max(std::ilogb(value), -14);
  const double step = std::ldexp(1.0, exponent - 10);
  const double rounded = std::nearbyint(value / step) * step;
  return std::abs(rounded) >= 65520 ? std::copysign(std::numeric_limits<double>::infinity(), value) : rounded;
}

double to_digits(double value, int digits) noexcept {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10.0, digits - 1 - std::floor(std::log10(std::abs(value))));
  return std::nearbyint(value * scale) / scale;
}

double to_decimals(double value, int decimals) noexcept {
  if (!std::isfinite(value)) return value;
  const double scale = std::pow(10.0, decimals);
  return std::nearbyint(value * scale) / scale;
}

/// Whether all values are numbers of the formats, apart from the float32 that holds them.
bool holds(std::span<const double> values, std::initializer_list<Format> formats) {
  return std::ranges::all_of(values, [&](double value) {
    double rounded = value;
    for (const Format& format : formats) rounded = round_to(rounded, format);
    return rounded == value || std::abs(value - rounded) <= 2 * kUnit * std::abs(value);
  });
}

/// log2 of how much coarser the printed numbers are than the window of holds() around each, added over distinct values:
/// what would have to be a chance. Stops at kSureBits.
double evidence_of(std::span<const double> values, const Format& format) {
  std::set<double> counted;
  double bits = 0;
  for (const double value : values) {
    if (!counted.insert(value).second) continue;
    const double window = 4 * kUnit * std::abs(value) + 1e-300;
    bits += std::clamp(std::log2(step_of(value, format) / window), 0.0, 24.0);
    if (bits >= kSureBits || std::ssize(counted) == kMostCounted) break;
  }
  return bits;
}

/// The same for printed values that were stored in `half` before. Numbers of one significand are rounded alike, so
/// they count once.
double evidence_of(std::span<const double> values, const Format& half, const Format& printed) {
  std::set<std::int64_t> counted;
  double bits = 0;
  for (const double value : values) {
    if (!counted.insert(significand_of(value, half.kind)).second) continue;
    const double finer = step_of(value, printed);
    if (finer > 0) bits += std::clamp(std::log2(step_of(value, half) / finer), 0.0, 24.0);
    if (bits >= kStoredBits || std::ssize(counted) == kMostCounted) break;
  }
  return bits;
}

}  // namespace

double round_to(double value, const Format& format) noexcept {
  switch (format.kind) {
    case FormatKind::exact:
      return value;
    case FormatKind::float32:
      return static_cast<float>(value);
    case FormatKind::bfloat16:
      return without_bits(value, 16, format.mode);
    case FormatKind::tf32:
      return without_bits(value, 13, format.mode);
    case FormatKind::float16:
      return format.mode == Mode::even ? to_float16(value) : without_bits(value, 13, format.mode);
    case FormatKind::decimals:
      return to_decimals(value, format.count);
    case FormatKind::digits:
      return to_digits(value, format.count);
  }
  return value;
}

double step_of(double value, const Format& format) noexcept {
  if (value == 0 || !std::isfinite(value))
    return format.kind == FormatKind::decimals ? std::pow(10.0, -format.count) : 0;
  const int exponent = std::ilogb(value);
  switch (format.kind) {
    case FormatKind::bfloat16:
    case FormatKind::tf32:
      return std::ldexp(1.0, exponent + 1 - bits_of(format.kind));
    case FormatKind::float16:
      return std::ldexp(1.0, std::max(exponent, -14) + 1 - bits_of(format.kind));
    case FormatKind::decimals:
      return std::pow(10.0, -format.count);
    case FormatKind::digits:
      return std::pow(10.0, 1 - format.count + std::floor(std::log10(std::abs(value))));
    case FormatKind::exact:
    case FormatKind::float32:
      return 0;
  }
  return 0;
}

std::int64_t significand_of(double value, FormatKind kind) noexcept {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double size = std::abs(value);
  const double unit =
      kind == FormatKind::digits ? std::pow(10.0, std::floor(std::log10(size))) : std::ldexp(1.0, std::ilogb(size));
  return std::llround(size / unit * 1e5);
}

std::vector<PossibleStorage> storages_of(std::span<const double> values, bool is_text) {
  std::vector<PossibleStorage> found{{.storage = {}, .is_sure = true}};
  const bool all_zero = std::ranges::all_of(values, [](double value) { return value == 0; });
  const Format bfloat16{.kind = FormatKind::bfloat16}, float16{.kind = FormatKind::float16};
  for (const Format& half : {bfloat16, float16}) {
    // A zero is no number that bfloat16 rounds to: it has the range of float32.
    if (all_zero && half.kind == FormatKind::bfloat16) continue;
    if (!std::ranges::all_of(values, [&](double value) { return round_to(value, half) == value; })) continue;
    found.push_back({.storage = {half}});
    if (half.kind == FormatKind::bfloat16) found.push_back({.storage = {{.kind = half.kind, .mode = Mode::zero}}});
  }
  const auto add = [&](const Format& printed) {
    const double bits = evidence_of(values, printed);
    if (bits <= kPossibleBits) return;
    found.push_back({.storage = {printed}, .is_sure = bits >= kSureBits});
    for (const Format& half : {bfloat16, float16}) {
      if (!holds(values, {half, printed})) continue;
      const bool is_sure = bits >= kSureBits && evidence_of(values, half, printed) >= kStoredBits;
      found.push_back({.storage = {half, printed}, .is_sure = is_sure});
    }
  };
  const auto first_of = [&](FormatKind kind, int least) -> std::optional<Format> {
    for (int count = least; count < 7; ++count) {
      const Format format{.kind = kind, .count = count};
      if (holds(values, {format})) return format;
    }
    return std::nullopt;
  };
  // All zeros are numbers of any decimals: in a file they were not printed.
  const int least = all_zero ? (is_text ? 4 : 9) : 1;
  if (const auto decimals = first_of(FormatKind::decimals, least)) add(*decimals);
  if (!all_zero) {
    if (const auto digits = first_of(FormatKind::digits, 3)) add(*digits);
  }
  return found;
}

std::optional<Format> printed_format(std::span<const float> values) {
  const std::vector<double> wide(values.begin(), values.end());
  if (std::set<double>(wide.begin(), wide.begin() + std::min<std::ptrdiff_t>(std::ssize(wide), 100)).size() <
      kManyValues)
    return std::nullopt;
  // Whole numbers, and those with one decimal, were typed.
  if (holds(wide, {{.kind = FormatKind::decimals, .count = 1}})) return std::nullopt;
  for (const PossibleStorage& possible : storages_of(wide, false)) {
    if (possible.storage.size() != 1 || !possible.is_sure) continue;
    const Format& format = possible.storage.front();
    if (format.kind != FormatKind::decimals && format.kind != FormatKind::digits) continue;
    return format;
  }
  return std::nullopt;
}

std::string name_of(const Format& format) {
  switch (format.kind) {
    case FormatKind::exact:
    case FormatKind::float32:
      return "float32";
    case FormatKind::bfloat16:
      return "bfloat16";
    case FormatKind::float16:
      return "float16";
    case FormatKind::tf32:
      return "tf32";
    case FormatKind::decimals:
      return std::to_string(format.count) + (format.count == 1 ? " decimal" : " decimals");
    case FormatKind::digits:
      return std::to_string(format.count) + " digits";
  }
  return "";
}

int bits_of(FormatKind kind) noexcept {
  if (kind == FormatKind::bfloat16) return 8;
  return kind == FormatKind::float16 || kind == FormatKind::tf32 ? 11 : 24;
}

bool is_half(FormatKind kind) noexcept { return kind == FormatKind::bfloat16 || kind == FormatKind::float16; }

std::vector<float> floats_of(const Elements& elements) {
  if (elements.type() == Elements::Type::float32) return {elements.floats().begin(), elements.floats().end()};
  std::vector<float> floats;
  floats.reserve(elements.size());
  for (const std::uint16_t bits : elements.bits()) {
    if (elements.type() == Elements::Type::bfloat16) {
      floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U));
      continue;
    }
    const int exponent = bits >> 10U & 31, mantissa = bits & 1023;
    const float size = exponent == 31  ? (mantissa == 0 ? INFINITY : NAN)
                       : exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -24)
                                       : std::ldexp(static_cast<float>(1024 + mantissa), exponent - 25);
    floats.push_back((bits & 0x8000U) != 0 ? -size : size);
  }
  return floats;
}

}  // namespace conv2d_check
