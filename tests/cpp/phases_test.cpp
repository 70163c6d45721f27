#include <catch2/catch_test_macros.hpp>
#include <set>
#include <tuple>

#include "conv2d/trace.hpp"
#include "problems/awkward.hpp"
#include "support/oracle.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

/// (cell of x, tap of w, output) of one axis.
using Meeting = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

/// All meetings of one axis, from the definition.
std::set<Meeting> meetings(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
                           std::int64_t before, std::int64_t out) {
  std::set<Meeting> all;
  for (std::int64_t i = 0; i < out; ++i)
    for (std::int64_t p = 0; p < kernel; ++p) {
      const std::int64_t cell = i * stride + p * dilation - before;
      if (cell >= 0 && cell < in) all.insert({cell, p, i});
    }
  return all;
}

/// Adds the meetings that an axis of a phase announces; false when it announces a cell or tap that is not there.
bool announce(const PhaseAxis& a, std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t out,
              std::set<Meeting>& meetings, std::set<std::int64_t>& cells) {
  for (std::int64_t m = 0; m < a.cells; ++m) {
    const std::int64_t cell = a.first_cell + m * stride;
    if (cell < 0 || cell >= in) return false;
    cells.insert(cell);
    for (std::int64_t t = 0; t < a.taps; ++t) {
      const std::int64_t tap = a.first_tap + t * a.tap_step, output = a.first_output + m - t * a.output_step;
      if (tap < 0 || tap >= kernel) return false;
      if (output >= 0 && output < out) meetings.insert({cell, tap, output});
    }
  }
  return true;
}

void check(const ConvDesc& d) {
  const Geometry g = resolve(d).value();
  const std::int64_t across = std::min(d.stride_w, d.w), down = std::min(d.stride_h, d.h);
  REQUIRE(phase_count(g) == across * down);
  std::set<Meeting> rows, cols;
  std::set<std::int64_t> row_cells, col_cells;
  for (std::int64_t index = 0; index < phase_count(g); ++index) {
    const Phase phase = phase_at(g, index);
    REQUIRE(phase.rows.first_cell == index / across);
    REQUIRE(phase.cols.first_cell == index % across);
    REQUIRE(announce(phase.rows, d.h, d.kh, d.stride_h, g.oh, rows, row_cells));
    REQUIRE(announce(phase.cols, d.w, d.kw, d.stride_w, g.ow, cols, col_cells));
  }
  if (phase_count(g) == 0) return;
  REQUIRE(rows == meetings(d.h, d.kh, d.stride_h, d.dilation_h, g.padding.top, g.oh));
  REQUIRE(cols == meetings(d.w, d.kw, d.stride_w, d.dilation_w, g.padding.left, g.ow));
  REQUIRE(std::ssize(row_cells) == d.h);
  REQUIRE(std::ssize(col_cells) == d.w);
}

}  // namespace

TEST_CASE("the phases of a stride share out all cells, taps and outputs that meet") {
  for (const NamedProblem& problem : awkward_problems()) {
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
