#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "conv2d.h"
#include "conv2d/conv2d.hpp"
#include "conv2d/version.hpp"
#include "support/environment.hpp"
#include "support/random_problem.hpp"
#include "support/rng.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

// The C API beside the library of C++: the same bits, sizes and errors. tests/package has programs in C.

namespace {

struct Destroy {
  void operator()(conv2d_plan* plan) const { conv2d_destroy_plan(plan); }
  void operator()(conv2d_pool* pool) const { conv2d_destroy_pool(pool); }
  void operator()(conv2d_verdict* verdict) const { conv2d_destroy_verdict(verdict); }
};
using OwnedPlan = std::unique_ptr<conv2d_plan, Destroy>;

conv2d_desc to_c(const ConvDesc& d) {
  conv2d_desc desc = conv2d_default_desc();
  desc.n = d.n, desc.h = d.h, desc.w = d.w, desc.c = d.c, desc.k = d.k, desc.kh = d.kh, desc.kw = d.kw;
  desc.stride_h = d.stride_h, desc.stride_w = d.stride_w;
  desc.dilation_h = d.dilation_h, desc.dilation_w = d.dilation_w, desc.groups = d.groups;
  desc.top = d.padding.top, desc.bottom = d.padding.bottom, desc.left = d.padding.left, desc.right = d.padding.right;
  desc.layout = static_cast<int>(d.layout), desc.weights_layout = static_cast<int>(d.weights_layout);
  desc.padding_mode = static_cast<int>(d.padding_mode);
  return desc;
}

OwnedPlan create(const conv2d_desc& desc, Pass pass, const conv2d_plan_options& options) {
  conv2d_plan* plan = nullptr;
  REQUIRE(conv2d_create_plan(&desc, static_cast<int>(pass), &options, &plan, nullptr) == CONV2D_OK);
  return OwnedPlan(plan);
}

conv2d_plan_info info_of(const OwnedPlan& plan) {
  conv2d_plan_info info = conv2d_empty_plan_info();
  REQUIRE(conv2d_get_plan_info(plan.get(), &info, nullptr) == CONV2D_OK);
  return info;
}

conv2d_input input(const std::vector<float>& values) {
  return {values.data(), static_cast<std::int64_t>(values.size())};
}
conv2d_output output(std::vector<float>& values) { return {values.data(), static_cast<std::int64_t>(values.size())}; }

std::vector<float> floats(std::int64_t count) { return std::vector<float>(static_cast<std::size_t>(count)); }

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

/// What the C API computes for a pass.
std::vector<float> run_c(const RandomProblem& problem, Pass pass, bool packed, conv2d_pool* pool) {
  conv2d_plan_options options = conv2d_default_plan_options();
  options.threads = conv2d_pool_threads(pool);
  options.macs_per_thread = 0;
  options.packed_weights = packed ? 1 : 0;
  const conv2d_desc desc = to_c(problem.desc);
  const OwnedPlan plan = create(desc, pass, options);
  const conv2d_plan_info info = info_of(plan);
  CHECK(info.pass == static_cast<int>(pass));
  conv2d_geometry g = conv2d_empty_geometry();
  REQUIRE(conv2d_get_geometry(&desc, &g, nullptr) == CONV2D_OK);
  const std::int64_t sizes[] = {g.y_size, g.x_size, g.w_size, problem.desc.k};
  std::vector<float> out = floats(sizes[static_cast<int>(pass)]), workspace = floats(info.workspace_floats),
                     room = floats(info.packed_floats);
  conv2d_tensors tensors = conv2d_no_tensors();
  tensors.x = input(problem.tensors.x), tensors.w = input(problem.tensors.w), tensors.b = input(problem.tensors.b);
  tensors.dy = input(problem.tensors.dy);
  tensors.out = output(out), tensors.workspace = output(workspace);
  if (packed && !room.empty()) {
    REQUIRE(conv2d_pack_weights(plan.get(), tensors.w, output(room), nullptr) == CONV2D_OK);
    tensors.packed = input(room);
    tensors.w = {nullptr, 0};
  }
  conv2d_status status;
  REQUIRE(conv2d_run(plan.get(), &tensors, pool, &status) == CONV2D_OK);
  CHECK(status.code == CONV2D_OK);
  CHECK(std::string(status.message).empty());
  return out;
}

struct Failed {
  std::int32_t code;
  std::string field, message;
};

template <class Call>
Failed failed(Call call) {
  conv2d_status status;
  const std::int32_t code = call(&status);
  CHECK(code != CONV2D_OK);
  CHECK(status.code == code);
  CHECK(std::strlen(status.message) > 5);
  return {code, status.field, status.message};
}

}  // namespace

TEST_CASE("property: the C API computes the same bits as that of C++, also packed and with threads", "[c]") {
  conv2d_pool* made = nullptr;
  REQUIRE(conv2d_create_pool(3, &made, nullptr) == CONV2D_OK);
  const std::unique_ptr<conv2d_pool, Destroy> pool(made);
  for (std::int64_t i = 0; i < large_runs() + 20; ++i) {
    const std::uint64_t seed = property_seed() + static_cast<std::uint64_t>(i);
    CAPTURE(seed);
    Rng rng(seed);
    const RandomProblem problem = random_real_problem(rng);
    CAPTURE(to_string(problem.desc));
    const Geometry g = resolve(problem.desc).value();
    conv2d_desc desc = to_c(problem.desc);
    conv2d_geometry geometry = conv2d_empty_geometry();
    REQUIRE(conv2d_get_geometry(&desc, &geometry, nullptr) == CONV2D_OK);
    const auto y_shape = g.y_shape();
    CHECK(std::equal(y_shape.begin(), y_shape.end(), geometry.y_shape));
    CHECK(std::vector{geometry.top, geometry.bottom, geometry.left, geometry.right, geometry.remainder_h,
                      geometry.remainder_w,
                      geometry.macs} == std::vector{g.padding.top, g.padding.bottom, g.padding.left, g.padding.right,
                                                    g.remainder_h, g.remainder_w, g.macs()});
    for (const Pass pass : kPasses) {
      for (const bool packed : {false, true}) {
        const Outcome expected = run(plan(problem.desc, pass, {.packed_weights = packed}).value(), problem.tensors);
        CAPTURE(to_string(pass), packed);
        CHECK(same_bits(run_c(problem, pass, packed, nullptr), expected.out));
        CHECK(same_bits(run_c(problem, pass, packed, pool.get()), expected.out));
      }
    }
  }
}

TEST_CASE("the C API has the defaults, version and names of C++", "[c]") {
  CHECK(std::string(conv2d_version()) == version());
  CHECK(std::string(conv2d_code_name(CONV2D_KERNEL_TOO_LARGE)) == "kernel_too_large");
  CHECK(conv2d_code_name(-1) == nullptr);
  CHECK(conv2d_code_name(CONV2D_CANCELLED + 1) == nullptr);
  CHECK(conv2d_pool_threads(nullptr) == 1);
  const conv2d_plan_options c = conv2d_default_plan_options();
  const PlanOptions cpp;
  CHECK(c.threads == cpp.threads);
  CHECK(c.macs_per_thread == cpp.macs_per_thread);
  CHECK(c.accuracy == static_cast<int>(cpp.accuracy));
  CHECK((c.deterministic != 0) == cpp.deterministic);
  // Options reach the plan.
  conv2d_desc desc = conv2d_default_desc();
  desc.h = desc.w = 40, desc.c = desc.k = 32, desc.kh = desc.kw = 3;
  conv2d_plan_options options = c;
  options.algorithm = "direct";
  const OwnedPlan direct = create(desc, Pass::forward, options);
  CHECK(std::string(info_of(direct).algorithm) == "direct");
  options = c;
  options.instruction_set = "sse9";
  CHECK(failed([&](conv2d_status* status) {
          conv2d_plan* plan = nullptr;
          return conv2d_create_plan(&desc, CONV2D_FORWARD, &options, &plan, status);
        }).field == "instruction_set");
}

TEST_CASE("the C API reports the field at fault, and writes nothing else", "[c]") {
  conv2d_desc desc = conv2d_default_desc();
  conv2d_plan* plan = nullptr;
  const auto creates = [&](std::int32_t pass, const conv2d_plan_options* options = nullptr) {
    return [&desc, &plan, pass, options](conv2d_status* status) {
      return conv2d_create_plan(&desc, pass, options, &plan, status);
    };
  };
  const auto is_error = [&](auto call, std::int32_t code, const std::string& field) {
    const Failed found = failed(call);
    CAPTURE(found.message);
    CHECK(found.code == code);
    CHECK(found.field == field);
    CHECK(plan == nullptr);
  };
  desc.stride_w = 0;
  is_error(creates(CONV2D_FORWARD), CONV2D_INVALID_STRIDE, "stride_w");
  desc = conv2d_default_desc();
  desc.left = -1;
  is_error(creates(CONV2D_FORWARD), CONV2D_INVALID_PADDING, "padding.left");
  desc = conv2d_default_desc();
  desc.kh = 2;
  is_error(creates(CONV2D_FORWARD), CONV2D_KERNEL_TOO_LARGE, "kh");
  desc = conv2d_default_desc();
  for (auto member :
       {&conv2d_desc::layout, &conv2d_desc::weights_layout, &conv2d_desc::padding_mode, &conv2d_desc::reserved}) {
    desc.*member = 9;
    CHECK(failed(creates(CONV2D_FORWARD)).code == CONV2D_INVALID_ARGUMENT);
    desc.*member = 0;
  }
  is_error(creates(4), CONV2D_INVALID_ARGUMENT, "pass");
  is_error(creates(-1), CONV2D_INVALID_ARGUMENT, "pass");
  conv2d_plan_options options = conv2d_default_plan_options();
  options.threads = 0;
  is_error(creates(CONV2D_FORWARD, &options), CONV2D_INVALID_ARGUMENT, "threads");
  options = conv2d_default_plan_options();
  options.algorithm = "nothing";
  is_error(creates(CONV2D_FORWARD, &options), CONV2D_UNKNOWN_ALGORITHM, "algorithm");
  is_error([&](conv2d_status* status) { return conv2d_create_plan(nullptr, 0, nullptr, &plan, status); },
           CONV2D_INVALID_ARGUMENT, "desc");
  is_error([&](conv2d_status* status) { return conv2d_create_plan(&desc, 0, nullptr, nullptr, status); },
           CONV2D_INVALID_ARGUMENT, "plan");
  is_error([](conv2d_status* status) { return conv2d_get_plan_info(nullptr, nullptr, status); },
           CONV2D_INVALID_ARGUMENT, "plan");
  is_error([&](conv2d_status* status) { return conv2d_get_geometry(&desc, nullptr, status); }, CONV2D_INVALID_ARGUMENT,
           "geometry");
  conv2d_pool* pool = nullptr;
  is_error([&](conv2d_status* status) { return conv2d_create_pool(0, &pool, status); }, CONV2D_INVALID_ARGUMENT,
           "threads");
  CHECK(pool == nullptr);
  CHECK(conv2d_create_plan(nullptr, 0, nullptr, nullptr, nullptr) == CONV2D_INVALID_ARGUMENT);

  const OwnedPlan good = create(desc, Pass::forward, conv2d_default_plan_options());
  const float one = 1;
  float result = 7, room = 0;
  conv2d_tensors tensors = conv2d_no_tensors();
  tensors.x = {&one, 1}, tensors.w = {&one, 1}, tensors.out = {&result, 1}, tensors.workspace = {&room, 1};
  const auto runs = [&](conv2d_status* status) { return conv2d_run(good.get(), &tensors, nullptr, status); };
  tensors.x.count = 2;
  is_error(runs, CONV2D_LENGTH_MISMATCH, "x");
  tensors.x.count = -1;
  is_error(runs, CONV2D_INVALID_ARGUMENT, "x");
  tensors.x = {nullptr, 1};
  is_error(runs, CONV2D_INVALID_ARGUMENT, "x");
  tensors.x = {&one, 1};
  tensors.out = {&result, 0};
  is_error(runs, CONV2D_LENGTH_MISMATCH, "y");
  is_error([&](conv2d_status* status) { return conv2d_run(nullptr, &tensors, nullptr, status); },
           CONV2D_INVALID_ARGUMENT, "plan");
  is_error([&](conv2d_status* status) { return conv2d_run(good.get(), nullptr, nullptr, status); },
           CONV2D_INVALID_ARGUMENT, "tensors");
  is_error([&](conv2d_status* status) { return conv2d_pack_weights(nullptr, tensors.w, tensors.out, status); },
           CONV2D_INVALID_ARGUMENT, "plan");
  CHECK(result == 7);
}

TEST_CASE("the C API reads structures of other versions", "[c]") {
  // A later version: more members, of which this one knows nothing.
  struct Later {
    conv2d_desc desc = conv2d_default_desc();
    std::int64_t added = 0;
  } later;
  later.desc.size = sizeof later;
  later.desc.h = 5;
  struct LaterGeometry {
    conv2d_geometry geometry = conv2d_empty_geometry();
    std::int64_t added = 3;
  } geometry;
  geometry.geometry.size = sizeof geometry;
  CHECK(conv2d_get_geometry(&later.desc, &geometry.geometry, nullptr) == CONV2D_OK);
  CHECK(geometry.geometry.oh == 5);
  CHECK(geometry.geometry.size == sizeof geometry);
  CHECK(geometry.added == 0);
  later.added = 1;
  const auto resolves = [&](conv2d_status* status) {
    return conv2d_get_geometry(&later.desc, &geometry.geometry, status);
  };
  CHECK(failed(resolves).message == "desc has members that this version of the library does not know");
  for (const std::size_t size : {std::size_t{0}, sizeof(conv2d_desc) - 8, std::size_t{1} << 40}) {
    later.desc.size = size;
    CHECK(failed(resolves).field == "size");
  }
  later.desc.size = sizeof(conv2d_desc);
  CHECK(conv2d_get_geometry(&later.desc, &geometry.geometry, nullptr) == CONV2D_OK);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1} << 40}) {
    geometry.geometry.size = size;
    CHECK(failed(resolves).field == "size");
  }
}

TEST_CASE("the C API judges results", "[c]") {
  conv2d_desc desc = conv2d_default_desc();
  desc.n = 4, desc.k = 2;
  const std::vector<float> dy{1, 5, 2, 6, 3, 7, 4, 9}, right{10, 27};
  std::vector<float> db = right;
  conv2d_judged judged = conv2d_nothing_judged();
  judged.dy = {dy.data(), 8, CONV2D_FLOAT32, 0};
  judged.result = {db.data(), 2, CONV2D_FLOAT32, 0};
  const auto verdict = [&](std::int32_t pass) {
    conv2d_verdict* made = nullptr;
    conv2d_status status;
    REQUIRE(conv2d_judge(&desc, pass, &judged, &made, &status) == CONV2D_OK);
    return std::unique_ptr<conv2d_verdict, Destroy>(made);
  };
  const auto info_of = [](const std::unique_ptr<conv2d_verdict, Destroy>& of) {
    conv2d_verdict_info info = conv2d_empty_verdict_info();
    REQUIRE(conv2d_get_verdict_info(of.get(), &info, nullptr) == CONV2D_OK);
    return info;
  };
  {
    const auto v = verdict(CONV2D_BACKWARD_BIAS);
    const conv2d_verdict_info info = info_of(v);
    CHECK(info.judgement == CONV2D_MATCHES);
    CHECK(info.cells == 2);
    CHECK(info.worst == -1);
    CHECK(std::string(info.sentence) == "All 2 values of db are right, within float32 rounding.");
  }
  db = {2.5F, 6.75F};
  {
    const auto v = verdict(CONV2D_BACKWARD_BIAS);
    const conv2d_verdict_info info = info_of(v);
    CHECK(info.judgement == CONV2D_SCALED);
    CHECK(info.factor == 0.25);
    CHECK(std::string(info.factor_reason).find("number of images") != std::string::npos);
  }
  // Patterns of float16: 10 and 27.
  const std::uint16_t halves[] = {0x4900, 0x4EC0};
  judged.result = {halves, 2, CONV2D_FLOAT16, 0};
  CHECK(info_of(verdict(CONV2D_BACKWARD_BIAS)).judgement == CONV2D_MATCHES);
  judged.result.count = 1;
  CHECK(info_of(verdict(CONV2D_BACKWARD_BIAS)).judgement == CONV2D_DOES_NOT_FIT);
  judged.result = {db.data(), 2, CONV2D_FLOAT32, 0};
  judged.dy.count = 0;
  CHECK(info_of(verdict(CONV2D_BACKWARD_BIAS)).judgement == CONV2D_CANNOT_TELL);
  judged.dy.count = 8;

  conv2d_verdict* none = nullptr;
  const auto judges = [&](std::int32_t pass) {
    return [&, pass](conv2d_status* status) { return conv2d_judge(&desc, pass, &judged, &none, status); };
  };
  CHECK(failed(judges(4)).field == "pass");
  judged.layer = 4;
  CHECK(failed(judges(3)).field == "layer");
  judged.layer = 0;
  judged.x.type = 3;
  CHECK(failed(judges(3)).field == "x");
  judged.x.type = 0;
  judged.reserved = 1;
  CHECK(failed(judges(3)).field == "reserved");
  CHECK(none == nullptr);
}

TEST_CASE("the names of a mistake reach C", "[c]") {
  conv2d_desc desc = conv2d_default_desc();
  desc.h = desc.w = 3, desc.kh = desc.kw = 2;
  // y with the kernel flipped: x is 0 but for one cell in the middle, so y is w, and flipped by the right program.
  const std::vector<float> x{0, 0, 0, 0, 1, 0, 0, 0, 0}, w{1, 2, 3, 4}, y{1, 2, 3, 4};
  conv2d_judged judged = conv2d_nothing_judged();
  judged.x = {x.data(), 9, CONV2D_FLOAT32, 0};
  judged.w = {w.data(), 4, CONV2D_FLOAT32, 0};
  judged.result = {y.data(), 4, CONV2D_FLOAT32, 0};
  conv2d_verdict* made = nullptr;
  REQUIRE(conv2d_judge(&desc, CONV2D_FORWARD, &judged, &made, nullptr) == CONV2D_OK);
  const std::unique_ptr<conv2d_verdict, Destroy> verdict(made);
  conv2d_verdict_info info = conv2d_empty_verdict_info();
  REQUIRE(conv2d_get_verdict_info(verdict.get(), &info, nullptr) == CONV2D_OK);
  CHECK(info.judgement == CONV2D_MISTAKE);
  REQUIRE(info.name_count >= 1);
  CHECK(std::string(info.names[0]) == "opposite_weight");
}
