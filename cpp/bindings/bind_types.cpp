#include <emscripten/bind.h>

#include "conv2d/conv_desc.hpp"
#include "conv2d_teach/trace.hpp"
#include "session/session.hpp"
#include "shared/conversions.hpp"

namespace {

conv2d::Layout get_layout(const conv2d::Geometry& g) { return g.layout; }
conv2d::Padding get_padding(const conv2d::Geometry& g) { return g.padding; }

}  // namespace

EMSCRIPTEN_BINDINGS(conv2d_enums) {
  using namespace conv2d;
  using bindings::bind_enum;
  using emscripten::enum_;
  bind_enum("Stage", Stage::dw_per_image);
  enum_<ColumnOrder>("ColumnOrder").value("kh_kw_c", ColumnOrder::kh_kw_c).value("c_kh_kw", ColumnOrder::c_kh_kw);
  bind_enum("Process", Process::db_accumulate);
  enum_<FoldMode>("FoldMode")
      .value("sum", FoldMode::sum)
      .value("average", FoldMode::average)
      .value("overwrite", FoldMode::overwrite);
  bind_enum("Slot", session::Slot::result);
  using session::IndexSlot;
  enum_<IndexSlot>("IndexSlot").value("a", IndexSlot::a).value("b", IndexSlot::b);
}

EMSCRIPTEN_BINDINGS(conv2d_structs) {
  using namespace conv2d;
  using namespace bindings;
  using emscripten::value_object;
  value_object<Geometry> geometry("Geometry");
  geometry.field("layout", &get_layout, &set_nothing<Geometry, Layout>);
  size_fields(geometry);
  geometry.field("padding", &get_padding, &set_nothing<Geometry, Padding>);
  count_field<&Geometry::oh>(geometry, "oh");
  count_field<&Geometry::ow>(geometry, "ow");
  count_field<&Geometry::group_c>(geometry, "group_c");
  count_field<&Geometry::group_k>(geometry, "group_k");
  count_field<&Geometry::dilated_kh>(geometry, "dilated_kh");
  count_field<&Geometry::dilated_kw>(geometry, "dilated_kw");
  count_field<&Geometry::remainder_h>(geometry, "remainder_h");
  count_field<&Geometry::remainder_w>(geometry, "remainder_w");

  value_object<StageOptions>("StageOptions")
      .field("order", &StageOptions::order)
      .field("transposed", &StageOptions::transposed);
}
