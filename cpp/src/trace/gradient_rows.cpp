#include "trace/gradient_rows.hpp"

#include "desc/geometry.hpp"
#include "engines/products/products.hpp"

namespace conv2d::trace {

GradientRows::GradientRows(const Geometry& g, const micro_kernels::KernelSet& kernels) noexcept
    : g_(g), rows_(engine::dx_col_product(in_layout(g, Layout::nhwc), kernels, engine::positions_of(g)), layout_) {}

bool GradientRows::set_inputs(const float* dy, const float* w) noexcept {
  return dy_.set_activation(g_, dy, g_.k, g_.oh * g_.ow) && w_.set_weights(g_, w) && layout_.floats().fits() &&
         memory_.allocate(layout_.floats().value());
}

void GradientRows::select_group(std::int64_t group) noexcept {
  group_ = group;
  rows_.start(w_.data() + group * g_.group_k, memory_.span().data());
}

ColumnRows GradientRows::write(std::int64_t first, std::int64_t count, float* dx_col) noexcept {
  const std::int64_t filter = group_ * g_.group_k;
  rows_.multiply({.image = dy_.data() + first * g_.k + filter, .weights = w_.data() + filter, .out = dx_col}, count,
                 memory_.span().data());
  return {.group = group_, .first = first, .count = count};
}

}  // namespace conv2d::trace
