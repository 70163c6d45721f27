#include "algorithms/depthwise.hpp"
#include "algorithms/loops.hpp"
#include "desc/windows.hpp"
#include "gemm/workspace.hpp"

namespace conv2d::algorithm {
namespace {

std::int64_t workspace_floats(const Geometry& g) { return gemm::WorkspaceSize().add(g.k).floats(); }

double cost(const Geometry& g) { return depthwise_cost(g) + 20.0 * static_cast<double>(g.n * g.h * g.w * g.kh * g.kw); }

double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw + g.group_k); }

/// out[c] = sum of the group_k filters of channel c.
void sum_filters(const Geometry& g, const float* filters, float* out) noexcept {
  for (std::int64_t c = 0; c < g.c; ++c) {
    float sum = 0.0F;
    for (std::int64_t r = 0; r < g.group_k; ++r) sum += filters[c * g.group_k + r];
    out[c] = sum;
  }
}

/// One cell of x: gathers every output whose window covers it. `filters` holds k floats.
void input_cell(const Geometry& g, const Operands& o, std::int64_t cell, float* filters) noexcept {
  const std::int64_t col = cell % g.w;
  const std::int64_t row = cell / g.w % g.h;
  const std::int64_t image = cell / g.w / g.h * g.oh * g.ow * g.k;
  float* dx = o.out + cell * g.c;
  ProductRows sum(g.k, nullptr, g.group_k == 1 ? dx : filters);
  for (std::int64_t p = 0; p < g.kh; ++p) {
    const std::int64_t i = window_at(row + g.padding.top, p * g.dilation_h, g.stride_h, g.oh);
    if (i < 0) continue;
    for (std::int64_t q = 0; q < g.kw; ++q) {
      const std::int64_t j = window_at(col + g.padding.left, q * g.dilation_w, g.stride_w, g.ow);
      if (j >= 0) sum.add(o.dy + image + (i * g.ow + j) * g.k, o.w + (p * g.kw + q) * g.k);
    }
  }
  sum.flush();
  if (g.group_k > 1) sum_filters(g, filters, dx);
}

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  float* filters = gemm::Workspace(workspace).take(g.k);
  return in_portions(g.n * g.h * g.w, g.k * g.kh * g.kw, progress, [&](Range cells) {
    for (std::int64_t cell = cells.begin; cell < cells.end; ++cell) input_cell(g, o, cell, filters);
  });
}

}  // namespace

extern const Entry backward_data_depthwise = {
    .name = "depthwise",
    .pass = Pass::backward_data,
    .description =
        "One channel per filter: every cell of x gathers the outputs that read it, a register of channels at "
        "a time.",
    .layouts = Layouts::nhwc_only,
    .why_not = why_not_depthwise,
    .workspace_floats = workspace_floats,
    .cost = cost,
    .error_bound = error_bound,
    .run = run,
};

}  // namespace conv2d::algorithm
