#include <conv2d/transposed.hpp>
#include <cstdio>
#include <vector>

int main() {
  // 7 x 7 pixels to 14 x 14, as ConvTranspose2d(64, 32, 3, stride=2, padding=1, output_padding=1) of PyTorch.
  const conv2d::transposed::Desc desc{.windows = {.h = 7,
                                                  .w = 7,
                                                  .c = 64,
                                                  .k = 32,
                                                  .kh = 3,
                                                  .kw = 3,
                                                  .stride_h = 2,
                                                  .stride_w = 2,
                                                  .padding = {.top = 1, .bottom = 1, .left = 1, .right = 1}},
                                      .output_padding_h = 1,
                                      .output_padding_w = 1};
  const auto plan = conv2d::transposed::plan(desc, conv2d::Pass::forward);
  if (!plan.ok()) {
    std::puts(plan.status().message.c_str());
    return 1;
  }

  // The geometry is that of the convolution: its x is this y.
  const conv2d::Geometry& g = plan->geometry();
  const std::vector<float> x(g.y_size, 1), w(g.w_size, 1), b(g.c, 1);
  std::vector<float> y(g.x_size), workspace(plan->workspace_floats());
  const auto status = conv2d::transposed::run(*plan, {.x = x, .w = w, .b = b, .out = y}, {.workspace = workspace});

  // A kernel of 3 with stride 2: neighbors have 1, 2 or 4 products of each channel.
  std::printf("%s: %g %g\n", status.ok() ? "ok" : status.message.c_str(), y[0], y[g.c]);
  std::printf("    %g %g\n", y[g.w * g.c], y[(g.w + 1) * g.c]);
}
