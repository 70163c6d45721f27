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

using Shape = std::array<std::int64_t, 4>;

/// Every stage by name, with the tensors that it reads.
constexpr struct {
  Stage stage;
  const char* name;
  bool reads_x, reads_w, reads_dy;
} kStages[] = {
    {Stage::x_padded, "x_padded", true, false, false},
    {Stage::x_col, "x_col", true, false, false},
    {Stage::w_col, "w_col", false, true, false},
    {Stage::y_col, "y_col", true, true, false},
    {Stage::dy_col, "dy_col", false, false, true},
    {Stage::dx_col, "dx_col", false, true, true},
    {Stage::dw_col, "dw_col", true, false, true},
    {Stage::dy_upsampled, "dy_upsampled", false, false, true},
    {Stage::dy_extended, "dy_extended", false, false, true},
    {Stage::dy_inserted, "dy_inserted", false, false, true},
    {Stage::w_exchanged, "w_exchanged", false, true, false},
    {Stage::w_flipped, "w_flipped", false, true, false},
    {Stage::dx_padded, "dx_padded", false, true, true},
    {Stage::dw_uncropped, "dw_uncropped", true, false, true},
    {Stage::dw_per_image, "dw_per_image", true, false, true},
};

std::size_t count(const Shape& s) { return static_cast<std::size_t>(s[0] * s[1] * s[2] * s[3]); }

Failure failure_of(const ConvDesc& d, Stage stage, const StageOptions& options, const TensorValues& t) {
  const Geometry g = resolve(d).value();
  const ExpectedStage expected = expected_stage(d, *sizes_of(d), stage, options, t);
  const Result<Shape> shape = stage_shape(g, stage, options);
  if (!shape.ok()) return std::string(shape.status().message);
  if (*shape != expected.shape) return "a different shape";
  GuardedBuffer out(expected.values.size());
  const Status status = compute_stage(g, stage, {.x = t.x, .w = t.w, .dy = t.dy}, out.span(), options);
  if (!status.ok()) return std::string(status.message);
  if (!out.intact()) return "wrote outside the output";
  return difference(out.span(), expected.values);
}

Failures failures(const ConvDesc& d, const TensorValues& t) {
  Failures all;
  for (const auto& stage : kStages) {
    for (const ColumnOrder order : {ColumnOrder::kh_kw_c, ColumnOrder::c_kh_kw}) {
      for (const bool transposed : {false, true}) {
        if (!is_matrix(stage.stage) && transposed) continue;
        all.add(failure_of(d, stage.stage, {.order = order, .transposed = transposed}, t), stage.name,
                order == ColumnOrder::c_kh_kw ? "c_kh_kw" : "kh_kw_c", transposed ? "transposed" : "");
      }
    }
  }
  return all;
}

}  // namespace

TEST_CASE("stages match their descriptions for every edge-case geometry") {
  Rng rng(31);
  for (const NamedProblem& problem : edge_cases()) {
    for (const Layout layout : kLayouts) {
      ConvDesc d = problem.desc;
      d.layout = layout;
      if (!is_small(d)) continue;
      CAPTURE(problem.name, test::to_string(layout));
      CHECK_THAT(failures(d, integer_tensors(d, *sizes_of(d), rng)), NoFailure());
    }
  }
}

TEST_CASE("stages match their descriptions for random geometries") {
  Rng rng(32);
  for (int i = 0; i < 300; ++i) {
    const RandomProblem p = random_integer_problem(rng);
    CAPTURE(to_string(p.desc));
    REQUIRE_THAT(failures(p.desc, p.tensors), NoFailure());
  }
}

TEST_CASE("stages of tensors without elements match their descriptions") {
  const ConvDesc no_images{.n = 0, .h = 5, .w = 6, .c = 4, .k = 6, .kh = 2, .kw = 3, .groups = 2};
  ConvDesc only_padding = no_images;
  only_padding.n = 2, only_padding.h = 0, only_padding.padding = {2, 1, 0, 0};
  for (ConvDesc d : {no_images, only_padding}) {
    for (const Layout layout : kLayouts) {
      d.layout = layout;
      CAPTURE(to_string(d));
      Rng rng(33);
      TensorValues t = integer_tensors(d, *sizes_of(d), rng);
      REQUIRE(t.x.empty());
      t.x = {};
      if (d.n == 0) t.dy = {};
      CHECK_THAT(failures(d, t), NoFailure());
    }
  }
}

TEST_CASE("each stage reports its name") {
  for (const auto& stage : kStages) CHECK(conv2d::to_string(stage.stage) == stage.name);
}

TEST_CASE("a stage rejects a tensor or an output of the wrong length") {
  const ConvDesc d{.n = 2, .h = 5, .w = 6, .c = 4, .k = 6, .kh = 2, .kw = 3, .groups = 2};
  const Geometry g = resolve(d).value();
  Rng rng(1);
  const TensorValues t = integer_tensors(d, *sizes_of(d), rng);
  const StageInputs all{.x = t.x, .w = t.w, .dy = t.dy};
  for (const auto& stage : kStages) {
    CAPTURE(stage.name);
    std::vector<float> out(count(stage_shape(g, stage.stage).value()));
    REQUIRE_THAT(compute_stage(g, stage.stage, all, out), Succeeds());
    for (const std::size_t wrong : {out.size() - 1, out.size() + 1}) {
      std::vector<float> other(wrong);
      const Status status = compute_stage(g, stage.stage, all, other);
      CHECK_THAT(status, Fails(ErrorCode::length_mismatch, stage.name, {std::to_string(out.size())}));
    }
    const auto check_without = [&](std::span<const float> StageInputs::*tensor, const char* name, bool read) {
      StageInputs in = all;
      in.*tensor = {};
      const Status status = compute_stage(g, stage.stage, in, out);
      if (read) CHECK_THAT(status, Fails(ErrorCode::length_mismatch, name));
      if (!read) CHECK_THAT(status, Succeeds());
    };
    check_without(&StageInputs::x, "x", stage.reads_x);
    check_without(&StageInputs::w, "w", stage.reads_w);
    check_without(&StageInputs::dy, "dy", stage.reads_dy);
  }
}

TEST_CASE("a stage, an order of columns, a process or a fold that does not exist is refused by name") {
  const Geometry g = resolve({.h = 5, .w = 6, .kh = 2, .kw = 3}).value();
  std::vector<float> out(1000);
  for (const int wrong : {-1, 99}) {
    CAPTURE(wrong);
    const auto says = [&](const char* field) {
      return Fails(ErrorCode::invalid_argument, field, {std::string(field) + " is " + std::to_string(wrong)});
    };
    const auto stage = static_cast<Stage>(wrong);
    CHECK(conv2d::to_string(stage) == "unknown");
    CHECK_THAT(stage_shape(g, stage), says("stage"));
    CHECK_THAT(compute_stage(g, stage, {}, out), says("stage"));
    const StageOptions options{.order = static_cast<ColumnOrder>(wrong)};
    CHECK_THAT(stage_shape(g, Stage::x_col, options), says("order"));
    CHECK_THAT(compute_stage(g, Stage::x_col, {}, out, options), says("order"));
    const auto process = static_cast<Process>(wrong);
    CHECK(conv2d::to_string(process) == "unknown");
    CHECK_THAT(process_shape(g, process), says("process"));
    CHECK(process_steps(g, process) == -1);
    CHECK(process_workspace_floats(g, process) == -1);
    CHECK_THAT(compute_partial(g, process, 0, {}, out), says("process"));
    const std::vector<float> columns(4 * 4 * 6);
    CHECK_THAT(fold_partial(g, columns, static_cast<FoldMode>(wrong), 0, std::span(out).first(30)), says("mode"));
  }
}

TEST_CASE("a stage that exceeds the address space is an overflow") {
  const auto check_overflow = [](const ConvDesc& desc, std::initializer_list<Stage> stages) {
    const Result<Geometry> g = resolve(desc);
    REQUIRE_THAT(g, Succeeds());
    for (const Stage stage : stages) {
      const Result<Shape> shape = stage_shape(*g, stage);
      CHECK_THAT(shape, Fails(ErrorCode::overflow));
      std::vector<float> out(16);
      CHECK_THAT(compute_stage(*g, stage, {}, out), Fails(ErrorCode::overflow));
    }
  };
  // x has one channel and dy 64: with zeros inserted for the stride, dy is 64 times as large as x.
  constexpr std::int64_t kSide = std::int64_t{1} << (sizeof(void*) == 4 ? 14 : 26);
  check_overflow({.h = kSide, .w = kSide, .k = 64, .stride_h = kSide / 64, .stride_w = kSide / 64},
                 {Stage::dy_upsampled, Stage::dy_extended, Stage::dy_inserted});
  // w and y fit, but x_col has a row per position and a column per tap: their product. With wider addresses that
  // exceeds the limit on multiply-adds.
  if (sizeof(void*) > 4) return;
  check_overflow({.h = 1, .w = 1, .kh = 1 << 12, .kw = 1 << 12, .padding_mode = PaddingMode::full},
                 {Stage::x_col, Stage::dx_col});
}
