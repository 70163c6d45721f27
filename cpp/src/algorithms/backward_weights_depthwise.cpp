#include <algorithm>

#include "algorithms/depthwise.hpp"
#include "algorithms/loops.hpp"
#include "desc/windows.hpp"
#include "gemm/workspace.hpp"

namespace conv2d::algorithm {
namespace {

std::int64_t workspace_floats(const Geometry& g) {
  const std::int64_t image = repeated_image_floats(g);
  return image < 0 ? -1 : gemm::WorkspaceSize().add(image).floats();
}

double cost(const Geometry& g) {
  return depthwise_cost(g) + (g.group_k == 1 ? 0.0 : static_cast<double>(g.n * repeated_image_floats(g)));
}

double error_bound(const Geometry& g) { return sum_error_bound(g.n * g.oh * g.ow); }

/// Adds what one row of dy contributes to every tap. `image` has a channel per filter.
void add_output_row(const Geometry& g, const float* image, const float* dy, std::int64_t i, float* dw) noexcept {
  const Range rows = row_taps(g, i);
  for (std::int64_t p = rows.begin; p < rows.end; ++p) {
    const float* x = image + x_row(g, i, p) * g.w * g.k;
    for (std::int64_t q = 0; q < g.kw; ++q) {
      const Range outputs = inside(g.ow, g.stride_w, x_column(g, 0, q), g.w);
      if (outputs.size() <= 0) continue;
      float* tap = dw + (p * g.kw + q) * g.k;
      ProductRows sum(g.k, tap, tap);
      for (std::int64_t j = outputs.begin; j < outputs.end; ++j) sum.add(x + x_column(g, j, q) * g.k, dy + j * g.k);
      sum.flush();
    }
  }
}

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  float* memory = gemm::Workspace(workspace).take(repeated_image_floats(g));
  const float* image = nullptr;
  std::int64_t image_n = -1;
  std::fill_n(o.out, g.w_size, 0.0F);
  return in_portions(g.n * g.oh, g.ow * g.k * g.kh * g.kw, progress, [&](Range rows) {
    for (std::int64_t row = rows.begin; row < rows.end; ++row) {
      const std::int64_t n = row / g.oh;
      if (n != image_n) image = repeat_channels(g, o.x, n, memory);
      image_n = n;
      add_output_row(g, image, o.dy + row * g.ow * g.k, row % g.oh, o.out);
    }
  });
}

}  // namespace

extern const Entry backward_weights_depthwise = {
    .name = "depthwise",
    .pass = Pass::backward_weights,
    .description =
        "One channel per filter: for every tap, rows of x times rows of dy, a register of channels at a time.",
    .layouts = Layouts::nhwc_only,
    .why_not = why_not_depthwise,
    .workspace_floats = workspace_floats,
    .cost = cost,
    .error_bound = error_bound,
    .run = run,
};

}  // namespace conv2d::algorithm
