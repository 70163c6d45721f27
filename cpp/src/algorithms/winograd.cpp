#include "algorithms/winograd.hpp"

#include "algorithms/loops.hpp"
#include "base/text.hpp"

namespace conv2d::algorithm {

std::string winograd_unsupported_reason(const Geometry& g) {
  if (g.kh != 3 || g.kw != 3) return text("it supports 3 x 3 kernels, and this one is ", g.kh, " x ", g.kw);
  if (g.stride_h != 1 || g.stride_w != 1) return text("its tiles overlap by 2 cells, which needs stride 1");
  if (g.dilation_h != 1 || g.dilation_w != 1) return text("its tiles have adjacent cells, which needs dilation 1");
  if (g.groups != 1) return text("it supports one group, and there are ", g.groups);
  return {};
}

double winograd_error_bound(std::int64_t channels, std::int64_t outputs) noexcept {
  // Along an axis, the largest sum over the transform's rows of |A| times the row sums of |B| and |G|: 8 for m = 2, 48
  // for m = 4; squared, since there are two axes, and relative to the 9 products that it replaces.
  const double growth = outputs == 2 ? 8.0 * 8.0 / 9.0 : 48.0 * 48.0 / 9.0;
  constexpr std::int64_t kRoundingsOfTransforms = 40;
  return growth * sum_error_bound(channels + kRoundingsOfTransforms);
}

}  // namespace conv2d::algorithm
