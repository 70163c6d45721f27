#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "check/layer_file.hpp"

/// A right layer by plain loops in NCHW and OIHW, from which a test makes a wrong one.
namespace conv2d_check::test {

/// An array of four axes: NCHW, or OIHW.
class Grid {
 public:
  explicit Grid(std::array<std::int64_t, 4> shape, std::uint64_t seed = 0)
      : shape_(shape), values_(static_cast<std::size_t>(shape[0] * shape[1] * shape[2] * shape[3])) {
    if (seed > 0) values_ = random_values(std::ssize(values_), seed);
  }

  float& operator()(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
    return values_[static_cast<std::size_t>(((a * shape_[1] + b) * shape_[2] + c) * shape_[3] + d)];
  }
  [[nodiscard]] std::int64_t size(std::size_t axis) const { return shape_[axis]; }
  [[nodiscard]] std::vector<std::int64_t> shape() const { return {shape_.begin(), shape_.end()}; }
  [[nodiscard]] std::vector<float>& values() { return values_; }

  /// With its axes in another order.
  [[nodiscard]] Grid permuted(const std::array<std::size_t, 4>& order) {
    Grid other({shape_[order[0]], shape_[order[1]], shape_[order[2]], shape_[order[3]]});
    std::array<std::int64_t, 4> at{};
    for (float& value : other.values_) {
      std::array<std::int64_t, 4> from{};
      for (std::size_t axis = 0; axis < 4; ++axis) from[order[axis]] = at[axis];
      value = (*this)(from[0], from[1], from[2], from[3]);
      for (std::size_t axis = 4; axis-- > 0 && ++at[axis] == other.shape_[axis];) at[axis] = 0;
    }
    return other;
  }

 private:
  std::array<std::int64_t, 4> shape_;
  std::vector<float> values_;
};

inline constexpr std::array<std::size_t, 4> kNhwc{0, 2, 3, 1}, kHwio{2, 3, 1, 0}, kSwapped{1, 0, 2, 3};

struct Sizes {
  std::int64_t n, c, h, w, k, kh, kw;
  std::array<std::int64_t, 2> stride{1, 1}, pad{0, 0}, dilation{1, 1};
  std::int64_t groups = 1;
};

/// A right layer, by plain loops in NCHW and OIHW.
struct Layer {
  /// One product: of image n, filter k, window (i, j), channel c (in w: wc), tap (p, q) and x[row, col].
  struct At {
    std::int64_t n, k, i, j, c, wc, p, q, row, col;
  };

  explicit Layer(const Sizes& sizes, std::uint64_t seed = 1)
      : s(sizes),
        oh((s.h + 2 * s.pad[0] - s.dilation[0] * (s.kh - 1) - 1) / s.stride[0] + 1),
        ow((s.w + 2 * s.pad[1] - s.dilation[1] * (s.kw - 1) - 1) / s.stride[1] + 1),
        x({s.n, s.c, s.h, s.w}, 4 * seed),
        w({s.k, s.c / s.groups, s.kh, s.kw}, 4 * seed + 1),
        b({1, 1, 1, s.k}, 4 * seed + 2),
        dy({s.n, s.k, oh, ow}, 4 * seed + 3),
        y(forward(*this, x, w)),
        dx({s.n, s.c, s.h, s.w}),
        dw({s.k, s.c / s.groups, s.kh, s.kw}),
        db({1, 1, 1, s.k}) {
    products(s, [&](const At& t) {
      if (is_outside(t)) return;
      dx(t.n, t.c, t.row, t.col) += dy(t.n, t.k, t.i, t.j) * w(t.k, t.wc, t.p, t.q);
      dw(t.k, t.wc, t.p, t.q) += dy(t.n, t.k, t.i, t.j) * x(t.n, t.c, t.row, t.col);
    });
    for (std::int64_t n = 0; n < s.n; ++n)
      for (std::int64_t k = 0; k < s.k; ++k)
        for (std::int64_t i = 0; i < oh; ++i)
          for (std::int64_t j = 0; j < ow; ++j) db(0, 0, 0, k) += dy(n, k, i, j);
  }

  [[nodiscard]] bool is_outside(const At& t) const { return t.row < 0 || t.row >= s.h || t.col < 0 || t.col >= s.w; }

  /// Products of the same windows with another stride, padding, dilation or groups; some may be outside.
  template <class Visit>
  void products(const Sizes& with, Visit visit) const {
    for (std::int64_t n = 0; n < s.n; ++n)
      for (std::int64_t k = 0; k < s.k; ++k)
        for (std::int64_t i = 0; i < oh; ++i)
          for (std::int64_t j = 0; j < ow; ++j)
            for (std::int64_t wc = 0; wc < s.c / s.groups; ++wc)
              for (std::int64_t p = 0; p < s.kh; ++p)
                for (std::int64_t q = 0; q < s.kw; ++q)
                  visit(At{n, k, i, j, k / (s.k / s.groups) * (s.c / s.groups) + wc, wc, p, q,
                           i * with.stride[0] + p * with.dilation[0] - with.pad[0],
                           j * with.stride[1] + q * with.dilation[1] - with.pad[1]});
  }

  static Grid forward(const Layer& layer, Grid x, Grid w) {
    Grid y({layer.s.n, layer.s.k, layer.oh, layer.ow});
    layer.products(layer.s, [&](const At& t) {
      if (!layer.is_outside(t)) y(t.n, t.k, t.i, t.j) += x(t.n, t.c, t.row, t.col) * w(t.k, t.wc, t.p, t.q);
    });
    return y;
  }

  /// dx and dw of a program with other sizes.
  void backward(const Sizes& with, Grid* wrong_dx, Grid* wrong_dw) {
    if (wrong_dx != nullptr) std::ranges::fill(wrong_dx->values(), 0.0F);
    if (wrong_dw != nullptr) std::ranges::fill(wrong_dw->values(), 0.0F);
    products(with, [&](const At& t) {
      if (is_outside(t)) return;
      if (wrong_dx != nullptr) (*wrong_dx)(t.n, t.c, t.row, t.col) += dy(t.n, t.k, t.i, t.j) * w(t.k, t.wc, t.p, t.q);
      if (wrong_dw != nullptr) (*wrong_dw)(t.k, t.wc, t.p, t.q) += dy(t.n, t.k, t.i, t.j) * x(t.n, t.c, t.row, t.col);
    });
  }

  /// The file of a program in NCHW.
  [[nodiscard]] File file() {
    File file;
    add(file, "x", x), add(file, "w", w), add(file, "y", y), add(file, "dy", dy), add(file, "dx", dx);
    add(file, "dw", dw);
    return file;
  }

  static void add(File& file, const char* name, Grid grid) { file.add(name, grid.shape(), grid.values()); }

  Sizes s;
  std::int64_t oh, ow;
  Grid x, w, b, dy, y, dx, dw, db;
};

/// A file with these names for x, w, y, dy, dx, dw; nullptr: left out.
inline File file_of(Layer& layer, const std::array<const char*, 6>& names, bool is_nhwc = false) {
  File file;
  Grid* const grids[]{&layer.x, &layer.w, &layer.y, &layer.dy, &layer.dx, &layer.dw};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == nullptr) continue;
    const bool is_w = i == 1 || i == 5;
    Layer::add(file, names[i], is_nhwc ? grids[i]->permuted(is_w ? kHwio : kNhwc) : *grids[i]);
  }
  return file;
}

}  // namespace conv2d_check::test
