// Training: steps of gradient descent on a batch that is too large for memory: the dw of its parts are added up.

#include <algorithm>
#include <conv2d/conv2d.hpp>
#include <cstdio>
#include <cstdlib>
#include <vector>

void must(const conv2d::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.message.c_str());
  std::exit(1);
}

int main() {
  // A part: 4 images of 8 x 8 pixels with 3 channels, 2 filters of 3 x 3.
  const conv2d::ConvDesc part{.n = 4, .h = 8, .w = 8, .c = 3, .k = 2, .kh = 3, .kw = 3};
  const auto forward = conv2d::plan(part, conv2d::Pass::forward);
  must(forward.status());
  const auto backward = conv2d::plan(part, conv2d::Pass::backward_weights, {.accumulate = true});
  must(backward.status());
  const conv2d::Geometry& g = forward->geometry();
  std::vector<float> workspace(std::max(forward->workspace_floats(), backward->workspace_floats()));
  std::vector<float> y(g.y_size), target(g.y_size), dw(g.w_size), w(g.w_size, 0);

  // The weights to be found: 0, 1, 2, 0, 1, 2, ...
  std::vector<float> wanted(g.w_size);
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = static_cast<float>(i % 3);
  // Two parts with different images: pixels between -1 and 1.
  std::vector<std::vector<float>> images(2, std::vector<float>(g.x_size));
  unsigned random = 1;
  for (auto& x : images)
    for (float& pixel : x) pixel = static_cast<float>((random = random * 1664525 + 1013904223) >> 16) / 32768 - 1;

  for (int step = 0; step <= 200; ++step) {
    float loss = 0;  // mean of (y - target)^2 / 2 over the elements of the batch
    std::fill(dw.begin(), dw.end(), 0.0F);
    for (const auto& x : images) {
      must(conv2d::forward(*forward, x, wanted, {}, target, {.workspace = workspace}));
      must(conv2d::forward(*forward, x, w, {}, y, {.workspace = workspace}));
      const float elements = static_cast<float>(y.size() * images.size());
      for (std::size_t i = 0; i < y.size(); ++i) {
        const float difference = y[i] - target[i];
        loss += difference * difference / 2 / elements;
        y[i] = difference / elements;  // dy
      }
      must(conv2d::backward_weights(*backward, x, y, dw, {.workspace = workspace}));  // adds to dw
    }
    if (step % 50 == 0) std::printf("step %3d: loss %.6f\n", step, loss);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] -= dw[i];
  }
  std::printf("found weights: %.2f %.2f %.2f\n", w[0], w[1], w[2]);
}
