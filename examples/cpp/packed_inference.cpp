// Inference: weights packed once for many images, and ReLU as y is stored.

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
  const conv2d::ConvDesc desc{
      .h = 28, .w = 28, .c = 64, .k = 128, .kh = 3, .kw = 3, .padding_mode = conv2d::PaddingMode::same};
  const auto plan = conv2d::plan(desc, conv2d::Pass::forward, {.packed_weights = true});
  must(plan.status());

  const conv2d::Geometry& g = plan->geometry();
  std::vector<float> x(g.x_size), y(g.y_size), workspace(plan->workspace_floats()), packed(plan->packed_floats());
  const std::vector<float> w(g.w_size, 1), b(g.k, 1);
  // Not every algorithm packs weights: then a run reads w.
  if (!packed.empty()) must(conv2d::pack_weights(*plan, w, packed));

  // With images of one value v, y is v for each of the 64 channels and each tap inside x (4 in the corner, 9 in the
  // middle), plus the bias of 1.
  const std::int64_t corner = 0, middle = (14 * g.ow + 14) * g.k;
  for (const float value : {1.0F, 2.0F, -1.0F}) {
    x.assign(x.size(), value);
    must(conv2d::run(*plan, {.x = x, .w = w, .packed = packed, .b = b, .out = y, .clamp = {.lowest = 0}},
                     {.workspace = workspace}));
    std::printf("x = %g: y is %g in the corner, %g in the middle\n", value, y[corner], y[middle]);
  }
}
