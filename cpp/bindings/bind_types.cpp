#include <emscripten/bind.h>

#include "conv2d/conv_desc.hpp"
#include "conv2d_teach/trace.hpp"
#include "session/session.hpp"
#include "shared/conversions.hpp"

namespace {

conv2d::Layout get_layout(const conv2d::Geometry& g) { return g.layout; }
conv2d::Padding get_padding(const conv2d::Geometry& g) { return g.padding; }
/// Geometry is output only.
template <class T>
void set_nothing(conv2d::Geometry&, T) {}

}  // namespace

// Enumerators have their C++ names, so that tsc checks the names that the page uses.
EMSCRIPTEN_BINDINGS(conv2d_enums) {
  using namespace conv2d;
  using emscripten::enum_;
  enum_<Stage>("Stage")
      .value("x_padded", Stage::x_padded)
      .value("x_col", Stage::x_col)
      .value("w_col", Stage::w_col)
      .value("y_col", Stage::y_col)
      .value("dy_col", Stage::dy_col)
      .value("dx_col", Stage::dx_col)
      .value("dw_col", Stage::dw_col)
      .value("dy_upsampled", Stage::dy_upsampled)
      .value("dy_extended", Stage::dy_extended)
      .value("dy_inserted", Stage::dy_inserted)
      .value("w_exchanged", Stage::w_exchanged)
      .value("w_flipped", Stage::w_flipped)
      .value("dx_padded", Stage::dx_padded)
      .value("dw_uncropped", Stage::dw_uncropped)
      .value("dw_per_image", Stage::dw_per_image);
  enum_<ColumnOrder>("ColumnOrder").value("kh_kw_c", ColumnOrder::kh_kw_c).value("c_kh_kw", ColumnOrder::c_kh_kw);
  enum_<Process>("Process")
      .value("forward", Process::forward)
      .value("dx_scatter", Process::dx_scatter)
      .value("dx_col2im", Process::dx_col2im)
      .value("dx_gather", Process::dx_gather)
      .value("dx_full_conv", Process::dx_full_conv)
      .value("dx_full_conv_unflipped", Process::dx_full_conv_unflipped)
      .value("dw_accumulate", Process::dw_accumulate)
      .value("dw_dilated_dy", Process::dw_dilated_dy)
      .value("db_accumulate", Process::db_accumulate);
  enum_<FoldMode>("FoldMode")
      .value("sum", FoldMode::sum)
      .value("average", FoldMode::average)
      .value("overwrite", FoldMode::overwrite);
  enum_<Loss>("Loss").value("linear", Loss::linear).value("mse", Loss::mse).value("log_cosh", Loss::log_cosh);
  enum_<Parameter>("Parameter").value("x", Parameter::x).value("w", Parameter::w).value("b", Parameter::b);
  using session::IndexSlot;
  using session::Slot;
  enum_<Slot>("Slot")
      .value("x", Slot::x)
      .value("w", Slot::w)
      .value("b", Slot::b)
      .value("y", Slot::y)
      .value("dy", Slot::dy)
      .value("dx", Slot::dx)
      .value("dw", Slot::dw)
      .value("db", Slot::db)
      .value("target", Slot::target)
      .value("stage", Slot::stage)
      .value("result", Slot::result);
  enum_<IndexSlot>("IndexSlot").value("a", IndexSlot::a).value("b", IndexSlot::b);
}

EMSCRIPTEN_BINDINGS(conv2d_structs) {
  using namespace conv2d;
  using bindings::count_field;
  using emscripten::value_object;
  value_object<Geometry> geometry("Geometry");
  geometry.field("layout", &get_layout, &set_nothing<Layout>);
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
  geometry.field("padding", &get_padding, &set_nothing<Padding>);
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
