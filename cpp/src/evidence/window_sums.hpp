#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/strided_view.hpp"
#include "desc/windows.hpp"
#include "evidence/search.hpp"

/// Cells of y for many geometries.
namespace conv2d_check {

/// The rows, or the columns, that the taps of a window read.
using Line = std::pair<std::int64_t, std::int64_t>;  // first, step

struct WindowSum {
  double sum = std::numeric_limits<double>::quiet_NaN(), norm = 0;
};

/// Sums of windows of one output cell, computed when they are needed: many geometries have the same window there.
class Windows {
 public:
  /// `pairs`: sums that will be asked for.
  Windows(const Space::Part& part, const Tensors& tensors, const conv2d::Position& at, std::size_t pairs)
      : part_(part), r_(part.reading), at_(at), bias_(0) {
    x_ = conv2d::activation_view(tensors[Role::x]->values.data(), r_.layout, r_.h, r_.w, r_.c);
    w_ = conv2d::weights_view(tensors[Role::w]->values.data(), r_.weights, r_.kh, r_.kw, r_.c / r_.groups, r_.k);
    if (tensors.has(Role::b) && std::ssize(tensors[Role::b]->values) == r_.k) {
      bias_ = tensors[Role::b]->values[static_cast<std::size_t>(at.c)];
    }
    // For a few pairs, the table would take longer than the sums.
    constexpr std::size_t kFew = 8;
    if (pairs * kFew <= part.rows.size() * part.columns.size()) return;
    rows_ = lines_of(part.rows, at.row, row_lines_);
    columns_ = lines_of(part.columns, at.col, column_lines_);
    known_.resize(row_lines_.size() * column_lines_.size());
  }

  WindowSum operator()(std::size_t row_way, std::size_t column_way) {
    if (known_.empty())
      return compute(line_of(part_.rows[row_way], at_.row), line_of(part_.columns[column_way], at_.col));
    const std::size_t row = rows_[row_way], column = columns_[column_way];
    WindowSum& window = known_[row * column_lines_.size() + column];
    if (std::isnan(window.sum)) window = compute(row_lines_[row], column_lines_[column]);
    return window;
  }

 private:
  static Line line_of(const AxisWay& way, std::int64_t out) { return {out * way.stride - way.before, way.dilation}; }

  static std::vector<std::size_t> lines_of(const std::vector<AxisWay>& ways, std::int64_t out,
                                           std::vector<Line>& lines) {
    std::map<Line, std::size_t> known;
    std::vector<std::size_t> of_way;
    for (const AxisWay& way : ways) {
      const Line line = line_of(way, out);
      const auto [at, is_new] = known.try_emplace(line, lines.size());
      if (is_new) lines.push_back(line);
      of_way.push_back(at->second);
    }
    return of_way;
  }

  [[nodiscard]] WindowSum compute(const Line& rows, const Line& columns) const {
    const std::int64_t group_c = r_.c / r_.groups, first = at_.c / (r_.k / r_.groups) * group_c;
    double sum = bias_, square = bias_ * bias_;
    for (std::int64_t p = 0; p < r_.kh; ++p) {
      const std::int64_t row = rows.first + p * rows.second;
      if (row < 0 || row >= r_.h) continue;
      for (std::int64_t q = 0; q < r_.kw; ++q) {
        const std::int64_t column = columns.first + q * columns.second;
        if (column < 0 || column >= r_.w) continue;
        for (std::int64_t c = 0; c < group_c; ++c) {
          const double term = static_cast<double>(x_(at_.n, row, column, first + c)) * w_(p, q, c, at_.c);
          sum += term;
          square += term * term;
        }
      }
    }
    return {sum, std::sqrt(square)};
  }

  const Space::Part& part_;
  const Reading& r_;
  conv2d::Position at_;
  conv2d::StridedView<const float> x_, w_;
  double bias_;
  std::vector<Line> row_lines_, column_lines_;
  std::vector<std::size_t> rows_, columns_;
  std::vector<WindowSum> known_;
};

}  // namespace conv2d_check
