#include <emscripten/bind.h>
#include <malloc.h>

#include <cstdint>
#include <limits>

#include "conv2d/conv_desc.hpp"
#include "conv2d_teach/numeric.hpp"
#include "shared/conversions.hpp"

/// ConvDesc, Status, enums and the size of the heap, for every module that takes a problem.

namespace conv2d::bindings {

[[gnu::noinline]] std::int64_t to_count(double value) noexcept {
  constexpr double kLargestExactCount = 9007199254740992.0;  // 2^53
  if (value > kLargestExactCount) return std::numeric_limits<std::int64_t>::max();
  if (!(value >= -kLargestExactCount)) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

}  // namespace conv2d::bindings

namespace {

double heap_in_use() { return static_cast<double>(static_cast<std::uint32_t>(mallinfo().uordblks)); }

}  // namespace

EMSCRIPTEN_BINDINGS(conv2d_desc) {
  using namespace conv2d;
  using namespace bindings;
  using emscripten::enum_;
  using emscripten::value_object;
  emscripten::register_type<Float32View>("Float32Array");
  bind_enum("ErrorCode", ErrorCode::cancelled);
  bind_enum("Pass", Pass::backward_bias);
  enum_<Layout>("Layout").value("nhwc", Layout::nhwc).value("nchw", Layout::nchw);
  enum_<PaddingMode>("PaddingMode")
      .value("explicit_sides", PaddingMode::explicit_sides)
      .value("valid", PaddingMode::valid)
      .value("same", PaddingMode::same)
      .value("full", PaddingMode::full);
  value_object<Status> status("Status");
  field<&Status::code>(status, "code");
  field<&Status::field>(status, "field");
  field<&Status::message>(status, "message");

  value_object<Padding> padding("Padding");
  field<&Padding::top>(padding, "top");
  field<&Padding::bottom>(padding, "bottom");
  field<&Padding::left>(padding, "left");
  field<&Padding::right>(padding, "right");

  value_object<ConvDesc> desc("ConvDesc");
  field<&ConvDesc::layout>(desc, "layout");
  size_fields(desc);
  field<&ConvDesc::padding_mode>(desc, "padding_mode");
  field<&ConvDesc::padding>(desc, "padding");

  value_object<TensorStats> stats("TensorStats");
  field<&TensorStats::min>(stats, "min");
  field<&TensorStats::max>(stats, "max");
  field<&TensorStats::max_abs>(stats, "max_abs");
  field<&TensorStats::not_finite>(stats, "not_finite");
  emscripten::function("heap_in_use", &heap_in_use);
}
