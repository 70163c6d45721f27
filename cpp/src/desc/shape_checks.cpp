#include <limits>

#include "base/text.hpp"
#include "conv2d/conv_desc.hpp"
#include "desc/solutions.hpp"

namespace conv2d {
namespace {

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
