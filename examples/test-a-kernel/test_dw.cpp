#include <conv2d_check/samples.hpp>
#include <iostream>

#include "my_dw.hpp"

int main() {
  conv2d_check::Report report;
  for (const auto& sample : conv2d_check::samples(conv2d_check::Pass::backward_weights)) {
    const conv2d::Geometry g = conv2d::resolve(sample.desc).value();
    const auto size = [](std::int64_t value) { return static_cast<int>(value); };
    const Sizes sizes{size(g.n),           size(g.h),
                      size(g.w),           size(g.c),
                      size(g.k),           size(g.kh),
                      size(g.kw),          size(g.stride_h),
                      size(g.stride_w),    size(g.dilation_h),
                      size(g.dilation_w),  size(g.groups),
                      size(g.padding.top), size(g.padding.left),
                      size(g.oh),          size(g.ow)};
    auto dw = sample.output();
    my_dw(sizes, sample.x.data(), sample.dy.data(), dw.data());
    report.add(sample, sample.judge(dw));
  }
  std::cout << report << '\n';
  return report ? 0 : 1;
}
