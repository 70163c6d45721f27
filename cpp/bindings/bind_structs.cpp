#include <emscripten/bind.h>

#include "conv2d/conv_desc.hpp"
#include "conv2d/numeric.hpp"
#include "conv2d/trace.hpp"
#include "sizes.hpp"

namespace {

template <class Struct, auto Member>
double get_count(const Struct& object) {
  return static_cast<double>(object.*Member);
}

template <class Struct, auto Member>
void set_count(Struct& object, double value) {
  object.*Member = conv2d::bindings::to_count(value);
}

std::string get_field(const conv2d::Status& status) { return std::string(status.field); }
/// A status only ever leaves the library.
void set_field(conv2d::Status&, const std::string&) {}

/// A value_object field for a 64-bit count.
template <auto Member, class Struct>
void count_field(emscripten::value_object<Struct>& object, const char* name) {
  object.field(name, &get_count<Struct, Member>, &set_count<Struct, Member>);
}

}  // namespace

EMSCRIPTEN_BINDINGS(conv2d_structs) {
  using namespace conv2d;
  using emscripten::value_object;
  value_object<Status>("Status")
      .field("code", &Status::code)
      .field("field", &get_field, &set_field)
      .field("message", &Status::message);

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

  value_object<Geometry> geometry("Geometry");
  geometry.field("layout", &Geometry::layout);
  count_field<&Geometry::n>(geometry, "n");
  count_field<&Geometry::h>(geometry, "h");
  count_field<&Geometry::w>(geometry, "w");
  count_field<&Geometry::c>(geometry, "c");
  count_field<&Geometry::k>(geometry, "k");
  count_field<&Geometry::kh>(geometry, "kh");
  count_field<&Geometry::kw>(geometry, "kw");
  count_field<&Geometry::stride_h>(geometry, "stride_h");
  count_field<&Geometry::stride_w>(geometry, "stride_w");
  count_field<&Geometry::dilation_h>(geometry, "dilation_h");
  count_field<&Geometry::dilation_w>(geometry, "dilation_w");
  count_field<&Geometry::groups>(geometry, "groups");
  geometry.field("padding", &Geometry::padding);
  count_field<&Geometry::oh>(geometry, "oh");
  count_field<&Geometry::ow>(geometry, "ow");
  count_field<&Geometry::group_c>(geometry, "group_c");
  count_field<&Geometry::group_k>(geometry, "group_k");
  count_field<&Geometry::dilated_kh>(geometry, "dilated_kh");
  count_field<&Geometry::dilated_kw>(geometry, "dilated_kw");
  count_field<&Geometry::remainder_h>(geometry, "remainder_h");
  count_field<&Geometry::remainder_w>(geometry, "remainder_w");

  value_object<TensorStats> stats("TensorStats");
  stats.field("min", &TensorStats::min).field("max", &TensorStats::max).field("max_abs", &TensorStats::max_abs);
  count_field<&TensorStats::not_finite>(stats, "not_finite");

  value_object<StageOptions>("StageOptions")
      .field("order", &StageOptions::order)
      .field("transposed", &StageOptions::transposed);
}
