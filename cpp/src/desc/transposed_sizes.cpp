#include "conv2d/transposed.hpp"

#include <string_view>

#include "base/checked.hpp"
#include "base/errors.hpp"
#include "dcheck/dcheck.hpp"
#include "desc/resolve.hpp"

namespace conv2d::transposed {
namespace {

/// The sizes of one axis.
struct AxisSizes {
  bool vertical = true;
  std::int64_t in = 0, kernel = 0, stride = 0, dilation = 0;
  std::int64_t before = 0, after = 0;  ///< padding
  std::int64_t output_padding = 0;

  [[nodiscard]] const char* rows() const noexcept { return vertical ? "rows" : "columns"; }
};

/// An output padding above `most`. `smallest`: the size of y without it.
Status no_such_size(const AxisSizes& a, std::int64_t most, CheckedInt smallest) {
  const std::string_view field = a.vertical ? "output_padding_h" : "output_padding_w";
  return {
      ErrorCode::invalid_padding, field,
      text(field, " is ", a.output_padding, ", but must be from 0 to ", most, ": y can have ", smallest.value_or(-1),
           most > 0 ? text(" to ", (smallest + most).value_or(-1)) : Message{}, " ", a.rows())};
}

/// Computes the size of y along one axis.
Status resolve_axis(PaddingMode mode, const AxisSizes& a, std::int64_t& out) {
  const std::string_view field = a.vertical ? "h" : "w";
  const std::string_view name = a.vertical ? "height" : "width";
  if (a.in < 1) return {ErrorCode::invalid_size, field, text("input ", name, " is ", a.in, ", but must be at least 1")};
  const CheckedInt dilated = CheckedInt(a.dilation) * (CheckedInt(a.kernel) - 1) + 1;
  const CheckedInt whole = (CheckedInt(a.in) - 1) * a.stride + dilated;
  CheckedInt padding = CheckedInt(a.before) + a.after;
  if (mode == PaddingMode::valid) padding = 0;
  if (mode == PaddingMode::full) padding = (dilated - 1) * 2;
  const bool is_same = mode == PaddingMode::same;
  const CheckedInt smallest = is_same ? CheckedInt(a.in) * a.stride : whole - padding;
  if (!smallest.fits() || !(smallest + (a.stride - 1)).fits()) {
    return {ErrorCode::overflow, field, text("output ", name, " does not fit into 63 bits; make it smaller")};
  }
  const std::int64_t most = is_same ? 0 : a.stride - 1;
  if (a.output_padding < 0 || a.output_padding > most) return no_such_size(a, most, smallest);
  out = smallest.value() + a.output_padding;
  if (out >= 1) return {};
  const std::string_view first = mode == PaddingMode::full ? "padding_mode"
                                 : a.vertical              ? "padding.top"
                                                           : "padding.left";
  return {ErrorCode::invalid_padding, first,
          text("padding takes ", padding.value(), " ", a.rows(), " away from y, which has only ",
               (whole + a.output_padding).value_or(-1))};
}

}  // namespace

Result<Geometry> resolve(const Desc& desc) noexcept {
  const ConvDesc& d = desc.windows;
  if (Status status = check_fields(d); !status.ok()) return status;
  const Padding given = d.padding_mode == PaddingMode::explicit_sides ? d.padding : Padding{};
  ConvDesc convolution = d;
  Status status = resolve_axis(
      d.padding_mode, {true, d.h, d.kh, d.stride_h, d.dilation_h, given.top, given.bottom, desc.output_padding_h},
      convolution.h);
  if (status.ok()) {
    status = resolve_axis(d.padding_mode,
                          {false, d.w, d.kw, d.stride_w, d.dilation_w, given.left, given.right, desc.output_padding_w},
                          convolution.w);
  }
  if (!status.ok()) return status;
  convolution.c = d.k;
  convolution.k = d.c;
  Result<Geometry> geometry = resolve_as(convolution, "y", "x");
  CONV2D_DCHECK(!geometry.ok() || (geometry->oh == d.h && geometry->ow == d.w));
  return geometry;
}

}  // namespace conv2d::transposed
