#include "conv2d/reference.hpp"

#include <cstdint>
#include <utility>

#include "dcheck/dcheck.hpp"

namespace conv2d::reference {
namespace {

// Flat indices, written once per layout. The reference does not use the views of the library: it checks the algorithms,
// and must not share their mistakes.

std::int64_t x_index(const Geometry& g, std::int64_t n, std::int64_t row, std::int64_t col, std::int64_t c) {
  return g.layout == Layout::nhwc ? ((n * g.h + row) * g.w + col) * g.c + c : ((n * g.c + c) * g.h + row) * g.w + col;
}

std::int64_t y_index(const Geometry& g, std::int64_t n, std::int64_t i, std::int64_t j, std::int64_t k) {
  return g.layout == Layout::nhwc ? ((n * g.oh + i) * g.ow + j) * g.k + k : ((n * g.k + k) * g.oh + i) * g.ow + j;
}

/// `c` counts within the filter's group.
std::int64_t w_index(const Geometry& g, std::int64_t p, std::int64_t q, std::int64_t c, std::int64_t k) {
  if (g.weights_layout == WeightsLayout::hwio) return ((p * g.kw + q) * g.group_c + c) * g.k + k;
  if (g.weights_layout == WeightsLayout::oihw) return ((k * g.group_c + c) * g.kh + p) * g.kw + q;
  return ((k * g.kh + p) * g.kw + q) * g.group_c + c;
}

/// An element in double. Spans have unsigned sizes, geometries signed ones.
template <class T>
double at(std::span<const T> values, std::int64_t index) {
  return static_cast<double>(values[static_cast<std::size_t>(index)]);
}

/// An element, rounded once.
template <class T>
void set(std::span<T> values, std::int64_t index, double value) {
  values[static_cast<std::size_t>(index)] = static_cast<T>(value);
}

/// The row of x that tap p of output row i reads; outside [0, h) it is in the padding.
std::int64_t x_row(const Geometry& g, std::int64_t i, std::int64_t p) {
  return i * g.stride_h + p * g.dilation_h - g.padding.top;
}

std::int64_t x_col(const Geometry& g, std::int64_t j, std::int64_t q) {
  return j * g.stride_w + q * g.dilation_w - g.padding.left;
}

/// The output position that reads the padded input position `padded` through the tap at `offset`, or -1.
std::int64_t output_position(std::int64_t padded, std::int64_t offset, std::int64_t stride, std::int64_t count) {
  const std::int64_t start = padded - offset;
  if (start < 0 || start % stride != 0 || start / stride >= count) return -1;
  return start / stride;
}

}  // namespace

template <class T>
void forward(const Geometry& g, std::span<const T> x, std::span<const T> w, std::span<const T> b, std::span<T> y) {
  CONV2D_DCHECK(std::cmp_equal(x.size(), g.x_size) && std::cmp_equal(w.size(), g.w_size) &&
                std::cmp_equal(y.size(), g.y_size) && (b.empty() || std::cmp_equal(b.size(), g.k)));
  for (std::int64_t n = 0; n < g.n; ++n) {
    for (std::int64_t i = 0; i < g.oh; ++i) {
      for (std::int64_t j = 0; j < g.ow; ++j) {
        for (std::int64_t k = 0; k < g.k; ++k) {
          const std::int64_t first_c = k / g.group_k * g.group_c;
          double sum = b.empty() ? 0.0 : at(b, k);
          for (std::int64_t p = 0; p < g.kh; ++p) {
            const std::int64_t row = x_row(g, i, p);
            if (row < 0 || row >= g.h) continue;
            for (std::int64_t q = 0; q < g.kw; ++q) {
              const std::int64_t col = x_col(g, j, q);
              if (col < 0 || col >= g.w) continue;
              for (std::int64_t c = 0; c < g.group_c; ++c) {
                sum += at(x, x_index(g, n, row, col, first_c + c)) * at(w, w_index(g, p, q, c, k));
              }
            }
          }
          set(y, y_index(g, n, i, j, k), sum);
        }
      }
    }
  }
}

template <class T>
void backward_data(const Geometry& g, std::span<const T> dy, std::span<const T> w, std::span<T> dx) {
  CONV2D_DCHECK(std::cmp_equal(dy.size(), g.y_size) && std::cmp_equal(w.size(), g.w_size) &&
                std::cmp_equal(dx.size(), g.x_size));
  for (std::int64_t n = 0; n < g.n; ++n) {
    for (std::int64_t row = 0; row < g.h; ++row) {
      for (std::int64_t col = 0; col < g.w; ++col) {
        for (std::int64_t c = 0; c < g.c; ++c) {
          const std::int64_t first_k = c / g.group_c * g.group_k;
          double sum = 0.0;
          for (std::int64_t p = 0; p < g.kh; ++p) {
            const std::int64_t i = output_position(row + g.padding.top, p * g.dilation_h, g.stride_h, g.oh);
            if (i < 0) continue;
            for (std::int64_t q = 0; q < g.kw; ++q) {
              const std::int64_t j = output_position(col + g.padding.left, q * g.dilation_w, g.stride_w, g.ow);
              if (j < 0) continue;
              for (std::int64_t k = first_k; k < first_k + g.group_k; ++k) {
                sum += at(dy, y_index(g, n, i, j, k)) * at(w, w_index(g, p, q, c % g.group_c, k));
              }
            }
          }
          set(dx, x_index(g, n, row, col, c), sum);
        }
      }
    }
  }
}

template <class T>
void backward_weights(const Geometry& g, std::span<const T> x, std::span<const T> dy, std::span<T> dw) {
  CONV2D_DCHECK(std::cmp_equal(x.size(), g.x_size) && std::cmp_equal(dy.size(), g.y_size) &&
                std::cmp_equal(dw.size(), g.w_size));
  for (std::int64_t p = 0; p < g.kh; ++p) {
    for (std::int64_t q = 0; q < g.kw; ++q) {
      for (std::int64_t c = 0; c < g.group_c; ++c) {
        for (std::int64_t k = 0; k < g.k; ++k) {
          const std::int64_t x_channel = k / g.group_k * g.group_c + c;
          double sum = 0.0;
          for (std::int64_t n = 0; n < g.n; ++n) {
            for (std::int64_t i = 0; i < g.oh; ++i) {
              const std::int64_t row = x_row(g, i, p);
              if (row < 0 || row >= g.h) continue;
              for (std::int64_t j = 0; j < g.ow; ++j) {
                const std::int64_t col = x_col(g, j, q);
                if (col < 0 || col >= g.w) continue;
                sum += at(x, x_index(g, n, row, col, x_channel)) * at(dy, y_index(g, n, i, j, k));
              }
            }
          }
          set(dw, w_index(g, p, q, c, k), sum);
        }
      }
    }
  }
}

template <class T>
void backward_bias(const Geometry& g, std::span<const T> dy, std::span<T> db) {
  CONV2D_DCHECK(std::cmp_equal(dy.size(), g.y_size) && std::cmp_equal(db.size(), g.k));
  for (std::int64_t k = 0; k < g.k; ++k) {
    double sum = 0.0;
    for (std::int64_t n = 0; n < g.n; ++n) {
      for (std::int64_t i = 0; i < g.oh; ++i) {
        for (std::int64_t j = 0; j < g.ow; ++j) sum += at(dy, y_index(g, n, i, j, k));
      }
    }
    set(db, k, sum);
  }
}

template void forward(const Geometry&, std::span<const float>, std::span<const float>, std::span<const float>,
                      std::span<float>);
template void forward(const Geometry&, std::span<const double>, std::span<const double>, std::span<const double>,
                      std::span<double>);
template void backward_data(const Geometry&, std::span<const float>, std::span<const float>, std::span<float>);
template void backward_data(const Geometry&, std::span<const double>, std::span<const double>, std::span<double>);
template void backward_weights(const Geometry&, std::span<const float>, std::span<const float>, std::span<float>);
template void backward_weights(const Geometry&, std::span<const double>, std::span<const double>, std::span<double>);
template void backward_bias(const Geometry&, std::span<const float>, std::span<float>);
template void backward_bias(const Geometry&, std::span<const double>, std::span<double>);

void run(const Geometry& g, Pass pass, const Tensors& t) {
  switch (pass) {
    case Pass::forward:
      return forward<float>(g, t.x, t.w, t.b, t.out);
    case Pass::backward_data:
      return backward_data<float>(g, t.dy, t.w, t.out);
    case Pass::backward_weights:
      return backward_weights<float>(g, t.x, t.dy, t.out);
    case Pass::backward_bias:
      return backward_bias<float>(g, t.dy, t.out);
  }
}

}  // namespace conv2d::reference
