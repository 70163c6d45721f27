#include <emscripten/bind.h>

#include "conv2d_teach/trace.hpp"
#include "session/slots.hpp"

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
