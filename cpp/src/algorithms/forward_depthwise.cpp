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

double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw + 1); }

/// One row of y. `image` has a channel per filter.
void output_row(const Geometry& g, const Operands& o, const float* image, std::int64_t i, float* y) noexcept {
  const Range rows = row_taps(g, i);
  for (std::int64_t j = 0; j < g.ow; ++j) {
    const Range cols = column_taps(g, j);
    ProductRows sum(g.k, o.b, y + j * g.k);
    for (std::int64_t p = rows.begin; p < rows.end; ++p) {
      for (std::int64_t q = cols.begin; q < cols.end; ++q) {
        sum.add(image + (x_row(g, i, p) * g.w + x_column(g, j, q)) * g.k, o.w + (p * g.kw + q) * g.k);
      }
    }
    sum.flush();
  }
}

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
  float* memory = gemm::Workspace(workspace).take(repeated_image_floats(g));
  const float* image = nullptr;
  std::int64_t image_n = -1;
  return in_portions(g.n * g.oh, g.ow * g.k * g.kh * g.kw, progress, [&](Range rows) {
    for (std::int64_t row = rows.begin; row < rows.end; ++row) {
      const std::int64_t n = row / g.oh;
      if (n != image_n) image = repeat_channels(g, o.x, n, memory);
      image_n = n;
      output_row(g, o, image, row % g.oh, o.out + row * g.ow * g.k);
    }
  });
}

}  // namespace

extern const Entry forward_depthwise = {
    .name = "depthwise",
    .pass = Pass::forward,
    .description =
        "One channel per filter: the channels of a pixel lie side by side, and so do the filters of a tap, so "
        "that registers multiply them pairwise.",
    .layouts = Layouts::nhwc_only,
    .why_not = why_not_depthwise,
    .workspace_floats = workspace_floats,
    .cost = cost,
    .error_bound = error_bound,
    .run = run,
};

}  // namespace conv2d::algorithm
