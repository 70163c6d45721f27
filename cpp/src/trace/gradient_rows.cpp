#include "trace/gradient_rows.hpp"

namespace conv2d::trace {

bool GradientRows::set_inputs(const float* dy, const float* w) noexcept {
  const CheckedInt packed = gemm_.packed_b_floats(g_.kh * g_.kw * g_.group_c, g_.group_k);
  return dy_.set_activation(g_, dy, g_.k, g_.oh * g_.ow) && w_.set_weights(g_, w) &&
         packed_w_.allocate(packed.value()) && packed_a_.allocate(engine::Gemm::packed_a_floats());
}

void GradientRows::select_group(std::int64_t group) noexcept {
  group_ = group;
  w_col_transposed_ = engine::pack_w_col_transposed(gemm_, g_, w_.data(), group, packed_w_.span().data());
}

ColumnRows GradientRows::write(std::int64_t first, std::int64_t count, float* dx_col) noexcept {
  const ColumnRows rows{.group = group_, .first = first, .count = count};
  engine::multiply_dx_col(gemm_, g_, rows, dy_.data(), w_col_transposed_, packed_a_.span().data(), dx_col);
  return rows;
}

}  // namespace conv2d::trace
