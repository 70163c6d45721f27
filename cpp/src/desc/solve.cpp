#include <algorithm>
#include <limits>

#include "base/checked.hpp"
#include "base/range.hpp"
#include "conv2d/conv_desc.hpp"
#include "desc/solutions.hpp"

namespace conv2d {
namespace {

constexpr Interval kEmpty{};
constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

Interval interval(CheckedInt first, CheckedInt last) {
  return first.fits() && last.fits() ? Interval{first.value(), last.value()} : kEmpty;
}

// All solutions follow from  (out - 1) * stride <= in + pad - dilated < out * stride,  dilated = dilation*(kernel-1)+1.

Interval padded_sizes(const Axis& a, CheckedInt dilated) {
  const CheckedInt start_of_last = (CheckedInt(a.out) - 1) * a.stride;
  return interval(start_of_last + dilated, start_of_last + dilated + (CheckedInt(a.stride) - 1));
}

Interval dilated_sizes(const Axis& a) {
  const CheckedInt padded = CheckedInt(a.in) + a.pad;
  const Interval d = interval(padded - CheckedInt(a.out) * a.stride + 1, padded - (CheckedInt(a.out) - 1) * a.stride);
  return d.last < 1 ? kEmpty : Interval{std::max<std::int64_t>(d.first, 1), d.last};
}

Interval all_solutions(const Axis& a, AxisField field) {
  const CheckedInt dilated = CheckedInt(a.dilation) * (CheckedInt(a.kernel) - 1) + 1;
  const CheckedInt slack = CheckedInt(a.in) + a.pad - dilated;
  switch (field) {
    case AxisField::in: {
      const Interval padded = padded_sizes(a, dilated);
      return interval(CheckedInt(padded.first) - a.pad, CheckedInt(padded.last) - a.pad);
    }
    case AxisField::pad: {
      const Interval padded = padded_sizes(a, dilated);
      return interval(CheckedInt(padded.first) - a.in, CheckedInt(padded.last) - a.in);
    }
    case AxisField::kernel: {
      const Interval d = dilated_sizes(a);
      if (d.last < d.first) return kEmpty;
      return {ceil_div(d.first - 1, a.dilation) + 1, (d.last - 1) / a.dilation + 1};
    }
    case AxisField::dilation: {
      const Interval d = dilated_sizes(a);
      if (d.last < d.first) return kEmpty;
      if (a.kernel == 1) return d.first == 1 ? Interval{1, kUnbounded} : kEmpty;
      return {ceil_div(d.first - 1, a.kernel - 1), (d.last - 1) / (a.kernel - 1)};
    }
    case AxisField::stride: {
      if (!slack.fits() || slack.value() < 0) return kEmpty;
      return {slack.value() / a.out + 1, a.out == 1 ? kUnbounded : slack.value() / (a.out - 1)};
    }
    case AxisField::out: {
      if (!slack.fits() || slack.value() < 0) return kEmpty;
      return {slack.value() / a.stride + 1, slack.value() / a.stride + 1};
    }
  }
  return kEmpty;
}

std::int64_t least(AxisField field) { return field == AxisField::in || field == AxisField::pad ? 0 : 1; }

/// Whether the five given members are valid; the one to solve for is ignored.
bool others_are_valid(const Axis& a, AxisField field) {
  const struct {
    AxisField field;
    std::int64_t value;
  } members[] = {{AxisField::in, a.in},         {AxisField::kernel, a.kernel},
                 {AxisField::stride, a.stride}, {AxisField::dilation, a.dilation},
                 {AxisField::pad, a.pad},       {AxisField::out, a.out}};
  return std::ranges::all_of(members, [&](const auto& m) { return m.field == field || m.value >= least(m.field); });
}

}  // namespace

Interval solutions(const Axis& axis, AxisField field, std::int64_t lowest, std::int64_t highest) noexcept {
  if (!others_are_valid(axis, field)) return kEmpty;
  const Interval all = all_solutions(axis, field);
  return {std::max({all.first, lowest, least(field)}), std::min(all.last, highest)};
}

std::vector<std::int64_t> solve(const Axis& axis, AxisField field, std::int64_t lowest, std::int64_t highest) {
  std::vector<std::int64_t> values;
  const auto [first, last] = solutions(axis, field, lowest, highest);
  if (last < first) return values;
  const std::int64_t more = std::min(last - first, kMaxSolutions - 1);  // not a count: last may be the largest integer
  for (std::int64_t i = 0; i <= more; ++i) values.push_back(first + i);
  return values;
}

}  // namespace conv2d
