#include <catch2/catch_test_macros.hpp>
#include <set>
#include <tuple>

#include "conv2d_teach/trace.hpp"
#include "problems/edge_cases.hpp"
#include "support/oracle.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

/// (cell of x, tap of w, output) of one axis.
using AxisProduct = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

/// All triples of one axis, from the definition.
std::set<AxisProduct> axis_products(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
                                    std::int64_t before, std::int64_t out) {
  std::set<AxisProduct> all;
  for (std::int64_t i = 0; i < out; ++i)
    for (std::int64_t p = 0; p < kernel; ++p) {
      const std::int64_t cell = i * stride + p * dilation - before;
      if (cell >= 0 && cell < in) all.insert({cell, p, i});
    }
  return all;
}

/// Adds the triples that an axis of a phase lists; false when it lists an element or tap that does not exist.
bool add_products(const PhaseAxis& a, std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t out,
                  std::set<AxisProduct>& axis_products, std::set<std::int64_t>& cells) {
  for (std::int64_t m = 0; m < a.cells; ++m) {
    const std::int64_t cell = a.first_cell + m * stride;
    if (cell < 0 || cell >= in) return false;
    cells.insert(cell);
    for (std::int64_t t = 0; t < a.taps; ++t) {
      const std::int64_t tap = a.first_tap + t * a.tap_step, output = a.first_output + m - t * a.output_step;
      if (tap < 0 || tap >= kernel) return false;
      if (output >= 0 && output < out) axis_products.insert({cell, tap, output});
    }
  }
  return true;
}

void check(const ConvDesc& d) {
  const Geometry g = resolve(d).value();
  const std::int64_t across = std::min(d.stride_w, d.w), down = std::min(d.stride_h, d.h);
  REQUIRE(phase_count(g) == across * down);
  std::set<AxisProduct> rows, cols;
  std::set<std::int64_t> row_cells, col_cells;
  for (std::int64_t index = 0; index < phase_count(g); ++index) {
    const Phase phase = phase_at(g, index);
    REQUIRE(phase.rows.first_cell == index / across);
    REQUIRE(phase.cols.first_cell == index % across);
    REQUIRE(add_products(phase.rows, d.h, d.kh, d.stride_h, g.oh, rows, row_cells));
    REQUIRE(add_products(phase.cols, d.w, d.kw, d.stride_w, g.ow, cols, col_cells));
  }
  if (phase_count(g) == 0) return;
  REQUIRE(rows == axis_products(d.h, d.kh, d.stride_h, d.dilation_h, g.padding.top, g.oh));
  REQUIRE(cols == axis_products(d.w, d.kw, d.stride_w, d.dilation_w, g.padding.left, g.ow));
  REQUIRE(std::ssize(row_cells) == d.h);
  REQUIRE(std::ssize(col_cells) == d.w);
}

}  // namespace

TEST_CASE("the phases of a stride partition all combinations of element, tap and output") {
  for (const NamedProblem& problem : edge_cases()) {
    CAPTURE(problem.name);
    check(problem.desc);
  }
  Rng rng(71);
  for (int i = 0; i < 500; ++i) {
    const ConvDesc d = random_desc(rng);
    CAPTURE(to_string(d));
    check(d);
  }
}
