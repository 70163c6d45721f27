#include <conv2d/conv2d.hpp>
#include <cstdio>
#include <vector>

int main() {
  // 28 x 28 pixels, 64 channels, 128 filters of 3 x 3. Defaults: one image, stride 1, NHWC.
  const conv2d::ConvDesc desc{
      .h = 28, .w = 28, .c = 64, .k = 128, .kh = 3, .kw = 3, .padding_mode = conv2d::PaddingMode::same};
  const auto plan = conv2d::plan(desc, conv2d::Pass::forward);
  if (!plan.ok()) {
    std::puts(plan.status().message.c_str());
    return 1;
  }

  const conv2d::Geometry& g = plan->geometry();
  const std::vector<float> x(g.x_size, 1), w(g.w_size, 1), b(g.k, 1);
  std::vector<float> y(g.y_size), workspace(plan->workspace_floats());
  const auto status = conv2d::forward(*plan, x, w, b, y, {.workspace = workspace});
  std::printf("%s, y[0] = %g\n", status.ok() ? "ok" : status.message.c_str(), y[0]);
}
