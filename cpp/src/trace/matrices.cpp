#include "trace/matrices.hpp"

#include <algorithm>

#include "algorithms/loops.hpp"
#include "desc/windows.hpp"
#include "transforms/strided_view.hpp"

namespace conv2d::trace {
namespace {

/// Entry (group, row, column) of the output, whichever way round it is stored.
struct MatrixView {
  float* data;
  std::int64_t group_stride, row_stride, col_stride;

  [[nodiscard]] float& operator()(std::int64_t group, std::int64_t row, std::int64_t col) const noexcept {
    return data[group * group_stride + row * row_stride + col * col_stride];
  }
};

/// The column of x_col that tap (p, q) and channel c have.
struct ColumnIndex {
  std::int64_t p_stride, q_stride, c_stride;

  [[nodiscard]] std::int64_t operator()(std::int64_t p, std::int64_t q, std::int64_t c) const noexcept {
    return p * p_stride + q * q_stride + c * c_stride;
  }
};

ColumnIndex column_index(const Geometry& g, ColumnOrder order) noexcept {
  return order == ColumnOrder::kh_kw_c ? ColumnIndex{g.kw * g.group_c, g.group_c, 1}
                                       : ColumnIndex{g.kw, 1, g.kh * g.kw};
}

/// Calls visit(row of the matrix, n, i, j) for all output positions.
template <class Visit>
void for_each_row(const Geometry& g, Visit visit) noexcept {
  std::int64_t row = 0;
  for_each_position({0, g.n * g.oh * g.ow}, g.oh, g.ow,
                    [&](std::int64_t n, std::int64_t i, std::int64_t j) { visit(row++, n, i, j); });
}

/// Calls visit(p, q) for all taps, or only for those of output (i, j) that lie in the image.
template <class Visit>
void for_each_tap(const Geometry& g, Visit visit) noexcept {
  for_each_position({0, g.kh * g.kw}, g.kh, g.kw, [&](std::int64_t, std::int64_t p, std::int64_t q) { visit(p, q); });
}
template <class Visit>
void for_each_tap_inside(const Geometry& g, std::int64_t i, std::int64_t j, Visit visit) noexcept {
  const Range rows = row_taps(g, i);
  const Range cols = column_taps(g, j);
  for (std::int64_t p = rows.begin; p < rows.end; ++p) {
    for (std::int64_t q = cols.begin; q < cols.end; ++q) visit(p, q);
  }
}

void x_col(const Geometry& g, const float* data, ColumnIndex column, MatrixView out) noexcept {
  const auto x = x_view(data, g);
  std::fill_n(out.data, g.groups * out.group_stride, 0.0F);
  for_each_row(g, [&](std::int64_t row, std::int64_t n, std::int64_t i, std::int64_t j) {
    for_each_tap_inside(g, i, j, [&](std::int64_t p, std::int64_t q) {
      for (std::int64_t c = 0; c < g.c; ++c) {
        out(c / g.group_c, row, column(p, q, c % g.group_c)) = x(n, x_row(g, i, p), x_column(g, j, q), c);
      }
    });
  });
}

void w_col(const Geometry& g, const float* data, ColumnIndex column, MatrixView out) noexcept {
  const auto w = w_view(data, g);
  for_each_tap(g, [&](std::int64_t p, std::int64_t q) {
    for (std::int64_t c = 0; c < g.group_c; ++c) {
      for (std::int64_t k = 0; k < g.k; ++k) out(k / g.group_k, column(p, q, c), k % g.group_k) = w(p, q, c, k);
    }
  });
}

void dy_col(const Geometry& g, const float* data, MatrixView out) noexcept {
  const auto dy = y_view(data, g);
  for_each_row(g, [&](std::int64_t row, std::int64_t n, std::int64_t i, std::int64_t j) {
    for (std::int64_t k = 0; k < g.k; ++k) out(k / g.group_k, row, k % g.group_k) = dy(n, i, j, k);
  });
}

void y_col(const Geometry& g, const StageInputs& in, MatrixView out) noexcept {
  const auto x = x_view(in.x.data(), g);
  const auto w = w_view(in.w.data(), g);
  for_each_row(g, [&](std::int64_t row, std::int64_t n, std::int64_t i, std::int64_t j) {
    for (std::int64_t k = 0; k < g.k; ++k) {
      const std::int64_t group = k / g.group_k;
      float sum = 0;
      for_each_tap_inside(g, i, j, [&](std::int64_t p, std::int64_t q) {
        for (std::int64_t c = 0; c < g.group_c; ++c) {
          sum += x(n, x_row(g, i, p), x_column(g, j, q), group * g.group_c + c) * w(p, q, c, k);
        }
      });
      out(group, row, k % g.group_k) = sum;
    }
  });
}

void dx_col(const Geometry& g, const StageInputs& in, ColumnIndex column, MatrixView out) noexcept {
  const auto dy = y_view(in.dy.data(), g);
  const auto w = w_view(in.w.data(), g);
  for_each_row(g, [&](std::int64_t row, std::int64_t n, std::int64_t i, std::int64_t j) {
    for_each_tap(g, [&](std::int64_t p, std::int64_t q) {
      for (std::int64_t c = 0; c < g.c; ++c) {
        const std::int64_t first_k = c / g.group_c * g.group_k;
        out(c / g.group_c, row, column(p, q, c % g.group_c)) =
            algorithm::dot(g.group_k, &dy(n, i, j, first_k), dy.stride_3, &w(p, q, c % g.group_c, first_k), w.stride_3);
      }
    });
  });
}

void dw_col(const Geometry& g, const StageInputs& in, ColumnIndex column, MatrixView out) noexcept {
  const auto x = x_view(in.x.data(), g);
  const auto dy = y_view(in.dy.data(), g);
  std::fill_n(out.data, g.groups * out.group_stride, 0.0F);
  for_each_row(g, [&](std::int64_t, std::int64_t n, std::int64_t i, std::int64_t j) {
    for_each_tap_inside(g, i, j, [&](std::int64_t p, std::int64_t q) {
      for (std::int64_t c = 0; c < g.c; ++c) {
        const std::int64_t group = c / g.group_c;
        algorithm::add_scaled(g.group_k, x(n, x_row(g, i, p), x_column(g, j, q), c), &dy(n, i, j, group * g.group_k),
                              dy.stride_3, &out(group, column(p, q, c % g.group_c), 0), out.col_stride);
      }
    });
  });
}

}  // namespace

bool is_matrix(Stage stage) noexcept {
  switch (stage) {
    case Stage::x_col:
    case Stage::w_col:
    case Stage::y_col:
    case Stage::dy_col:
    case Stage::dx_col:
    case Stage::dw_col:
      return true;
    default:
      return false;
  }
}

MatrixSize matrix_size(const Geometry& g, Stage stage) noexcept {
  const std::int64_t positions = g.n * g.oh * g.ow;
  const std::int64_t columns = g.kh * g.kw * g.group_c;
  if (stage == Stage::x_col || stage == Stage::dx_col) return {positions, columns};
  if (stage == Stage::y_col || stage == Stage::dy_col) return {positions, g.group_k};
  return {columns, g.group_k};
}

void compute_matrix(const Geometry& g, Stage stage, const StageInputs& in, const StageOptions& options,
                    float* out) noexcept {
  const auto [rows, cols] = matrix_size(g, stage);
  const MatrixView view{out, rows * cols, options.transposed ? 1 : cols, options.transposed ? rows : 1};
  const ColumnIndex column = column_index(g, options.order);
  if (stage == Stage::x_col) x_col(g, in.x.data(), column, view);
  if (stage == Stage::w_col) w_col(g, in.w.data(), column, view);
  if (stage == Stage::y_col) y_col(g, in, view);
  if (stage == Stage::dy_col) dy_col(g, in.dy.data(), view);
  if (stage == Stage::dx_col) dx_col(g, in, column, view);
  if (stage == Stage::dw_col) dw_col(g, in, column, view);
}

}  // namespace conv2d::trace
