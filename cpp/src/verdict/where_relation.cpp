#include "verdict/where_relation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

#include "verdict/where.hpp"
#include "verdict/where_axes.hpp"

namespace conv2d_check {
namespace {

constexpr std::size_t kSample = 64;
constexpr double kUnused = 1e4;  // times the largest right value: no sum of the operands gives it

/// "the byte 0xCD repeated" for memory that a debugger or an allocator filled, else empty.
std::string filled(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  constexpr std::array<std::uint32_t, 3> kWords{0xDEADBEEF, 0xBAADF00D, 0xFEEEFEEE};
  char text[48];
  if (bits != 0 && (bits & 0xFF) * 0x01010101U == bits) {
    std::snprintf(text, sizeof text, "the byte 0x%02X repeated: never written", bits & 0xFF);
    return text;
  }
  if (std::find(kWords.begin(), kWords.end(), bits) == kWords.end()) return {};
  std::snprintf(text, sizeof text, "the pattern 0x%08X: never written", bits);
  return text;
}

std::string constant(const Compared& c) {
  const double first = c.your(c.cells.front());
  if (c.all([&](std::int64_t cell) { return std::isnan(c.your(cell)); })) return "NaN";
  if (!c.all([&](std::int64_t cell) { return c.your(cell) == first; })) return {};
  if (first == 0) return "0";
  if (std::isinf(first)) return first > 0 ? "infinity" : "minus infinity";
  if (std::string pattern = filled(first); !pattern.empty()) return pattern;
  return {};
}

std::string same_value(const Compared& c) {
  const double first = c.your(c.cells.front());
  if (c.cells.size() < 2 || !c.all([&](std::int64_t cell) { return c.your(cell) == first; })) return {};
  return "the same value everywhere, " + shown(first);
}

/// Contents of memory that no sum gives: not finite, huge, or subnormal.
std::string unwritten(const Compared& c) {
  double largest = 0;
  for (const double value : c.right) largest = std::max(largest, std::abs(value));
  std::size_t strange = 0;
  double first = 0;
  for (const std::int64_t cell : c.cells) {
    const double value = std::abs(c.your(cell));
    const bool is_tiny = value > 0 && value < 1.17549435e-38;
    if (std::isfinite(value) && !is_tiny && value <= kUnused * largest) continue;
    if (strange++ == 0) first = c.your(cell);
  }
  if (strange * 2 < c.cells.size() || c.cells.size() < 2 || largest == 0) return {};
  const std::string mostly = strange < c.cells.size() ? "mostly " : "";
  return mostly + "no values of a sum, such as " + shown(first) + ": never written, or old contents";
}

bool is_factor(const Compared& c, double factor) {
  return c.all([&](std::int64_t cell) {
    return std::abs(c.your(cell) - factor * c.exact(cell)) <= (1 + std::abs(factor)) * c.allowed(cell);
  });
}

/// Whether an error is far larger than rounding: a number fitted to smaller ones says nothing.
bool are_visible(const Compared& c) {
  return std::any_of(c.sample.begin(), c.sample.end(),
                     [&](std::int64_t cell) { return !(std::abs(c.error(cell)) <= 8 * c.allowed(cell)); });
}

/// The factor of the sampled cell in which it is most exact.
double likely_factor(const Compared& c) {
  double factor = 0, most = 0;
  for (const std::int64_t cell : c.sample) {
    const double digits = std::abs(c.exact(cell)) / (c.allowed(cell) + 1e-300);
    if (digits <= most) continue;
    most = digits;
    factor = c.your(cell) / c.exact(cell);
  }
  return factor;
}

std::string multiple(const Compared& c) {
  constexpr std::array kPlain{-1.0, 2.0, 0.5, 3.0, 4.0, 8.0, 1.0 / 3, 0.25, 0.125};
  for (const double factor : kPlain) {
    if (!is_factor(c, factor)) continue;
    if (factor == -1) return "minus the right values";
    if (factor == 0.5) return "half the right values";
    if (factor < 1) return "the right values divided by " + shown(1 / factor);
    return shown(factor) + " times the right values";
  }
  return {};
}

std::string any_multiple(const Compared& c) {
  const double factor = likely_factor(c);
  if (c.cells.size() < 3 || factor == 0 || !std::isfinite(factor) || !is_factor(c, factor)) return {};
  const double divisor = 1 / factor;
  if (std::abs(divisor - std::round(divisor)) < 1e-5 * std::abs(divisor) && std::abs(divisor) > 1.5)
    return "the right values divided by " + shown(std::round(divisor));
  return shown(factor) + " times the right values";
}

std::string bias(const Compared& c) {
  const std::span<const float> b = c.problem.in.b;
  if (c.pass != Pass::forward || b.empty() || c.problem.layer != Layer::conv) return {};
  const ResultAxes axes = axes_of(c.problem, c.pass);
  const auto of = [&](std::int64_t cell) {
    return static_cast<double>(b[static_cast<std::size_t>(index_of(axes, cell)[3])]);
  };
  const auto is = [&](double rights, double biases) {
    return c.all([&](std::int64_t cell) {
      return std::abs(c.your(cell) - rights * c.exact(cell) - biases * of(cell)) <= 2 * c.allowed(cell);
    });
  };
  if (is(1, -1)) return "the right values without the bias";
  if (is(1, 1)) return "the right values with the bias added twice";
  if (is(0, 1)) return "only the bias";
  if (is(1, -2)) return "the right values with the bias subtracted";
  const double first = b[0];
  if (c.all([&](std::int64_t cell) { return std::abs(c.error(cell) - first + of(cell)) <= 2 * c.allowed(cell); }))
    return "the right values with the bias of filter 0";
  const Geometry& g = c.problem.geometry;
  const auto is_of = [&](auto other_of) {
    return c.all([&](std::int64_t cell) {
      const std::int64_t other = other_of(index_of(axes, cell)[3]);
      if (other < 0) return false;
      const double taken = b[static_cast<std::size_t>(other)];
      return std::abs(c.error(cell) - taken + of(cell)) <= 2 * c.allowed(cell);
    });
  };
  const std::string with = "the right values with the bias of ";
  if (g.groups > 1 && is_of([&](std::int64_t filter) { return filter % g.group_k; })) return with + "group 0";
  for (std::int64_t shift = 1; shift < g.k; ++shift)
    if (is_of([=](std::int64_t filter) { return filter - shift; }))
      return with + "the filter " + std::to_string(shift) + " before";
  for (std::int64_t block = 2; block < g.k; ++block)
    if (is_of([=](std::int64_t filter) { return filter % block; }))
      return with + "the filter modulo " + std::to_string(block);
  return {};
}

std::string difference(const Compared& c) {
  double offset = c.error(c.cells.front()), allowed = c.allowed(c.cells.front());
  for (const std::int64_t cell : c.sample)
    if (c.allowed(cell) < allowed) offset = c.error(cell), allowed = c.allowed(cell);
  if (c.cells.size() < 3) return {};
  if (!c.all([&](std::int64_t cell) { return std::abs(c.error(cell) - offset) <= allowed + c.allowed(cell); }))
    return {};
  return "the right values " + std::string(offset < 0 ? "minus " : "plus ") + shown(std::abs(offset));
}

/// The right values, or those of rounded operands, in a format of fewer bits.
std::string format(const Compared& c) {
  constexpr std::array kKinds{FormatKind::bfloat16, FormatKind::float16, FormatKind::tf32};
  constexpr std::array kBits{8, 11, 11};
  for (std::size_t f = 0; f < kKinds.size(); ++f) {
    const Format rounded{.kind = kKinds[f]};
    const double unit = std::ldexp(1.0, 1 - kBits[f]);
    const auto holds = [&](std::int64_t cell) {
      return round_to(c.your(cell), rounded) == c.your(cell) &&
             std::abs(c.error(cell)) <= c.allowed(cell) + unit * std::abs(c.exact(cell)) + 6e-8;
    };
    if (c.all(holds)) return "the right values rounded to " + name_of(rounded);
  }
  if (c.problem.layer != Layer::conv) return {};
  for (const FormatKind kind : kKinds) {
    const RoundedProblem rounded(c.problem, c.pass,
                                 {.first = {.kind = kind}, .second = {.kind = kind}, .rounds_bias = false});
    if (!rounded.changes()) continue;
    const std::vector<double> values = exact_at(rounded.problem(), c.pass, c.sample).values;
    bool holds = c.sample.size() >= 3;
    for (std::size_t i = 0; i < values.size() && holds; ++i)
      holds = std::abs(c.your(c.sample[i]) - values[i]) <= 1.02 * c.allowed(c.sample[i]);
    if (holds) return "the right values for operands rounded to " + name_of({.kind = kind});
  }
  return {};
}

}  // namespace

std::string shown(double value) {
  if (std::isnan(value)) return "NaN";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string relation_by_value(const Compared& c) {
  for (const auto find : {constant, multiple, bias, same_value, unwritten}) {
    if (std::string found = find(c); !found.empty()) return found;
  }
  if (!c.all([&](std::int64_t cell) { return std::isfinite(c.your(cell)); })) return {};
  for (const auto find : {format, difference, any_multiple}) {
    if (std::string found = find(c); !found.empty()) return found;
  }
  return {};
}

std::string relation_of(const Problem& problem, Pass pass, std::span<const double> yours, std::span<const double> right,
                        std::span<const double> tolerance, std::span<const char> differs) {
  Compared compared{.problem = problem, .pass = pass, .yours = yours, .right = right, .tolerance = tolerance};
  for (std::size_t i = 0; i < differs.size(); ++i)
    if (differs[i] != 0) compared.cells.push_back(static_cast<std::int64_t>(i));
  const std::size_t count = compared.cells.size();
  if (count == 0) return {};
  for (std::size_t i = 0; i < std::min(count, kSample); ++i)
    compared.sample.push_back(compared.cells[i * count / std::min(count, kSample)]);
  if (!are_visible(compared)) return {};
  for (const auto find :
       {relation_by_value, relation_by_cell, relation_by_sum, relation_by_operand, relation_by_mistake}) {
    if (std::string found = find(compared); !found.empty()) return found;
  }
  return {};
}

}  // namespace conv2d_check
