#pragma once

#include <string_view>
#include <vector>

#include "support/layer_check.hpp"
#include "support/losses.hpp"
#include "support/oracle.hpp"
#include "support/run.hpp"

namespace conv2d::test {

inline constexpr Parameter kParameters[] = {Parameter::x, Parameter::w, Parameter::b};

/// The problem of these tests.
inline const ConvDesc kDesc{.n = 2,
                            .h = 6,
                            .w = 5,
                            .c = 4,
                            .k = 6,
                            .kh = 3,
                            .kw = 2,
                            .stride_h = 2,
                            .dilation_w = 2,
                            .groups = 2,
                            .padding = {1, 0, 0, 1}};

template <class T>
struct Fixture {
  explicit Fixture(std::uint64_t seed = 61) {
    Rng rng(seed);
    const TensorValues t = real_tensors(kDesc, *sizes_of(kDesc), rng);
    x.assign(t.x.begin(), t.x.end());
    w.assign(t.w.begin(), t.w.end());
    b.assign(t.b.begin(), t.b.end());
    dy.assign(t.dy.begin(), t.dy.end());
    for (std::size_t i = 0; i < dy.size(); ++i) target.push_back(static_cast<T>(rng.real()));
  }
  [[nodiscard]] LayerInputs<T> inputs() const { return {.x = x, .w = w, .b = b, .dy = dy, .target = target}; }

  Geometry geometry = resolve(kDesc).value();
  std::vector<T> x, w, b, dy, target{};
};

inline std::size_t size_of(const Fixture<double>& f, Parameter parameter) {
  return parameter == Parameter::x ? f.x.size() : parameter == Parameter::w ? f.w.size() : f.b.size();
}

/// The analytic gradient from the oracle of the tests.
inline std::vector<double> expected_gradient(const Fixture<double>& f, std::string_view loss, Parameter parameter) {
  TensorValues t{.x = {f.x.begin(), f.x.end()},
                 .w = {f.w.begin(), f.w.end()},
                 .b = {f.b.begin(), f.b.end()},
                 .dy = {f.dy.begin(), f.dy.end()}};
  const Sizes sizes = *sizes_of(kDesc);
  const std::vector<double> y = oracle(kDesc, sizes, t).y.value;
  std::vector<double> gradient(size_of(f, parameter));
  std::vector<double> dy(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    dy[i] = upstream(loss, y[i], f.dy[i], f.target[i], static_cast<double>(y.size()));
  }
  for_each_product(kDesc, sizes, [&](const Product& m) {
    const double up = dy[static_cast<std::size_t>(m.y)];
    if (parameter == Parameter::x) gradient[static_cast<std::size_t>(m.x)] += up * f.w[static_cast<std::size_t>(m.w)];
    if (parameter == Parameter::w) gradient[static_cast<std::size_t>(m.w)] += up * f.x[static_cast<std::size_t>(m.x)];
  });
  if (parameter == Parameter::b) {
    for (std::size_t i = 0; i < dy.size(); ++i) gradient[i % static_cast<std::size_t>(kDesc.k)] += dy[i];  // NHWC
  }
  return gradient;
}

}  // namespace conv2d::test
