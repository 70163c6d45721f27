#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "conv2d_teach/trace.hpp"
#include "problems/edge_cases.hpp"
#include "support/compare.hpp"
#include "support/expected_stage.hpp"
#include "support/guarded_buffer.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

/// How a process advances; `steps_of` and `expected_state` below define each kind.
enum class Kind { positions, cells, taps };

constexpr struct ProcessRow {
  Process process;
  const char* name;
  Pass pass;  ///< the process computes the result of this pass
  Kind kind;
} kProcesses[] = {
    {Process::forward, "forward", Pass::forward, Kind::positions},
    {Process::dx_scatter, "dx_scatter", Pass::backward_data, Kind::positions},
    {Process::dx_col2im, "dx_col2im", Pass::backward_data, Kind::positions},
    {Process::dx_gather, "dx_gather", Pass::backward_data, Kind::cells},
    {Process::dx_full_conv, "dx_full_conv", Pass::backward_data, Kind::cells},
    {Process::dx_full_conv_unflipped, "dx_full_conv_unflipped", Pass::backward_data, Kind::cells},
    {Process::dw_accumulate, "dw_accumulate", Pass::backward_weights, Kind::positions},
    {Process::dw_dilated_dy, "dw_dilated_dy", Pass::backward_weights, Kind::taps},
    {Process::db_accumulate, "db_accumulate", Pass::backward_bias, Kind::positions},
};

std::int64_t steps_of(const ConvDesc& d, const Sizes& s, const ProcessRow& row) {
  const ConvDesc larger = with_uncropped_kernel(d, s);
  switch (row.kind) {
    case Kind::positions:
      return d.n * s.oh * s.ow;
    case Kind::cells:
      return d.n * d.h * d.w;
    case Kind::taps:
      break;
  }
  return larger.kh * larger.kw;
}

/// The result with the products of the first positions only. `complete` is that of all positions.
std::vector<double> after_positions(const ConvDesc& d, const Sizes& s, TensorValues t, Pass pass, std::int64_t steps,
                                    const Oracle& complete) {
  const std::int64_t positions = d.n * s.oh * s.ow;
  if (steps == positions) return complete.of(pass).value;
  // A gradient term is proportional to dy of its position; y itself has one value per position.
  std::vector<double> y = pass == Pass::forward ? complete.y.value : std::vector<double>{};
  for (std::int64_t position = steps; position < positions; ++position)
    for (std::int64_t k = 0; k < d.k; ++k) {
      const std::int64_t i = position / s.ow % s.oh, j = position % s.ow, n = position / (s.oh * s.ow);
      const auto at = static_cast<std::size_t>(y_index(d, s, n, i, j, k));
      t.dy[at] = 0;
      if (!y.empty()) y[at] = 0;
    }
  return pass == Pass::forward ? y : oracle(d, s, t).of(pass).value;
}

/// The first elements of dx are final, the rest is 0.
std::vector<double> after_cells(const ConvDesc& d, std::vector<double> dx, std::int64_t steps) {
  for (std::int64_t n = 0; n < d.n; ++n)
    for (std::int64_t row = 0; row < d.h; ++row)
      for (std::int64_t col = 0; col < d.w; ++col)
        for (std::int64_t c = 0; c < d.c; ++c)
          if ((n * d.h + row) * d.w + col >= steps) dx[static_cast<std::size_t>(x_index(d, n, row, col, c))] = 0;
  return dx;
}

/// The first taps of the uncropped dw are final, the rest is 0.
std::vector<double> after_taps(const ConvDesc& d, const Sizes& s, std::vector<double> dw, std::int64_t steps) {
  const ConvDesc larger = with_uncropped_kernel(d, s);
  for (std::int64_t stop = steps; stop < larger.kh * larger.kw; ++stop)
    for (std::int64_t c = 0; c < s.group_c; ++c)
      for (std::int64_t k = 0; k < d.k; ++k)
        dw[static_cast<std::size_t>(w_index(larger, stop / larger.kw, stop % larger.kw, c, k))] = 0;
  return dw;
}

/// The results of all steps.
struct Complete {
  Oracle passes;
  std::vector<double> dx_unflipped, dw_uncropped;

  Complete(const ConvDesc& d, const Sizes& s, TensorValues t)
      : passes(oracle(d, s, t)), dw_uncropped(expected_stage(d, s, Stage::dw_uncropped, {}, t).values) {
    t.w = flipped(d, s, t.w);  // flipped twice is not flipped
    dx_unflipped = oracle(d, s, t).dx.value;
  }
};

std::vector<double> expected_state(const ConvDesc& d, const TensorValues& t, const Complete& complete,
                                   const ProcessRow& row, std::int64_t steps) {
  const Sizes s = *sizes_of(d);
  switch (row.kind) {
    case Kind::positions:
      return after_positions(d, s, t, row.pass, steps, complete.passes);
    case Kind::cells:
      return after_cells(
          d, row.process == Process::dx_full_conv_unflipped ? complete.dx_unflipped : complete.passes.dx.value, steps);
    case Kind::taps:
      break;
  }
  return after_taps(d, s, complete.dw_uncropped, steps);
}

Failure failure_at(const ConvDesc& d, const TensorValues& t, const Complete& complete, const ProcessRow& row,
                   std::int64_t steps) {
  const Geometry g = resolve(d).value();
  const std::vector<double> expected = expected_state(d, t, complete, row, steps);
  const auto shape = process_shape(g, row.process);
  if (!shape.ok()) return std::string(shape.status().message);
  if (static_cast<std::size_t>((*shape)[0] * (*shape)[1] * (*shape)[2] * (*shape)[3]) != expected.size())
    return "a different shape";
  GuardedBuffer out(expected.size());
  GuardedBuffer workspace(static_cast<std::size_t>(process_workspace_floats(g, row.process)));
  const PartialInputs in{.x = t.x, .w = t.w, .b = t.b, .dy = t.dy};
  const Status status = compute_partial(g, row.process, steps, in, out.span(), workspace.span());
  if (!status.ok()) return std::string(status.message);
  if (!out.intact() || !workspace.intact()) return "wrote outside its memory";
  return difference(out.span(), expected);
}

/// None, one, a random number, all but one, all.
std::vector<std::int64_t> some_steps(std::int64_t total, Rng& rng) {
  if (total == 0) return {0};
  return {0, 1, rng.between(0, total), total - 1, total};
}

Failures failures(const ConvDesc& d, const TensorValues& t, Rng& rng) {
  const Sizes s = *sizes_of(d);
  const Complete complete(d, s, t);
  Failures all;
  for (const ProcessRow& row : kProcesses) {
    const std::int64_t total = steps_of(d, s, row);
    const std::int64_t announced = process_steps(resolve(d).value(), row.process);
    if (announced != total) all.add("has " + std::to_string(announced) + " steps", row.name);
    for (const std::int64_t steps : some_steps(total, rng)) {
      all.add(failure_at(d, t, complete, row, steps), row.name, "after", steps, "of", total);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("a partial result equals the steps done so far, for every edge-case geometry") {
  Rng rng(41);
  for (const NamedProblem& problem : edge_cases()) {
    for (const Layout layout : kLayouts) {
      ConvDesc d = problem.desc;
      d.layout = layout;
      if (!is_small(d)) continue;
      CAPTURE(problem.name, test::to_string(layout));
      CHECK_THAT(failures(d, integer_tensors(d, *sizes_of(d), rng), rng), NoFailure());
    }
  }
}

TEST_CASE("a partial result equals the steps done so far, for random geometries") {
  Rng rng(42);
  for (int i = 0; i < 200; ++i) {
    const RandomProblem p = random_integer_problem(rng);
    CAPTURE(to_string(p.desc));
    REQUIRE_THAT(failures(p.desc, p.tensors, rng), NoFailure());
  }
}

TEST_CASE("each process reports its name, and its shape follows the layout") {
  using Shape = std::array<std::int64_t, 4>;
  const Geometry g = resolve({.layout = Layout::nchw,
                              .n = 2,
                              .h = 6,
                              .w = 8,
                              .c = 4,
                              .k = 6,
                              .kh = 2,
                              .kw = 3,
                              .stride_h = 3,
                              .groups = 2})
                         .value();
  for (const ProcessRow& row : kProcesses) {
    CHECK(conv2d::to_string(row.process) == row.name);
    const Shape of_pass[] = {g.y_shape(), g.x_shape(), g.w_shape(), {1, 1, 1, g.k}};
    // The remainder of one row holds one more tap.
    const Shape expected = row.kind == Kind::taps ? Shape{6, 2, 3, 3} : of_pass[static_cast<std::size_t>(row.pass)];
    CHECK(process_shape(g, row.process).value() == expected);
  }
}

TEST_CASE("a partial result rejects steps beyond the end and tensors of the wrong length") {
  const ConvDesc d{.n = 2, .h = 5, .w = 6, .c = 4, .k = 6, .kh = 2, .kw = 3, .groups = 2};
  const Geometry g = resolve(d).value();
  Rng rng(1);
  const TensorValues t = integer_tensors(d, *sizes_of(d), rng);
  const PartialInputs all{.x = t.x, .w = t.w, .b = t.b, .dy = t.dy};
  for (const ProcessRow& row : kProcesses) {
    CAPTURE(row.name);
    const auto shape = process_shape(g, row.process).value();
    std::vector<float> out(static_cast<std::size_t>(shape[0] * shape[1] * shape[2] * shape[3]));
    std::vector<float> workspace(static_cast<std::size_t>(process_workspace_floats(g, row.process)));
    const std::int64_t total = process_steps(g, row.process);
    for (const std::int64_t steps : {std::int64_t{-1}, total + 1}) {
      const Status status = compute_partial(g, row.process, steps, all, out, workspace);
      CAPTURE(status.message);
      CHECK_THAT(status, Fails(ErrorCode::invalid_argument, "steps", {std::to_string(total)}));
    }
    const auto shorter = std::span(out).first(out.size() - 1);
    CHECK_THAT(compute_partial(g, row.process, total, all, shorter, workspace), Fails(ErrorCode::length_mismatch));
    if (!workspace.empty()) {
      const Status status = compute_partial(g, row.process, total, all, out, std::span(workspace).first(1));
      CHECK_THAT(status, Fails(ErrorCode::length_mismatch, "workspace"));
    }
    const auto check_without = [&](std::span<const float> PartialInputs::*tensor, const char* name, bool read) {
      PartialInputs in = all;
      in.*tensor = (in.*tensor).first(1);
      const Status status = compute_partial(g, row.process, total, in, out, workspace);
      if (read) CHECK_THAT(status, Fails(ErrorCode::length_mismatch, name));
      if (!read) CHECK_THAT(status, Succeeds());
    };
    check_without(&PartialInputs::x, "x", row.pass == Pass::forward || row.pass == Pass::backward_weights);
    check_without(&PartialInputs::w, "w", row.pass == Pass::forward || row.pass == Pass::backward_data);
    check_without(&PartialInputs::b, "b", row.pass == Pass::forward);
    check_without(&PartialInputs::dy, "dy", row.pass != Pass::forward);
  }
}
