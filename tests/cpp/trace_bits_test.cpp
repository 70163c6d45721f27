// The page promises to show what the algorithm computes: stages and partial results have the bits of the algorithm that
// they belong to. They may differ from another algorithm only where that algorithm does.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "conv2d_teach/trace.hpp"
#include "problems/edge_cases.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

using Floats = std::vector<float>;

/// The column of x_col, and the row of w_col and dw_col, of a tap and a channel of the group.
std::size_t column_of(const ConvDesc& d, const Sizes& s, ColumnOrder order, std::int64_t p, std::int64_t q,
                      std::int64_t c) {
  return static_cast<std::size_t>(order == ColumnOrder::kh_kw_c ? (p * d.kw + q) * s.group_c + c
                                                                : (c * d.kh + p) * d.kw + q);
}

/// y as y_col.
Floats positions_matrix(const ConvDesc& d, const Sizes& s, const Floats& y) {
  Floats matrix;
  for (std::int64_t group = 0; group < d.groups; ++group)
    for (std::int64_t n = 0; n < d.n; ++n)
      for (std::int64_t i = 0; i < s.oh; ++i)
        for (std::int64_t j = 0; j < s.ow; ++j)
          for (std::int64_t k = 0; k < s.group_k; ++k)
            matrix.push_back(y[static_cast<std::size_t>(y_index(d, s, n, i, j, group * s.group_k + k))]);
  return matrix;
}

/// dw as dw_col.
Floats taps_matrix(const ConvDesc& d, const Sizes& s, const Floats& dw, ColumnOrder order) {
  Floats matrix(dw.size());
  const auto size = static_cast<std::size_t>(d.kh * d.kw * s.group_c * s.group_k);
  for (std::int64_t f = 0; f < d.k; ++f)
    for (std::int64_t p = 0; p < d.kh; ++p)
      for (std::int64_t q = 0; q < d.kw; ++q)
        for (std::int64_t c = 0; c < s.group_c; ++c)
          matrix[static_cast<std::size_t>(f / s.group_k) * size +
                 column_of(d, s, order, p, q, c) * static_cast<std::size_t>(s.group_k) +
                 static_cast<std::size_t>(f % s.group_k)] = dw[static_cast<std::size_t>(w_index(d, p, q, c, f))];
  return matrix;
}

/// Transposes [groups, rows, cols].
Floats transposed(const Floats& matrix, const std::array<std::int64_t, 4>& shape) {
  const auto rows = static_cast<std::size_t>(shape[1]), cols = static_cast<std::size_t>(shape[2]);
  Floats out(matrix.size());
  for (std::size_t t = 0; t < matrix.size(); ++t) {
    const std::size_t group = t / (rows * cols), row = t / cols % rows, col = t % cols;
    out[group * rows * cols + col * rows + row] = matrix[t];
  }
  return out;
}

/// Caches the bits per algorithm, stage and process.
class TraceCheck {
 public:
  TraceCheck(const ConvDesc& d, const TensorValues& t) : d_(d), s_(*sizes_of(d)), t_(t), g_(resolve(d).value()) {
    t_.b.clear();  // y_col has no bias
  }

  [[nodiscard]] Floats algorithm(Pass pass, std::string_view name) { return algorithm(pass, name, t_); }
  [[nodiscard]] Floats algorithm(Pass pass, std::string_view name, const TensorValues& t) {
    const Result<Plan> planned = plan(g_, pass, {.algorithm = name});
    if (!planned.ok()) return note(planned.status());
    Outcome outcome = run(*planned, t);
    return outcome.status.ok() ? outcome.out : note(outcome.status);
  }

  [[nodiscard]] Floats stage(Stage stage, const StageOptions& options = {}) {
    const auto shape = stage_shape(g_, stage, options).value();
    Floats out(static_cast<std::size_t>(shape[0] * shape[1] * shape[2] * shape[3]));
    const Status status = compute_stage(g_, stage, {.x = t_.x, .w = t_.w, .dy = t_.dy}, out, options);
    return status.ok() ? out : note(status);
  }

  [[nodiscard]] Floats partial(Process process, std::int64_t steps) {
    const auto shape = process_shape(g_, process).value();
    Floats out(static_cast<std::size_t>(shape[0] * shape[1] * shape[2] * shape[3]));
    Floats workspace(static_cast<std::size_t>(process_workspace_floats(g_, process)));
    const Status status =
        compute_partial(g_, process, steps, {.x = t_.x, .w = t_.w, .b = t_.b, .dy = t_.dy}, out, workspace);
    return status.ok() ? out : note(status);
  }
  [[nodiscard]] Floats whole(Process process) { return partial(process, process_steps(g_, process)); }

  [[nodiscard]] Floats folded(std::int64_t positions) {
    Floats dx(static_cast<std::size_t>(g_.x_size));
    const Status status = fold_partial(g_, stage(Stage::dx_col), FoldMode::sum, positions, dx);
    return status.ok() ? dx : note(status);
  }

  /// A copy of t with dy 0 from a position on.
  [[nodiscard]] TensorValues masked(std::int64_t steps) const {
    TensorValues t = t_;
    for (std::int64_t position = steps; position < positions(); ++position)
      for (std::int64_t k = 0; k < d_.k; ++k)
        t.dy[static_cast<std::size_t>(
            y_index(d_, s_, position / s_.ow / s_.oh, position / s_.ow % s_.oh, position % s_.ow, k))] = 0;
    return t;
  }

  void expect(const char* what, const Floats& shown, const Floats& computed) {
    failures_.add(difference_of_bits(shown, computed), what);
  }

  [[nodiscard]] std::int64_t positions() const { return d_.n * s_.oh * s_.ow; }
  [[nodiscard]] const Sizes& sizes() const { return s_; }
  [[nodiscard]] const Failures& failures() const { return failures_; }

 private:
  Floats note(const Status& status) {
    failures_.add(std::string(status.message), "status");
    return {};
  }

  ConvDesc d_;
  Sizes s_;
  TensorValues t_;
  Geometry g_;
  Failures failures_;
};

Failures failures(const ConvDesc& d, const TensorValues& t, Rng& rng) {
  TraceCheck check(d, t);
  const Sizes& s = check.sizes();
  for (const ColumnOrder order : {ColumnOrder::kh_kw_c, ColumnOrder::c_kh_kw}) {
    const bool by_taps = order == ColumnOrder::kh_kw_c;
    check.expect(
        by_taps ? "y_col" : "y_col c_kh_kw", check.stage(Stage::y_col, {.order = order}),
        positions_matrix(d, s, check.algorithm(Pass::forward, by_taps ? "im2col_gemm" : "im2col_gemm_c_kh_kw")));
    check.expect(by_taps ? "dw_col" : "dw_col c_kh_kw", check.stage(Stage::dw_col, {.order = order}),
                 taps_matrix(d, s, check.algorithm(Pass::backward_weights, "im2col_gemm"), order));
  }
  for (const Stage stage : {Stage::x_col, Stage::w_col, Stage::y_col, Stage::dy_col, Stage::dx_col, Stage::dw_col}) {
    check.expect("transposed", check.stage(stage, {.transposed = true}),
                 transposed(check.stage(stage), stage_shape(resolve(d).value(), stage).value()));
  }

  const Floats col2im = check.algorithm(Pass::backward_data, "col2im");
  check.expect("dx_col, folded", check.folded(check.positions()), col2im);
  check.expect("dx_col2im", check.whole(Process::dx_col2im), col2im);
  check.expect("forward", check.whole(Process::forward), check.algorithm(Pass::forward, "direct"));
  check.expect("dx_scatter", check.whole(Process::dx_scatter), check.algorithm(Pass::backward_data, "scatter"));
  check.expect("dx_gather", check.whole(Process::dx_gather), check.algorithm(Pass::backward_data, "gather"));
  check.expect("dx_full_conv", check.whole(Process::dx_full_conv), check.algorithm(Pass::backward_data, "full_conv"));
  check.expect("dw_accumulate", check.whole(Process::dw_accumulate), check.algorithm(Pass::backward_weights, "direct"));
  check.expect("db_accumulate", check.whole(Process::db_accumulate), check.algorithm(Pass::backward_bias, "sum"));

  const std::int64_t steps = rng.between(0, check.positions());
  check.expect("db_accumulate, part", check.partial(Process::db_accumulate, steps),
               check.algorithm(Pass::backward_bias, "sum", check.masked(steps)));
  check.expect("dx_col2im, part", check.partial(Process::dx_col2im, steps), check.folded(steps));
  return check.failures();
}

}  // namespace

TEST_CASE("stages and partial results have the bits of their algorithm, for every edge-case geometry") {
  Rng rng(61);
  for (const NamedProblem& problem : edge_cases()) {
    for (const Layout layout : kLayouts) {
      ConvDesc d = problem.desc;
      d.layout = layout;
      CAPTURE(problem.name, test::to_string(layout));
      CHECK_THAT(failures(d, real_tensors(d, *sizes_of(d), rng), rng), NoFailure());
    }
  }
}

TEST_CASE("stages and partial results have the bits of their algorithm, for random geometries") {
  Rng rng(62);
  for (int i = 0; i < 150; ++i) {
    const RandomProblem p = random_real_problem(rng);
    CAPTURE(to_string(p.desc));
    REQUIRE_THAT(failures(p.desc, p.tensors, rng), NoFailure());
  }
}

TEST_CASE("stages and partial results have the bits of their algorithm, in blocks and pieces of depth") {
  Rng rng(63);
  for (const Layout layout : kLayouts) {
    // Positions that fill several blocks, a depth above 256, and channels that do not fill a register.
    for (const ConvDesc& d : {ConvDesc{.layout = layout, .n = 2, .h = 19, .w = 21, .c = 3, .k = 7, .kh = 3, .kw = 3},
                              ConvDesc{.layout = layout, .h = 9, .w = 8, .c = 38, .k = 290, .kh = 3, .kw = 3},
                              ConvDesc{.layout = layout,
                              .n = 2,
                              .h = 30,
                              .w = 26,
                              .c = 6,
                              .k = 4,
                              .kh = 3,
                              .kw = 2,
                              .stride_h = 2,
                              .dilation_w = 3,
                              .groups = 2,
                              .padding_mode = PaddingMode::same}}) {
      CAPTURE(to_string(d));
      CHECK_THAT(failures(d, real_tensors(d, *sizes_of(d), rng), rng), NoFailure());
    }
  }
}
