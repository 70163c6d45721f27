#include "evidence/axes.hpp"

#include <algorithm>
#include <cstdlib>

namespace conv2d_check {
namespace {

// Likelier are: no padding, or `same` as the framework divides it; then symmetric padding; equal values on both axes;
// no dilation, above all with a stride; small strides, and those that read the last cell.
constexpr double kSymmetric = 5, kAsymmetric = 8, kLarge = 15, kDilated = 5, kRemainder = 2;
constexpr double kStrides = 8, kDilations = 15, kPaddings = 5, kSides = 10, kDilatedStride = 10;

constexpr std::int64_t kMostStride = 32, kMostDilation = 36;
/// Strides of a single output, which only decide the padding after the image.
constexpr std::int64_t kFewStrides = 4;
/// Padding of a window beyond its own size, which only small windows have.
constexpr std::int64_t kExtraPadding = 3;

std::int64_t dilated(std::int64_t kernel, std::int64_t dilation) { return dilation * (kernel - 1) + 1; }

struct Sides {
  std::int64_t before = 0, after = 0;
  bool operator==(const Sides&) const = default;
};

Sides same_padding(const AxisSizes& sizes, std::int64_t stride, std::int64_t dilation) {
  const std::int64_t out = (sizes.in + stride - 1) / stride;
  const std::int64_t pad = std::max<std::int64_t>(0, (out - 1) * stride + dilated(sizes.kernel, dilation) - sizes.in);
  return {pad / 2, pad - pad / 2};
}

double padding_cost(const Sides& pad, std::int64_t size, bool is_usual, bool is_same) {
  if (pad.before + pad.after == 0 || is_usual) return 0;
  if (std::max(pad.before, pad.after) >= size) return kLarge;
  return pad.before == pad.after || is_same ? kSymmetric
                                            : kAsymmetric + 0.5 * static_cast<double>(std::abs(pad.after - pad.before));
}

AxisWay way(const AxisSizes& sizes, conv2d::Layout framework, std::int64_t stride, std::int64_t dilation, Sides pad) {
  const std::int64_t size = dilated(sizes.kernel, dilation);
  const std::int64_t padded = sizes.in + pad.before + pad.after;
  AxisWay found{.stride = stride, .dilation = dilation, .before = pad.before, .after = pad.after};
  found.out = padded < size ? 0 : (padded - size) / stride + 1;
  found.is_same = pad == same_padding(sizes, stride, dilation);
  const bool is_usual = framework == conv2d::Layout::nhwc || stride == 1
                            ? found.is_same
                            : pad.before == pad.after && pad.before + pad.after == size - 1;
  const double moves = static_cast<double>(std::min<std::int64_t>(stride, sizes.kernel) - 1) +
                       static_cast<double>(std::max<std::int64_t>(0, stride - sizes.kernel)) * 2 +
                       (dilation > 1 ? kDilated + 2 * static_cast<double>(dilation - 1) : 0);
  const double rest = padded >= size && (padded - size) % stride == 0 ? 0 : kRemainder;
  found.cost = moves + rest + padding_cost(pad, size, is_usual, found.is_same);
  return found;
}

/// The usual padding after the image of those that give the output size; -1: none does.
std::int64_t after_of(const AxisSizes& sizes, std::int64_t stride, std::int64_t dilation, std::int64_t before) {
  const std::int64_t least = (sizes.out - 1) * stride + dilated(sizes.kernel, dilation) - sizes.in - before;
  const std::int64_t most = least + stride - 1;
  if (most < 0) return -1;
  const auto fits = [&](std::int64_t after) { return after >= least && after <= most; };
  if (fits(before)) return before;
  const Sides same = same_padding(sizes, stride, dilation);
  if (same.before == before && fits(same.after)) return same.after;
  return std::max<std::int64_t>(0, least);
}

/// Whether the way is one of the arguments.
bool is_of(const AxisWay& way, const GivenAxis& given, bool same) {
  return (!given.stride || *given.stride == way.stride || way.out == 1) &&
         (!given.dilation || *given.dilation == way.dilation) && (!given.before || *given.before == way.before) &&
         (!same || way.is_same);
}

/// Whether each tap reads a cell of the image in some window. With a tap that reads none, a layer has useless weights,
/// and a y without the products of this tap would look right.
bool all_taps_read(const AxisSizes& sizes, const AxisWay& way) {
  const std::int64_t last_window = (sizes.out - 1) * way.stride;
  for (std::int64_t tap = 0; tap < sizes.kernel; ++tap) {
    const std::int64_t first = tap * way.dilation - way.before;
    // The first window in which the tap is not before the image.
    const std::int64_t inside = first >= 0 ? first : first + (-first + way.stride - 1) / way.stride * way.stride;
    if (inside >= sizes.in || inside > first + last_window) return false;
  }
  return true;
}

/// At most half the window, as layers have it: usual even where a tap of a small image reads only padding.
bool is_usual_padding(const AxisSizes& sizes, const AxisWay& way) {
  return way.is_same || std::max(way.before, way.after) <= (dilated(sizes.kernel, way.dilation) - 1) / 2;
}

/// All paddings before the image that give the output size.
void add_all(const AxisSizes& sizes, conv2d::Layout framework, std::int64_t stride, std::int64_t dilation,
             std::vector<AxisWay>& found) {
  const std::int64_t size = dilated(sizes.kernel, dilation), most = std::max(size - 1, kExtraPadding);
  for (std::int64_t before = 0; before <= most; ++before) {
    const std::int64_t after = after_of(sizes, stride, dilation, before);
    if (after < 0) return;  // A larger padding gives a larger output.
    if (after > most) continue;
    const AxisWay one = way(sizes, framework, stride, dilation, {before, after});
    if (is_usual_padding(sizes, one) || all_taps_read(sizes, one)) found.push_back(one);
  }
}

/// With an unknown output: none, `same`, symmetric.
void add_usual(const AxisSizes& sizes, conv2d::Layout framework, std::int64_t stride, std::int64_t dilation,
               std::vector<AxisWay>& found) {
  std::vector<Sides> pads{same_padding(sizes, stride, dilation)};
  for (std::int64_t pad = 0; pad < dilated(sizes.kernel, dilation); ++pad) pads.push_back({pad, pad});
  for (std::size_t i = 0; i < pads.size(); ++i) {
    if (i > 0 && pads[i] == pads[0]) continue;
    const AxisWay one = way(sizes, framework, stride, dilation, pads[i]);
    if (one.out >= 1) found.push_back(one);
  }
}

/// The arguments, with usual values of those that are missing.
void add_given(const AxisSizes& sizes, conv2d::Layout framework, const Given& given, const GivenAxis& axis,
               unsigned bit, std::vector<AxisWay>& found) {
  bool is_known = false;
  for (AxisWay& one : found) {
    if (!is_of(one, axis, given.same)) continue;
    is_known = true;
    one.given |= bit;
    if (axis.after && sizes.out > 0) {
      const AxisWay exact = way(sizes, framework, one.stride, one.dilation, {one.before, *axis.after});
      if (exact.out == sizes.out) one.after = exact.after;
    }
    if (axis.stride) one.stride = *axis.stride;
  }
  if (is_known) return;
  const std::int64_t stride = axis.stride.value_or(1), dilation = axis.dilation.value_or(1);
  Sides pad{axis.before.value_or(0), axis.after.value_or(axis.before.value_or(0))};
  if (given.same) pad = same_padding(sizes, stride, dilation);
  AxisWay one = way(sizes, framework, stride, dilation, pad);
  if (one.out < 1 || (sizes.out > 0 && one.out != sizes.out)) return;
  one.given = bit;
  found.push_back(one);
}

}  // namespace

std::vector<AxisWay> ways_of(const AxisSizes& sizes, conv2d::Layout framework, const std::vector<Given>& given,
                             bool columns) {
  std::vector<AxisWay> found;
  const bool is_known = sizes.out > 0;
  // The dilation of a single tap has no effect, and one larger than the image moves all other taps outside.
  const std::int64_t most_dilation =
      sizes.kernel == 1 ? 1 : std::min(is_known ? kMostDilation : 2, std::max<std::int64_t>(1, sizes.in));
  const std::int64_t most_stride =
      is_known ? (sizes.out == 1 ? kFewStrides : std::min(kMostStride, std::max<std::int64_t>(2, sizes.in))) : 3;
  for (std::int64_t dilation = 1; dilation <= most_dilation; ++dilation) {
    for (std::int64_t stride = 1; stride <= most_stride; ++stride) {
      (is_known ? add_all : add_usual)(sizes, framework, stride, dilation, found);
    }
  }
  // Long dilations of convolutions along one axis.
  for (std::int64_t dilation = 64; is_known && sizes.kernel > 1 && dilation < sizes.in && dilation <= 1024;
       dilation *= 2) {
    add_all(sizes, framework, 1, dilation, found);
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    add_given(sizes, framework, given[i], columns ? given[i].column : given[i].row, 1U << i, found);
  }
  std::ranges::stable_sort(found, [](const AxisWay& a, const AxisWay& b) {
    return (a.given != 0) != (b.given != 0) ? a.given != 0 : a.cost < b.cost;
  });
  if (sizes.out != 1) return found;
  // The stride of a single output has no effect.
  std::vector<AxisWay> distinct;
  for (const AxisWay& one : found) {
    const auto is_alike = [&](const AxisWay& other) {
      return other.dilation == one.dilation && other.before == one.before;
    };
    if (std::ranges::none_of(distinct, is_alike)) distinct.push_back(one);
  }
  return distinct;
}

double cost_of(const AxisWay& row, const AxisWay& column, bool is_square) {
  const bool is_same = row.is_same && column.is_same;
  const bool is_alike = row.before == column.before && row.after == column.after;
  const auto sign = [](const AxisWay& way) {
    return (way.after > way.before ? 1 : 0) - (way.after < way.before ? 1 : 0);
  };
  double cost = row.cost + column.cost;
  if (row.stride != column.stride && row.out > 1 && column.out > 1) cost += kStrides;
  if (row.dilation != column.dilation && is_square) cost += kDilations;
  if (!is_alike && !is_same && is_square) cost += kPaddings;
  if (!is_same && sign(row) != sign(column)) cost += kSides;
  if (std::max(row.stride, column.stride) > 1 && std::max(row.dilation, column.dilation) > 1) cost += kDilatedStride;
  return cost;
}

}  // namespace conv2d_check
