#include <cblas.h>

#include <algorithm>

#include "problem.hpp"

/// im2col with the matrix product of a vendor: im2col + sgemm, image by image (a column buffer of one image stays
/// closer to the caches than one of the batch).
namespace conv2d::bench {
namespace {

using Buffer = std::shared_ptr<std::vector<float>>;

/// Rows of a column matrix: one per output pixel, in the order kh, kw, c.
template <class Visit>
void for_each_tap(const Geometry& g, Visit visit) {
  for (std::int64_t i = 0, at = 0; i < g.oh; ++i) {
    for (std::int64_t j = 0; j < g.ow; ++j) {
      for (std::int64_t p = 0; p < g.kh; ++p) {
        for (std::int64_t q = 0; q < g.kw; ++q, at += g.c) {
          const std::int64_t row = i * g.stride_h + p * g.dilation_h - g.padding.top;
          const std::int64_t column = j * g.stride_w + q * g.dilation_w - g.padding.left;
          const bool inside = row >= 0 && row < g.h && column >= 0 && column < g.w;
          visit(at, inside ? (row * g.w + column) * g.c : -1);
        }
      }
    }
  }
}

void im2col(const Geometry& g, const float* x, float* x_col) {
  for_each_tap(g, [&](std::int64_t to, std::int64_t from) {
    if (from >= 0) {
      std::copy_n(x + from, g.c, x_col + to);
    } else {
      std::fill_n(x_col + to, g.c, 0.0F);
    }
  });
}

void col2im(const Geometry& g, const float* dx_col, float* dx) {
  std::fill_n(dx, g.h * g.w * g.c, 0.0F);
  for_each_tap(g, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t c = 0; to >= 0 && c < g.c; ++c) {
      dx[to + c] += dx_col[from + c];
    }
  });
}

/// A 1x1 kernel at stride 1 without padding: the columns are the image itself.
bool needs_columns(const Geometry& g) { return g.kh * g.kw * g.stride_h * g.stride_w != 1 || g.padding != Padding{}; }

struct Sizes {
  explicit Sizes(const Geometry& g)
      : pixels(static_cast<int>(g.oh * g.ow)), taps(static_cast<int>(g.kh * g.kw * g.c)), k(static_cast<int>(g.k)) {}
  int pixels, taps, k;
};

void forward(const Problem& problem, float* columns, float* y) {
  const Geometry& g = problem.geometry;
  const Sizes s(g);
  for (std::int64_t image = 0; image < g.n; ++image) {
    const float* x = problem.x.data() + image * g.h * g.w * g.c;
    float* out = y + image * s.pixels * s.k;
    if (needs_columns(g)) {
      im2col(g, x, columns);
      x = columns;
    }
    for (int pixel = 0; pixel < s.pixels; ++pixel) {
      std::copy(problem.b.begin(), problem.b.end(), out + static_cast<std::int64_t>(pixel) * s.k);
    }
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, s.pixels, s.k, s.taps, 1, x, s.taps, problem.w.data(), s.k,
                1, out, s.k);
  }
}

void backward_data(const Problem& problem, float* columns, float* dx) {
  const Geometry& g = problem.geometry;
  const Sizes s(g);
  for (std::int64_t image = 0; image < g.n; ++image) {
    float* out = dx + image * g.h * g.w * g.c;
    float* target = needs_columns(g) ? columns : out;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, s.pixels, s.taps, s.k, 1,
                problem.dy.data() + image * s.pixels * s.k, s.k, problem.w.data(), s.k, 0, target, s.taps);
    if (needs_columns(g)) col2im(g, columns, out);
  }
}

void backward_weights(const Problem& problem, float* columns, float* dw) {
  const Geometry& g = problem.geometry;
  const Sizes s(g);
  for (std::int64_t image = 0; image < g.n; ++image) {
    const float* x = problem.x.data() + image * g.h * g.w * g.c;
    if (needs_columns(g)) {
      im2col(g, x, columns);
      x = columns;
    }
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, s.taps, s.k, s.pixels, 1, x, s.taps,
                problem.dy.data() + image * s.pixels * s.k, s.k, image == 0 ? 0.0F : 1.0F, dw, s.k);
  }
}

}  // namespace

std::string openblas_version() { return openblas_get_config(); }

std::vector<Entrant> openblas(const Geometry& geometry, Pass pass) {
  if (geometry.groups != 1 || pass == Pass::backward_bias) return {};
  return {{"openblas/im2col", [](const Problem& problem) -> Runner {
             const Geometry& g = problem.geometry;
             const std::int64_t columns = needs_columns(g) ? g.oh * g.ow * g.kh * g.kw * g.c : 0;
             const Buffer x_col = std::make_shared<std::vector<float>>(columns);
             const Buffer out = std::make_shared<std::vector<float>>(g.result_size(problem.pass));
             const auto compute = problem.pass == Pass::forward         ? forward
                                  : problem.pass == Pass::backward_data ? backward_data
                                                                        : backward_weights;
             return {.run = [=, &problem] { compute(problem, x_col->data(), out->data()); },
                     .output = [out] { return std::span<const float>(*out); },
                     .workspace_floats = columns};
           }}};
}

}  // namespace conv2d::bench
