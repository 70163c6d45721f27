#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <initializer_list>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "conv2d/conv2d.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

namespace {

constexpr ConvDesc kDesc{.n = 2, .h = 9, .w = 8, .c = 4, .k = 6, .kh = 3, .kw = 3, .stride_h = 2};

/// Spans of the required lengths over one buffer that is large enough for every tensor.
struct Memory {
  explicit Memory(const Plan& plan)
      : floats(100000),
        out(out_size(plan.geometry(), plan.pass())),
        workspace(static_cast<std::size_t>(plan.workspace_floats())) {
    const std::span<const float> all(floats);
    const Geometry& g = plan.geometry();
    spans = {.x = all.first(static_cast<std::size_t>(g.x_size)),
             .w = all.first(static_cast<std::size_t>(g.w_size)),
             .b = all.first(static_cast<std::size_t>(g.k)),
             .dy = all.first(static_cast<std::size_t>(g.y_size)),
             .out = out,
             .workspace = workspace};
  }
  std::vector<float> floats, out, workspace;
  Spans spans;
};

const char* out_name(Pass pass) {
  switch (pass) {
    case Pass::forward:
      return "y";
    case Pass::backward_data:
      return "dx";
    case Pass::backward_weights:
      return "dw";
    case Pass::backward_bias:
      break;
  }
  return "db";
}

void check_mismatch(const Status& status, const std::string& field, std::size_t expected, std::size_t actual) {
  CAPTURE(field, status.message);
  CHECK_THAT(status, Fails(ErrorCode::length_mismatch, field, {std::to_string(expected), std::to_string(actual)}));
}

}  // namespace

TEST_CASE("a tensor of the wrong length is refused with its name and both lengths, and nothing is written") {
  std::span<const float> Spans::*const inputs[] = {&Spans::x, &Spans::w, &Spans::b, &Spans::dy};
  const char* const names[] = {"x", "w", "b", "dy"};
  const bool used[4][4] = {
      {true, true, true, false}, {false, true, false, true}, {true, false, false, true}, {false, false, false, true}};
  for (const Pass pass : kPasses) {
    const Plan planned = plan(kDesc, pass).value();
    for (std::size_t input = 0; input < 4; ++input) {
      if (!used[static_cast<std::size_t>(pass)][input]) continue;
      Memory memory(planned);
      memory.out.assign(memory.out.size(), 7.0f);
      const std::size_t right = (memory.spans.*inputs[input]).size();
      for (const std::size_t wrong : {right - 1, right + 1}) {
        (memory.spans.*inputs[input]) = std::span<const float>(memory.floats).first(wrong);
        check_mismatch(run_on(planned, memory.spans), names[input], right, wrong);
      }
      CHECK_THAT(memory.out, Equals(std::vector<float>(memory.out.size(), 7.0f)));
    }
    Memory memory(planned);
    const std::size_t right = memory.out.size();
    memory.spans.out = std::span(memory.out).first(right - 1);
    check_mismatch(run_on(planned, memory.spans), out_name(pass), right, right - 1);
    std::vector<float> longer(right + 1);
    memory.spans.out = longer;
    check_mismatch(run_on(planned, memory.spans), out_name(pass), right, right + 1);
  }
}

TEST_CASE("an empty b means no bias") {
  const Plan planned = plan(kDesc, Pass::forward).value();
  Memory memory(planned);
  memory.spans.b = {};
  CHECK_THAT(run_on(planned, memory.spans), Succeeds());
}

TEST_CASE("a workspace that is too small is refused, a larger one is accepted") {
  std::size_t refused = 0;
  for (const Pass pass : kPasses) {
    for (const AlgorithmInfo& info : algorithms(resolve(kDesc).value(), pass)) {
      if (!info.supported) continue;
      const Plan planned = plan(kDesc, pass, {.algorithm = info.name}).value();
      CAPTURE(to_string(pass), std::string(info.name));
      Memory memory(planned);
      const std::size_t needed = memory.workspace.size();
      if (needed > 0) {
        ++refused;
        memory.spans.workspace = std::span(memory.workspace).first(needed - 1);
        check_mismatch(run_on(planned, memory.spans), "workspace", needed, needed - 1);
      }
      std::vector<float> larger(needed + 5, 3.0f);
      memory.spans.workspace = larger;
      CHECK_THAT(run_on(planned, memory.spans), Succeeds());
    }
  }
  CHECK(refused > 0);
}

TEST_CASE("a plan runs only the pass it was made for") {
  const Plan planned = plan(kDesc, Pass::backward_data).value();
  Memory memory(plan(kDesc, Pass::forward).value());
  const Spans& s = memory.spans;
  const Status status = forward(planned, s.x, s.w, s.b, s.out, {.workspace = s.workspace});
  CAPTURE(status.message);
  CHECK_THAT(status, Fails(ErrorCode::invalid_argument, "plan"));
}

TEST_CASE("only plan() creates a plan, and a plan is immutable") {
  STATIC_CHECK(!std::is_default_constructible_v<Plan>);
  STATIC_CHECK(!std::is_aggregate_v<Plan>);
  STATIC_CHECK(!std::is_constructible_v<Plan, Geometry>);
  STATIC_CHECK(std::is_copy_constructible_v<Plan>);
  // Every accessor returns a value or a const reference.
  STATIC_CHECK(std::is_same_v<decltype(std::declval<Plan&>().geometry()), const Geometry&>);
  STATIC_CHECK(std::is_same_v<decltype(std::declval<Plan&>().threads()), int>);
}

TEST_CASE("a moved-from plan runs as before") {
  // A move copies: run() is noexcept, so a run without a valid plan could only terminate the program.
  STATIC_CHECK(std::is_nothrow_copy_constructible_v<Plan>);
  for (const Pass pass : kPasses) {
    Result<Plan> result = plan(kDesc, pass);
    const Plan taken = std::move(result).value();
    Plan moved = taken;
    Plan assigned = plan(kDesc, Pass::forward).value();
    const Plan constructed = std::move(moved);
    moved = taken;
    assigned = std::move(moved);
    for (const Plan* each :
         std::initializer_list<const Plan*>{&result.value(), &taken, &moved, &assigned, &constructed}) {
      Memory memory(*each);
      CHECK(each->pass() == pass);
      CHECK_THAT(run_on(*each, memory.spans), Succeeds());
    }
  }
}

TEST_CASE("overlapping output memory is refused, and the error names both tensors") {
  std::span<const float> Spans::*const inputs[] = {&Spans::x, &Spans::w, &Spans::b, &Spans::dy};
  const char* const names[] = {"x", "w", "b", "dy"};
  const bool used[4][4] = {
      {true, true, true, false}, {false, true, false, true}, {true, false, false, true}, {false, false, false, true}};
  for (const Pass pass : kPasses) {
    const Plan planned = plan(kDesc, pass, {.algorithm = pass == Pass::backward_bias ? "sum" : ""}).value();
    const Memory right(planned);
    REQUIRE(!right.workspace.empty());
    std::vector<float> room(100000);
    const std::span<float> all(room);
    for (std::size_t input = 0; input < 4; ++input) {
      CAPTURE(to_string(pass), names[input]);
      const std::size_t length = (right.spans.*inputs[input]).size(), out = right.out.size();
      const auto refused = [&](const Spans& spans, const char* written) {
        const Status status = run_on(planned, spans);
        CAPTURE(status.message);
        const std::string both = std::string(written) + " overlaps " + names[input];
        if (used[static_cast<std::size_t>(pass)][input]) {
          CHECK_THAT(status, Fails(ErrorCode::invalid_argument, written, {both}));
        } else {
          CHECK_THAT(status, Succeeds());
        }
      };
      // The last float of one is the first of the other, in both directions; adjacent buffers do not overlap.
      const std::size_t middle = 50000;
      Memory memory(planned);
      memory.spans.out = all.subspan(middle, out);
      (memory.spans.*inputs[input]) = all.subspan(middle + out - 1, length);
      refused(memory.spans, out_name(pass));
      (memory.spans.*inputs[input]) = all.subspan(middle + 1 - length, length);
      refused(memory.spans, out_name(pass));
      (memory.spans.*inputs[input]) = all.subspan(middle + out, length);
      CHECK_THAT(run_on(planned, memory.spans), Succeeds());
      (memory.spans.*inputs[input]) = all.subspan(middle - length, length);
      CHECK_THAT(run_on(planned, memory.spans), Succeeds());
      memory.spans.out = memory.out;
      memory.spans.workspace = all.subspan(middle - 1, right.workspace.size());
      refused(memory.spans, "workspace");
      // Tensors that the run does not use may overlap.
      memory.spans.workspace = all.subspan(middle - length - right.workspace.size());
      CHECK_THAT(run_on(planned, memory.spans), Succeeds());
    }
    Memory memory(planned);
    memory.spans.out = all.first(right.out.size());
    memory.spans.workspace = all.subspan(right.out.size() - 1);
    CHECK_THAT(run_on(planned, memory.spans),
               Fails(ErrorCode::invalid_argument, "workspace", {"workspace overlaps ", out_name(pass)}));
  }
}

TEST_CASE("output and workspace that overlap packed weights are refused") {
  const auto size = [](std::int64_t floats) { return static_cast<std::size_t>(floats); };
  for (const Pass pass : {Pass::forward, Pass::backward_data}) {
    // Several blocks with padded copies, which need a workspace beside the packed weights.
    const ConvDesc d{.h = 40, .w = 40, .c = 4, .k = 6, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}};
    const Plan planned = plan(d, pass, {.algorithm = "implicit_gemm", .packed_weights = true}).value();
    const Geometry& g = planned.geometry();
    const std::size_t length = size(planned.packed_floats()), out = out_size(g, pass),
                      needed = size(planned.workspace_floats());
    REQUIRE(needed > 0);
    std::vector<float> w(size(g.w_size), 1), input(size(std::max(g.x_size, g.y_size)), 1), packed(length);
    REQUIRE_THAT(pack_weights(planned, w, packed), Succeeds());
    std::vector<float> room(3 * (out + length + needed));
    const std::span<float> all(room);
    const std::size_t middle = out + needed;
    const std::span<float> inside = all.subspan(middle, length);
    const auto run_with = [&](std::span<float> y, std::span<float> workspace) {
      std::ranges::copy(packed, inside.begin());
      return run_on(planned, {.x = std::span(input).first(pass == Pass::forward ? size(g.x_size) : 0),
                              .dy = std::span(input).first(pass == Pass::forward ? 0 : size(g.y_size)),
                              .packed = inside,
                              .out = y,
                              .workspace = workspace});
    };
    std::vector<float> own_out(out), own_workspace(needed);
    CAPTURE(to_string(pass));
    const auto refused = [&](const Status& status, const char* written) {
      CHECK_THAT(status, Fails(ErrorCode::invalid_argument, written, {std::string(written) + " overlaps packed"}));
    };
    refused(run_with(all.subspan(middle + 1 - out, out), own_workspace), out_name(pass));
    refused(run_with(all.subspan(middle + length - 1, out), own_workspace), out_name(pass));
    refused(run_with(own_out, all.subspan(middle + 1 - needed, needed)), "workspace");
    refused(run_with(own_out, all.subspan(middle + length - 1, needed)), "workspace");
    CHECK_THAT(run_with(all.subspan(middle - out, out), own_workspace), Succeeds());
    CHECK_THAT(run_with(all.subspan(middle + length, out), own_workspace), Succeeds());
    CHECK_THAT(run_with(own_out, all.subspan(middle - needed, needed)), Succeeds());
    CHECK_THAT(run_with(own_out, all.subspan(middle + length, needed)), Succeeds());
  }
}

TEST_CASE("packing w into its own memory is refused") {
  const Plan planned = plan(kDesc, Pass::forward, {.algorithm = "implicit_gemm"}).value();
  std::vector<float> room(static_cast<std::size_t>(planned.geometry().w_size + planned.packed_floats()));
  const auto w = static_cast<std::size_t>(planned.geometry().w_size);
  const std::span<float> all(room);
  CHECK_THAT(pack_weights(planned, all.first(w), all.subspan(w)), Succeeds());
  CHECK_THAT(pack_weights(planned, all.subspan(1, w), all.first(static_cast<std::size_t>(planned.packed_floats()))),
             Fails(ErrorCode::invalid_argument, "packed", {"packed overlaps w"}));
}

TEST_CASE("a progress hook must be noexcept") {
  const auto may_throw = [](void*, std::int64_t, std::int64_t) { return true; };
  const auto may_not = [](void*, std::int64_t, std::int64_t) noexcept { return true; };
  STATIC_CHECK(!std::is_convertible_v<decltype(may_throw), decltype(ProgressHook::step)>);
  STATIC_CHECK(std::is_convertible_v<decltype(may_not), decltype(ProgressHook::step)>);
}

TEST_CASE("tensors that the pass does not use are not checked") {
  for (const Pass pass : kPasses) {
    CAPTURE(to_string(pass));
    const Plan planned = plan(kDesc, pass).value();
    Memory memory(planned);
    const std::span<const float> other = std::span<const float>(memory.floats).first(3);
    if (pass == Pass::backward_data || pass == Pass::backward_bias) memory.spans.x = other;
    if (pass == Pass::backward_weights || pass == Pass::backward_bias) memory.spans.w = memory.spans.packed = other;
    if (pass != Pass::forward) memory.spans.b = other;
    if (pass == Pass::forward) memory.spans.dy = other;
    CHECK_THAT(run_on(planned, memory.spans), Succeeds());
  }
}

TEST_CASE("progress is reported in order, and a stop request cancels the run") {
  struct Log {
    std::int64_t calls = 0, last = -1, allowed = std::numeric_limits<std::int64_t>::max();
    bool ordered = true;
  };
  const auto step = [](void* context, std::int64_t done, std::int64_t total) noexcept {
    Log& log = *static_cast<Log*>(context);
    log.ordered = log.ordered && done >= log.last && done <= total && total > 0;
    log.last = done;
    return ++log.calls <= log.allowed;
  };
  // Large enough that every algorithm has several blocks of work.
  const ConvDesc d{.n = 4, .h = 48, .w = 40, .c = 16, .k = 16, .kh = 3, .kw = 3, .padding_mode = PaddingMode::same};
  Rng rng(5);
  const TensorValues tensors = integer_tensors(d, *sizes_of(d), rng);
  for (const Pass pass : kPasses) {
    for (const AlgorithmInfo& info : algorithms(resolve(d).value(), pass)) {
      if (!info.supported) continue;
      CAPTURE(to_string(pass), std::string(info.name));
      const Plan planned = plan(d, pass, {.algorithm = info.name}).value();
      Log whole;
      CHECK_THAT(run(planned, tensors, {.step = step, .context = &whole}).status, Succeeds());
      CHECK(whole.calls >= 1);
      CHECK(whole.ordered);
      for (std::int64_t allowed = 0; allowed < std::min<std::int64_t>(whole.calls, 3); ++allowed) {
        Log stopped{.allowed = allowed};
        const Outcome outcome = run(planned, tensors, {.step = step, .context = &stopped});
        CHECK_THAT(outcome.status, Fails(ErrorCode::cancelled));
        CHECK_THAT(outcome.stray_write, NoFailure());
        CHECK(stopped.calls == allowed + 1);
      }
    }
  }
}
