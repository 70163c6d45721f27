#include "check/layer_file.hpp"

#include <algorithm>

#include "conv2d/reference.hpp"
#include "support/rng.hpp"

namespace conv2d_check::test {

File& File::add(std::string name, std::vector<std::int64_t> shape, std::vector<float> values) {
  std::vector<float>& kept = values_.emplace_back(std::move(values));
  arrays_.push_back({.name = std::move(name), .shape = std::move(shape), .values = Elements(kept)});
  return *this;
}

File& File::remove(std::string_view name) {
  std::erase_if(arrays_, [&](const Array& array) { return array.name == name; });
  return *this;
}

File& File::rename(std::string_view from, std::string to) {
  for (Array& array : arrays_) {
    if (array.name == from) array.name = to;
  }
  return *this;
}

const Array& File::array(std::string_view name) const {
  return *std::ranges::find(arrays_, name, [](const Array& one) { return std::string_view(one.name); });
}

std::vector<float>& File::values(std::string_view name) {
  const float* data = array(name).values.floats().data();
  return *std::ranges::find_if(values_, [&](const std::vector<float>& one) { return one.data() == data; });
}

std::vector<float> random_values(std::int64_t count, std::uint64_t seed) {
  conv2d::test::Rng rng(seed);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = rng.real();
  return values;
}

File conv_file(const conv2d::ConvDesc& desc, std::uint64_t seed) {
  const conv2d::Geometry g = conv2d::resolve(desc).value();
  const auto list = [](const std::array<std::int64_t, 4>& shape) {
    return std::vector<std::int64_t>(shape.begin(), shape.end());
  };
  const auto x = random_values(g.x_size, 4 * seed), w = random_values(g.w_size, 4 * seed + 1);
  const auto b = random_values(g.k, 4 * seed + 2), dy = random_values(g.y_size, 4 * seed + 3);
  std::vector<float> y(dy.size()), dx(x.size()), dw(w.size()), db(b.size());
  conv2d::reference::forward<float>(g, x, w, b, y);
  conv2d::reference::backward_data<float>(g, dy, w, dx);
  conv2d::reference::backward_weights<float>(g, x, dy, dw);
  conv2d::reference::backward_bias<float>(g, dy, db);
  File file;
  file.add("x", list(g.x_shape()), x).add("w", list(g.w_shape()), w).add("b", {g.k}, b);
  file.add("y", list(g.y_shape()), y).add("dy", list(g.y_shape()), dy);
  file.add("dx", list(g.x_shape()), dx).add("dw", list(g.w_shape()), dw).add("db", {g.k}, db);
  return file;
}

const Verdict& verdict_of(const ArraysVerdict& verdict, std::string_view tensor) {
  static const Verdict kNone = [] {
    Verdict none;
    none.sentence = "no such result";
    return none;
  }();
  for (const LayerVerdict& layer : verdict.layers) {
    for (const TensorVerdict& one : layer.tensors) {
      if (one.name == tensor) return one.verdict;
    }
  }
  return kNone;
}

}  // namespace conv2d_check::test
