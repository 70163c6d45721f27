#include "algorithms/layout_adapter.hpp"

#include "base/checked.hpp"
#include "desc/changed.hpp"
#include "transforms/layout_change.hpp"

namespace conv2d::algorithm {
namespace {

// A transposing copy of one element, measured on a Zen 3 core with tensors that exceed its L2.
constexpr double kCyclesPerElement = 3.0;

bool converts(const Entry& entry, const Geometry& g) {
  return entry.layouts == Layouts::nhwc_only && g.layout == Layout::nchw;
}

Geometry as_nhwc(const Geometry& g) { return in_layout(g, Layout::nhwc); }

/// x, w and y, or their gradients: every pass but backward_bias has one of each.
CheckedInt converted_floats(Pass pass, const Geometry& g) {
  CheckedInt total = 0;
  if (pass != Pass::backward_bias) total = total + g.x_size + g.w_size;
  return total + g.y_size;
}

}  // namespace

int shares_in_layout(const Entry& entry, const Geometry& g, int most, std::int64_t macs_per_share) {
  return share_count(entry, converts(entry, g) ? as_nhwc(g) : g, most, macs_per_share);
}

std::int64_t total_workspace(const Entry& entry, const Geometry& g, int shares) {
  const bool adapts = converts(entry, g);
  const std::int64_t own = shares_workspace(entry, adapts ? as_nhwc(g) : g, shares);
  if (own < 0) return -1;
  const CheckedInt total = adapts ? converted_floats(entry.pass, g) + own : CheckedInt(own);
  return total.fits() && total.value() <= kMaxFloats ? total.value() : -1;
}

double total_cost(const Entry& entry, const Geometry& g) {
  if (!converts(entry, g)) return entry.cost(g);
  const auto elements = static_cast<double>(converted_floats(entry.pass, g).value_or(0));
  return entry.cost(as_nhwc(g)) + kCyclesPerElement * elements;
}

std::int64_t total_packed(const Entry& entry, const Geometry& g) {
  // Out of OIHW they would have to be converted before they are packed.
  if (!entry.packing.floats || converts(entry, g)) return 0;
  const std::int64_t floats = entry.packing.floats(g);
  return floats >= 0 && floats <= kMaxFloats ? floats : 0;
}

bool run_in_layout(const Entry& entry, const Geometry& g, const Operands& operands, float* workspace,
                   const Execution& execution) noexcept {
  if (!converts(entry, g)) return run_shares(entry, g, operands, workspace, execution);

  Operands nhwc = operands;
  const auto take = [&workspace](std::int64_t floats) {
    float* taken = workspace;
    workspace += floats;
    return taken;
  };
  const auto convert = [&](const float* nchw, std::int64_t c, std::int64_t pixels) {
    float* copy = take(g.n * c * pixels);
    activation_nchw_to_nhwc(nchw, g.n, c, pixels, copy);
    return copy;
  };
  if (operands.x) nhwc.x = convert(operands.x, g.c, g.h * g.w);
  if (operands.dy) nhwc.dy = convert(operands.dy, g.k, g.oh * g.ow);
  if (operands.w) {
    float* copy = take(g.w_size);
    weights_oihw_to_hwio(g, operands.w, copy);
    nhwc.w = copy;
  }
  switch (entry.pass) {
    case Pass::forward:
      nhwc.out = take(g.y_size);
      break;
    case Pass::backward_data:
      nhwc.out = take(g.x_size);
      break;
    case Pass::backward_weights:
      nhwc.out = take(g.w_size);
      break;
    case Pass::backward_bias:
      break;  // db has no layout
  }
  if (!run_shares(entry, as_nhwc(g), nhwc, workspace, execution)) return false;
  switch (entry.pass) {
    case Pass::forward:
      activation_nhwc_to_nchw(nhwc.out, g.n, g.k, g.oh * g.ow, operands.out);
      break;
    case Pass::backward_data:
      activation_nhwc_to_nchw(nhwc.out, g.n, g.c, g.h * g.w, operands.out);
      break;
    case Pass::backward_weights:
      weights_hwio_to_oihw(g, nhwc.out, operands.out);
      break;
    case Pass::backward_bias:
      break;
  }
  return true;
}

}  // namespace conv2d::algorithm
