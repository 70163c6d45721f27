#include "verdict/tolerance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "desc/geometry.hpp"

namespace conv2d_check {
namespace {

// Measured with 40,000 right results of seven algorithms, in units of kUnit * scale: one sum needs at most 16 + N / 4,
// an FFT 29 + N / 4, tiles 512 + N / 4. Running sums of equal terms need more; these are not allowed, but named.
constexpr double kPlainSum = 16, kSpread = 64, kTiled = 512, kPerTerm = 0.25, kMost = 4096;
/// Units that one sum is off by as a rule: 2 to 16.
constexpr double kUsualUnits = 4;
/// Cells along both image axes that one tile mixes: tiles up to 8.
constexpr std::int64_t kTileReach = 7;
constexpr double kSignificant = 7;  ///< standard errors
constexpr double kIsolated = 128;   ///< times the rms of the others
constexpr double kIsolatedUnits = 64;

/// values[i] = largest of the cells up to kTileReach away along an axis.
void widen(std::vector<double>& values, const Axis& axis) {
  if (axis.size < 2) return;
  std::vector<double> line(static_cast<std::size_t>(axis.size));
  const std::int64_t block = axis.size * axis.stride;
  for (std::int64_t start = 0; start < std::ssize(values); start += block)
    for (std::int64_t offset = start; offset < start + axis.stride; ++offset) {
      for (std::int64_t i = 0; i < axis.size; ++i)
        line[static_cast<std::size_t>(i)] = values[static_cast<std::size_t>(offset + i * axis.stride)];
      for (std::int64_t i = 0; i < axis.size; ++i) {
        const auto first = std::max<std::int64_t>(i - kTileReach, 0), end = std::min(i + kTileReach + 1, axis.size);
        const auto near =
            std::span(line).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
        values[static_cast<std::size_t>(offset + i * axis.stride)] = *std::ranges::max_element(near);
      }
    }
}

/// Whether windows along an axis can share a tile.
bool has_tiles(std::int64_t kernel, std::int64_t stride, std::int64_t dilation) noexcept {
  return stride == 1 && dilation == 1 && kernel > 1 && kernel % 2 == 1;
}

}  // namespace

std::array<Axis, 2> image_axes(const Geometry& g, Pass pass) {
  if (pass == Pass::backward_weights) {
    if (g.weights_layout == conv2d::WeightsLayout::oihw) return {{{g.kh, g.kw}, {g.kw, 1}}};
    const std::int64_t inner = g.weights_layout == conv2d::WeightsLayout::hwio ? g.group_c * g.k : g.group_c;
    return {{{g.kh, g.kw * inner}, {g.kw, inner}}};
  }
  const bool is_y = pass == Pass::forward;
  const std::int64_t rows = is_y ? g.oh : g.h, cols = is_y ? g.ow : g.w, channels = is_y ? g.k : g.c;
  if (g.layout == conv2d::Layout::nchw) return {{{rows, cols}, {cols, 1}}};
  return {{{rows, cols * channels}, {cols, channels}}};
}

std::vector<double> scale_of(const Problem& problem, Pass pass, const Expected& expected) {
  std::vector<double> local = expected.norms;
  if (pass != Pass::backward_bias) {
    for (const Axis& axis : image_axes(problem.geometry, pass)) widen(local, axis);
  }
  double mean = 0;
  for (const double norm : expected.norms) mean += norm * norm;
  mean /= std::max<double>(1, static_cast<double>(expected.norms.size()));
  for (std::size_t i = 0; i < local.size(); ++i) {
    const double norm = expected.norms[i], value = expected.values[i];
    local[i] = std::sqrt(norm * norm + value * value + local[i] * local[i] + mean);
  }
  return local;
}

double units_of(Bound bound, std::int64_t terms) noexcept {
  const double constant = bound == Bound::tiled ? kTiled : bound == Bound::spread ? kSpread : kPlainSum;
  const double units = constant + kPerTerm * static_cast<double>(terms);
  return bound == Bound::unlimited ? units : std::min(units, kMost);
}

Bound bound_of(const Problem& problem, Pass pass, std::int64_t cells) noexcept {
  const Geometry& g = problem.geometry;
  const bool mixes = problem.layer == Layer::conv && pass != Pass::backward_bias && g.kh * g.kw > 1 && cells >= kFew;
  if (!mixes) return Bound::plain_sum;
  return has_tiles(g.kh, g.stride_h, g.dilation_h) || has_tiles(g.kw, g.stride_w, g.dilation_w) ? Bound::tiled
                                                                                                : Bound::spread;
}

std::vector<double> scale_with_steps(std::span<const double> scale, std::span<const double> right,
                                     const Storage& storage) {
  std::vector<double> all(scale.begin(), scale.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const Format& format : storage)
      all[i] = std::hypot(all[i], step_of(right[i], format) / std::sqrt(12.0) / (kUsualUnits * kUnit));
  }
  return all;
}

std::vector<double> tolerance_of(std::span<const double> scale, Bound bound, std::int64_t terms) {
  const double units = units_of(bound, terms) * kUnit;
  const double underflow = static_cast<double>(terms) * std::numeric_limits<float>::denorm_min();
  std::vector<double> tolerance(scale.begin(), scale.end());
  for (double& one : tolerance) one = one * units + underflow;
  return tolerance;
}

std::vector<double> plain_tolerance_of(const Expected& expected) {
  std::vector<double> scale;
  scale.reserve(expected.values.size());
  for (std::size_t i = 0; i < expected.values.size(); ++i)
    scale.push_back(std::hypot(expected.norms[i], expected.values[i]));
  return tolerance_of(scale, Bound::plain_sum, expected.terms);
}

Interval allowed(double right, double tolerance, const Storage& storage) noexcept {
  double first = right - tolerance, last = right + tolerance;
  if (storage.empty()) return {static_cast<double>(static_cast<float>(first)), static_cast<float>(last)};
  for (const Format& format : storage) {
    first = round_to(first, format);
    last = round_to(last, format);
  }
  // Decimals are held in float32: the nearest one may be outside.
  if (const FormatKind kind = storage.back().kind; kind == FormatKind::decimals || kind == FormatKind::digits) {
    first -= std::abs(first) * kUnit;
    last += std::abs(last) * kUnit;
  }
  return {first, last};
}

bool fits(std::span<const double> values, std::span<const double> right, std::span<const double> tolerance,
          const Storage& storage) noexcept {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_in(values[i], allowed(right[i], tolerance[i], storage))) return false;
  }
  return true;
}

double rms(std::span<const double> values) noexcept {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return values.empty() ? 0 : std::sqrt(sum / static_cast<double>(values.size()));
}

Structure structure_of(std::span<const double> values, std::span<const double> right, std::span<const double> scale,
                       std::span<const float> parameter, std::int64_t terms, bool stored) {
  const std::size_t cells = values.size();
  if (std::cmp_less(cells, kFew)) return {};
  std::vector<double> error(cells);
  double squares = 0;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    error[i] = (values[i] - right[i]) / (kUnit * scale[i] + std::numeric_limits<double>::min());
    squares += error[i] * error[i];
    if (std::abs(error[i]) > std::abs(error[worst])) worst = i;
  }
  const double largest = std::abs(error[worst]);
  const double others = std::sqrt(std::max(0.0, squares - largest * largest) / static_cast<double>(cells - 1));
  if (!stored && largest > std::max(kIsolatedUnits, kIsolated * others)) {
    return {.kind = Structure::Kind::one_cell, .cell = static_cast<std::int64_t>(worst)};
  }
  // Least squares of the error on 1, the right value and the parameter, each divided by the scale: Gram-Schmidt. Biased
  // rounding goes into the first two, never into the parameter.
  const bool has_parameter =
      parameter.size() == cells && std::ranges::any_of(parameter, [&](float one) { return one != parameter.front(); });
  std::array<std::vector<double>, 3> basis;
  const std::size_t count = has_parameter ? 3 : 2;
  for (std::size_t i = 0; i < cells; ++i) {
    const double weight = 1 / (scale[i] + std::numeric_limits<double>::min());
    basis[0].push_back(weight);
    basis[1].push_back(right[i] * weight);
    if (has_parameter) basis[2].push_back(static_cast<double>(parameter[i]) * weight);
  }
  std::array<double, 3> coefficients{};
  double parameter_left = 0;  // the length of the parameter that 1 and the right value do not explain
  std::vector<double> residual = error;
  const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  const auto subtract = [](std::vector<double>& from, double factor, const std::vector<double>& what) {
    for (std::size_t i = 0; i < from.size(); ++i) from[i] -= factor * what[i];
  };
  double parameter_length = 0;
  for (std::size_t column = 0; column < count; ++column) {
    const double length = std::sqrt(dot(basis[column], basis[column]));
    if (column == 2) parameter_length = length;
    for (std::size_t before = 0; before < column; ++before)
      subtract(basis[column], dot(basis[column], basis[before]), basis[before]);
    const double left = std::sqrt(dot(basis[column], basis[column]));
    if (left <= 1e-9 * length || length == 0) {
      std::ranges::fill(basis[column], 0);
      continue;
    }
    if (column == 2) parameter_left = left;
    for (double& value : basis[column]) value /= left;
    coefficients[column] = dot(residual, basis[column]);
    subtract(residual, coefficients[column], basis[column]);
  }
  const double sigma = std::sqrt(dot(residual, residual) / static_cast<double>(cells - count)) + 1e-9;
  const double bias = std::hypot(coefficients[0], coefficients[1]);
  const double units = units_of(Bound::unlimited, terms);
  if (!stored && bias > units * std::sqrt(static_cast<double>(cells)) && bias > kSignificant * sigma) {
    return {.kind = Structure::Kind::offset_or_factor};
  }
  Structure found{.bias = bias / std::sqrt(static_cast<double>(cells)), .noise = sigma};
  if (parameter_left > 1e-6 * parameter_length) found.significance = std::abs(coefficients[2]) / sigma;
  if (found.significance > kSignificant) {
    found.kind = Structure::Kind::parameter;
    found.amount = coefficients[2] / parameter_left * kUnit;
  }
  return found;
}

}  // namespace conv2d_check
