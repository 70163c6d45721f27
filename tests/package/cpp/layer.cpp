#include <algorithm>
#include <conv2d/conv2d.hpp>
#include <conv2d/thread_pool.hpp>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Errors are values: a code, the invalid field, and a message with the numbers.
void must(const conv2d::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.message.c_str());
  std::exit(1);
}

int main() {
  // 28 x 28 pixels, 64 channels, 128 filters of 3 x 3 in PyTorch's order. Defaults: one image, stride 1, NHWC.
  const conv2d::ConvDesc desc{.h = 28,
                              .w = 28,
                              .c = 64,
                              .k = 128,
                              .kh = 3,
                              .kw = 3,
                              .padding_mode = conv2d::PaddingMode::same,
                              .weights_layout = conv2d::WeightsLayout::oihw};
  conv2d::ThreadPool pool(2);

  // Plan once and run many times. Runs do not allocate or throw.
  const auto forward = conv2d::plan(desc, conv2d::Pass::forward, {.threads = pool.threads()});
  must(forward.status());
  const auto backward = conv2d::plan(desc, conv2d::Pass::backward_data, {.threads = pool.threads()});
  must(backward.status());

  const conv2d::Geometry& g = forward->geometry();
  const std::vector<float> x(g.x_size, 1), w(g.w_size, 1), b(g.k, 1), dy(g.y_size, 1);
  std::vector<float> y(g.y_size), dx(g.x_size);
  std::vector<float> workspace(std::max(forward->workspace_floats(), backward->workspace_floats()));
  must(conv2d::forward(*forward, x, w, b, y, {.workspace = workspace, .team = pool.team()}));
  must(conv2d::backward_data(*backward, dy, w, dx, {.workspace = workspace, .team = pool.team()}));

  // In the corner, only 2 x 2 of the 3 x 3 taps are inside x.
  const auto corner = 0, middle = 14 * 28 + 14;
  std::printf("y: %g in the corner, %g in the middle\n", y[corner * g.k], y[middle * g.k]);
  std::printf("dx: %g in the corner, %g in the middle\n", dx[corner * g.c], dx[middle * g.c]);
}
