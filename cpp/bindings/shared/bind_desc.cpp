#include <emscripten/bind.h>

#include <limits>
#include <string>

#include "conv2d/conv_desc.hpp"
#include "conv2d_teach/numeric.hpp"
#include "shared/conversions.hpp"

/// ConvDesc, Status and enums, for every module that takes a problem.

namespace conv2d::bindings {

[[gnu::noinline]] std::int64_t to_count(double value) noexcept {
  constexpr double kLargestExactCount = 9007199254740992.0;  // 2^53
  if (value > kLargestExactCount) return std::numeric_limits<std::int64_t>::max();
  if (!(value >= -kLargestExactCount)) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

}  // namespace conv2d::bindings

namespace {

std::string get_field(const conv2d::Status& status) { return std::string(status.field); }
std::string get_message(const conv2d::Status& status) { return status.message; }
/// Status is output only.
void set_text(conv2d::Status&, const std::string&) {}

}  // namespace

// Enumerators have their C++ names, so that tsc checks the names that the page uses.
EMSCRIPTEN_BINDINGS(conv2d_desc) {
  using namespace conv2d;
  using bindings::count_field;
  using emscripten::enum_;
  using emscripten::value_object;
  emscripten::register_type<bindings::Float32View>("Float32Array");
  enum_<ErrorCode>("ErrorCode")
      .value("ok", ErrorCode::ok)
      .value("invalid_size", ErrorCode::invalid_size)
      .value("invalid_stride", ErrorCode::invalid_stride)
      .value("invalid_dilation", ErrorCode::invalid_dilation)
      .value("invalid_padding", ErrorCode::invalid_padding)
      .value("invalid_groups", ErrorCode::invalid_groups)
      .value("channel_mismatch", ErrorCode::channel_mismatch)
      .value("kernel_too_large", ErrorCode::kernel_too_large)
      .value("input_size_mismatch", ErrorCode::input_size_mismatch)
      .value("length_mismatch", ErrorCode::length_mismatch)
      .value("overflow", ErrorCode::overflow)
      .value("out_of_memory", ErrorCode::out_of_memory)
      .value("unknown_algorithm", ErrorCode::unknown_algorithm)
      .value("unsupported", ErrorCode::unsupported)
      .value("invalid_argument", ErrorCode::invalid_argument)
      .value("cancelled", ErrorCode::cancelled);
  enum_<Layout>("Layout").value("nhwc", Layout::nhwc).value("nchw", Layout::nchw);
  enum_<PaddingMode>("PaddingMode")
      .value("explicit_sides", PaddingMode::explicit_sides)
      .value("valid", PaddingMode::valid)
      .value("same", PaddingMode::same)
      .value("full", PaddingMode::full);
  enum_<Pass>("Pass")
      .value("forward", Pass::forward)
      .value("backward_data", Pass::backward_data)
      .value("backward_weights", Pass::backward_weights)
      .value("backward_bias", Pass::backward_bias);
  value_object<Status>("Status")
      .field("code", &Status::code)
      .field("field", &get_field, &set_text)
      .field("message", &get_message, &set_text);

  value_object<Padding> padding("Padding");
  count_field<&Padding::top>(padding, "top");
  count_field<&Padding::bottom>(padding, "bottom");
  count_field<&Padding::left>(padding, "left");
  count_field<&Padding::right>(padding, "right");

  value_object<ConvDesc> desc("ConvDesc");
  desc.field("layout", &ConvDesc::layout);
  count_field<&ConvDesc::n>(desc, "n");
  count_field<&ConvDesc::h>(desc, "h");
  count_field<&ConvDesc::w>(desc, "w");
  count_field<&ConvDesc::c>(desc, "c");
  count_field<&ConvDesc::k>(desc, "k");
  count_field<&ConvDesc::kh>(desc, "kh");
  count_field<&ConvDesc::kw>(desc, "kw");
  count_field<&ConvDesc::stride_h>(desc, "stride_h");
  count_field<&ConvDesc::stride_w>(desc, "stride_w");
  count_field<&ConvDesc::dilation_h>(desc, "dilation_h");
  count_field<&ConvDesc::dilation_w>(desc, "dilation_w");
  count_field<&ConvDesc::groups>(desc, "groups");
  desc.field("padding_mode", &ConvDesc::padding_mode);
  desc.field("padding", &ConvDesc::padding);

  value_object<TensorStats> stats("TensorStats");
  stats.field("min", &TensorStats::min).field("max", &TensorStats::max).field("max_abs", &TensorStats::max_abs);
  count_field<&TensorStats::not_finite>(stats, "not_finite");
}
