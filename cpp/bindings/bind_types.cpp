#include <emscripten/bind.h>

#include "conv2d/conv_desc.hpp"
#include "conv2d_teach/trace.hpp"
#include "session/session.hpp"
#include "shared/conversions.hpp"

EMSCRIPTEN_BINDINGS(conv2d_types) {
  using namespace conv2d;
  using namespace bindings;
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

  using emscripten::value_object;
  value_object<Geometry> geometry("Geometry");
  field<&Geometry::layout>(geometry, "layout");
  size_fields(geometry);
  field<&Geometry::padding>(geometry, "padding");
  field<&Geometry::oh>(geometry, "oh");
  field<&Geometry::ow>(geometry, "ow");
  field<&Geometry::group_c>(geometry, "group_c");
  field<&Geometry::group_k>(geometry, "group_k");
  field<&Geometry::dilated_kh>(geometry, "dilated_kh");
  field<&Geometry::dilated_kw>(geometry, "dilated_kw");
  field<&Geometry::remainder_h>(geometry, "remainder_h");
  field<&Geometry::remainder_w>(geometry, "remainder_w");

  value_object<StageOptions> options("StageOptions");
  field<&StageOptions::order>(options, "order");
  field<&StageOptions::transposed>(options, "transposed");
}
