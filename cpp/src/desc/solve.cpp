#include <algorithm>
#include <limits>

#include "base/checked.hpp"
#include "base/errors.hpp"
#include "base/range.hpp"
#include "conv2d/conv_desc.hpp"

namespace conv2d {
namespace {

/// The integers from `first` to `last`, both included; `last` may be the largest integer. Empty when last < first.
struct Interval {
  std::int64_t first = 1;
  std::int64_t last = 0;
};

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

/// The solutions of solve(), as an interval.
Interval solutions(const Axis& axis, AxisField field, std::int64_t lowest, std::int64_t highest) noexcept {
  if (!others_are_valid(axis, field)) return kEmpty;
  const Interval all = all_solutions(axis, field);
  return {std::max({all.first, lowest, least(field)}), std::min(all.last, highest)};
}

struct LogicalShape {
  std::int64_t n, h, w, c;
};

LogicalShape logical(Layout layout, const std::array<std::int64_t, 4>& shape) {
  return layout == Layout::nhwc ? LogicalShape{shape[0], shape[1], shape[2], shape[3]}
                                : LogicalShape{shape[0], shape[2], shape[3], shape[1]};
}

Message to_text(const std::array<std::int64_t, 4>& shape) {
  return text("[", shape[0], ", ", shape[1], ", ", shape[2], ", ", shape[3], "]");
}

Status mismatch(const Message& message) { return Status{ErrorCode::input_size_mismatch, "dy", message}; }

/// One axis of dy, and its size that follows from the input.
struct AxisOfDy {
  const char* side;
  std::int64_t dy, out, in, kernel, stride, dilation, before, after;
};

/// "; a dy width of 29 comes from x widths 57 to 58": the input sizes that match dy.
Message inputs_for(const AxisOfDy& a) {
  const Axis axis{
      .kernel = a.kernel, .stride = a.stride, .dilation = a.dilation, .pad = a.before + a.after, .out = a.dy};
  const auto [first, last] = solutions(axis, AxisField::in, 0, std::numeric_limits<std::int64_t>::max());
  const Message start = text("; a dy ", a.side, " of ", a.dy, " comes from ");
  if (last < first) return text(start, "no x ", a.side);
  if (last == first) return text(start, "x ", a.side, " ", first);
  return text(start, "x ", a.side, "s ", first, " to ", last);
}

Status check_axis(const AxisOfDy& a) {
  if (a.dy == a.out) return {};
  const Message padding = a.before + a.after > 0 ? text(" (padding ", a.before, " + ", a.after, ")") : "";
  return mismatch(text("dy ", a.side, " is ", a.dy, ", but x ", a.side, " ", a.in, " with kernel ", a.kernel,
                       ", stride ", a.stride, ", dilation ", a.dilation, " gives ", a.out, padding, inputs_for(a)));
}

}  // namespace

std::vector<std::int64_t> solve(const Axis& axis, AxisField field, std::int64_t lowest, std::int64_t highest) {
  std::vector<std::int64_t> values;
  const auto [first, last] = solutions(axis, field, lowest, highest);
  if (last < first) return values;
  const std::int64_t more = std::min(last - first, kMaxSolutions - 1);  // not a count: last may be the largest integer
  for (std::int64_t i = 0; i <= more; ++i) values.push_back(first + i);
  return values;
}

Status check_dy_shape(const Geometry& g, const std::array<std::int64_t, 4>& dy_shape) noexcept {
  const LogicalShape dy = logical(g.layout, dy_shape);
  if (dy.n != g.n) {
    return mismatch(text("dy has batch size ", dy.n, ", but x has ", g.n));
  }
  if (dy.c != g.k) {
    return mismatch(text("dy has ", dy.c, " channels, but w has ", g.k, " filters: dy needs one channel per filter"));
  }
  const AxisOfDy rows{"height", dy.h, g.oh, g.h, g.kh, g.stride_h, g.dilation_h, g.padding.top, g.padding.bottom};
  if (Status status = check_axis(rows); !status.ok()) return status;
  return check_axis({"width", dy.w, g.ow, g.w, g.kw, g.stride_w, g.dilation_w, g.padding.left, g.padding.right});
}

Status check_w_shape(const Geometry& g, const std::array<std::int64_t, 4>& w_shape) noexcept {
  constexpr struct {
    std::size_t channels;  // its place in the shape
    const char* axes;
  } kOrders[] = {{2, " (kh, kw, c / groups, k)"}, {1, " (k, c / groups, kh, kw)"}, {3, " (k, kh, kw, c / groups)"}};
  const auto& order = kOrders[static_cast<int>(g.weights_layout) - static_cast<int>(WeightsLayout::hwio)];
  const std::int64_t channels = w_shape[order.channels];
  if (channels != g.group_c) {
    const Message in_groups = g.groups > 1 ? text(" in ", g.groups, " groups") : "";
    return Status{ErrorCode::channel_mismatch, "w",
                  text("w has ", channels, " input channels, but x has ", g.c, in_groups, ", so w needs ", g.group_c,
                       g.groups > 1 ? " (c / groups)" : "")};
  }
  if (w_shape != g.w_shape()) {
    return Status{
        ErrorCode::length_mismatch, "w",
        text("w has shape ", to_text(w_shape), ", but the description gives ", to_text(g.w_shape()), order.axes)};
  }
  return {};
}

}  // namespace conv2d
