#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "conv2d/conv2d.hpp"
#include "conv2d_teach/gradient_check.hpp"
#include "conv2d_teach/learning.hpp"
#include "conv2d_teach/numeric.hpp"
#include "conv2d_teach/trace.hpp"
#include "support/guarded_buffer.hpp"
#include "support/layer_check.hpp"
#include "support/matchers.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;

// A noexcept function that allocates terminates the program when memory runs out. These tests trigger every error of
// every such function and count allocations: the count must be zero.

namespace {

thread_local bool counting = false;
thread_local std::int64_t allocations = 0;
thread_local std::size_t allocated_bytes = 0;

void count_allocation(std::size_t bytes) noexcept {
  if (!counting) return;
  ++allocations;
  allocated_bytes += bytes;
}

}  // namespace

#ifdef CONV2D_TEST_ASAN
// Declared in <sanitizer/allocator_interface.h>, which some compilers do not ship.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t),
                                                         void (*)(const volatile void*));

namespace {

// The sanitizer has its own operator new, which detects more errors than one based on malloc.
const bool hooked =
    __sanitizer_install_malloc_and_free_hooks([](const volatile void*, std::size_t bytes) { count_allocation(bytes); },
                                              [](const volatile void*) {}) != 0;

}  // namespace
#else
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  count_allocation(bytes);
  if (void* block = std::malloc(bytes + 1)) return block;  // never malloc(0)
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { std::free(block); }
#endif

namespace {

constexpr ConvDesc kDesc{.n = 2, .h = 9, .w = 8, .c = 4, .k = 6, .kh = 3, .kw = 3, .stride_h = 2};
constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();

const Status& status_of(const Status& status) { return status; }
template <class T>
const Status& status_of(const Result<T>& result) {
  return result.status();
}

/// Keeps the compiler from removing the value and its memory.
const float* volatile kept = nullptr;

template <class Function>
std::int64_t allocations_of(Function function) {
  allocations = 0;
  counting = true;
  function();
  counting = false;
  return allocations;
}

/// Reads the result of `report` and adds its code to the codes seen.
class Errors {
 public:
  template <class Report>
  void check(ErrorCode code, std::string_view field, Report report) {
    Status status;
    const std::int64_t allocated = allocations_of([&] { status = status_of(report()); });
    CAPTURE(std::string(field), status.message);
    CHECK_THAT(status, Fails(code, field));
    CHECK(status.message.size() > 10);
    CHECK(status.message.size() < Message::kCapacity);
    CHECK(allocated == 0);
    seen_.insert(code);
  }

  [[nodiscard]] const std::set<ErrorCode>& seen() const noexcept { return seen_; }

 private:
  std::set<ErrorCode> seen_;
};

void check_descriptions(Errors& errors) {
  const auto resolves = [&](ErrorCode code, std::string_view field, const ConvDesc& d) {
    errors.check(code, field, [&] { return resolve(d); });
  };
  resolves(ErrorCode::invalid_size, "n", {.n = std::numeric_limits<std::int64_t>::min()});
  resolves(ErrorCode::invalid_stride, "stride_w", {.stride_w = 0});
  resolves(ErrorCode::invalid_dilation, "dilation_h", {.dilation_h = 0});
  resolves(ErrorCode::invalid_padding, "padding.left", {.padding = {.left = -1}});
  resolves(ErrorCode::invalid_groups, "groups", {.c = 4, .k = 6, .groups = 3});
  resolves(ErrorCode::kernel_too_large, "kw", {.w = 7, .kw = 3, .dilation_w = kHuge / 4});
  resolves(ErrorCode::overflow, "dilation_h", {.kh = 3, .dilation_h = kHuge});
  resolves(ErrorCode::overflow, "padding.bottom", {.padding = {.bottom = kHuge}});
  resolves(ErrorCode::overflow, "x", {.n = kHuge});
  resolves(ErrorCode::overflow, "padding", {.stride_h = kHuge / 4, .padding = {.bottom = kHuge / 2}});

  const Geometry g = resolve(kDesc).value();
  errors.check(ErrorCode::input_size_mismatch, "dy", [&] { return check_dy_shape(g, {3, 4, 6, 6}); });
  errors.check(ErrorCode::input_size_mismatch, "dy", [&] { return check_dy_shape(g, {2, 4, 6, 7}); });
  errors.check(ErrorCode::input_size_mismatch, "dy", [&] { return check_dy_shape(g, {2, 3, 6, 6}); });
  errors.check(ErrorCode::input_size_mismatch, "dy", [&] { return check_dy_shape(g, {2, 4, kHuge, 6}); });
  errors.check(ErrorCode::channel_mismatch, "w", [&] { return check_w_shape(g, {3, 3, kHuge, 6}); });
  errors.check(ErrorCode::length_mismatch, "w", [&] { return check_w_shape(g, {kHuge, -kHuge, 4, kHuge}); });
  // All 64,000 input sizes give this output. The message names two of them.
  const Geometry tall = resolve({.h = 64000, .stride_h = 64000}).value();
  errors.check(ErrorCode::input_size_mismatch, "dy", [&] { return check_dy_shape(tall, {1, 2, 1, 1}); });
}

void check_passes(Errors& errors) {
  const std::vector<float> floats(1000);
  const std::span<const float> all(floats);
  std::vector<float> room(1000);
  for (const Pass pass : kPasses) {
    const Plan planned = plan(kDesc, pass, {.algorithm = "reference"}).value();
    const Geometry& g = planned.geometry();
    std::vector<float> out(out_size(g, pass));
    const Tensors tensors{.x = all.first(static_cast<std::size_t>(g.x_size)),
                          .w = all.first(static_cast<std::size_t>(g.w_size)),
                          .b = all.first(static_cast<std::size_t>(g.k)),
                          .dy = all.first(static_cast<std::size_t>(g.y_size)),
                          .out = out};
    const auto without = [&](std::span<const float> Tensors::*tensor, std::string_view field, bool read) {
      Tensors fewer = tensors;
      (fewer.*tensor) = all.first(1);
      if (read) errors.check(ErrorCode::length_mismatch, field, [&] { return run(planned, fewer, {}); });
    };
    without(&Tensors::x, "x", pass == Pass::forward || pass == Pass::backward_weights);
    without(&Tensors::w, "w", pass == Pass::forward || pass == Pass::backward_data);
    without(&Tensors::b, "b", pass == Pass::forward);
    without(&Tensors::dy, "dy", pass != Pass::forward);
    Tensors shorter = tensors;
    shorter.out = shorter.out.first(1);
    constexpr std::string_view kOut[] = {"y", "dx", "dw", "db"};
    errors.check(ErrorCode::length_mismatch, kOut[static_cast<int>(pass)], [&] { return run(planned, shorter, {}); });
    if (pass == Pass::forward || pass == Pass::backward_data) {
      Tensors packed = tensors;
      packed.packed = all.first(1);
      errors.check(ErrorCode::unsupported, "packed", [&] { return run(planned, packed, {}); });
      errors.check(ErrorCode::unsupported, "packed", [&] { return pack_weights(planned, tensors.w, room); });
    }
    const ProgressHook stop{.step = [](void*, std::int64_t, std::int64_t) noexcept { return false; }};
    errors.check(ErrorCode::cancelled, "progress", [&] { return run(planned, tensors, {.progress = stop}); });
  }
}

void check_named_passes_and_packing(Errors& errors) {
  const std::vector<float> floats(1000);
  const std::span<const float> all(floats);
  std::vector<float> room(1000);
  const Plan ahead = plan(kDesc, Pass::forward).value(), back = plan(kDesc, Pass::backward_data).value();
  const auto wrong = ErrorCode::invalid_argument;
  errors.check(wrong, "plan", [&] { return forward(back, all, all, {}, room, {}); });
  errors.check(wrong, "plan", [&] { return backward_data(ahead, all, all, room, {}); });
  errors.check(wrong, "plan", [&] { return backward_weights(ahead, all, all, room, {}); });
  errors.check(wrong, "plan", [&] { return backward_bias(ahead, all, room, {}); });

  const Plan packs = plan(kDesc, Pass::forward, {.algorithm = "implicit_gemm"}).value();
  const Geometry& g = packs.geometry();
  const auto w = all.first(static_cast<std::size_t>(g.w_size)), x = all.first(static_cast<std::size_t>(g.x_size));
  std::vector<float> y(static_cast<std::size_t>(g.y_size));
  const auto mismatch = ErrorCode::length_mismatch;
  errors.check(mismatch, "packed", [&] { return pack_weights(packs, w, std::span(room).first(1)); });
  errors.check(mismatch, "w", [&] { return pack_weights(packs, w.first(1), room); });
  errors.check(mismatch, "packed", [&] { return run(packs, {.x = x, .packed = all.first(1), .out = y}, {}); });
  REQUIRE(packs.workspace_floats() > 0);
  errors.check(mismatch, "workspace", [&] { return run(packs, {.x = x, .w = w, .out = y}, {}); });
}

void check_trace(Errors& errors) {
  const Geometry g = resolve(kDesc).value();
  const std::vector<float> floats(1000);
  const std::span<const float> all(floats), x = all.first(static_cast<std::size_t>(g.x_size));
  std::vector<float> room(1000);
  const auto mismatch = ErrorCode::length_mismatch;
  errors.check(mismatch, "x", [&] { return compute_stage(g, Stage::x_padded, {}, room); });
  errors.check(mismatch, "x_padded",
               [&] { return compute_stage(g, Stage::x_padded, {.x = x, .w = {}, .dy = {}}, room); });
  errors.check(mismatch, "w", [&] { return compute_partial(g, Process::dx_scatter, 0, {}, room); });
  const PartialInputs inputs{.x = {},
                             .w = all.first(static_cast<std::size_t>(g.w_size)),
                             .b = {},
                             .dy = all.first(static_cast<std::size_t>(g.y_size))};
  const auto dx = std::span(room).first(static_cast<std::size_t>(g.x_size));
  const auto steps = ErrorCode::invalid_argument;
  errors.check(steps, "steps", [&] { return compute_partial(g, Process::dx_scatter, -kHuge, inputs, dx); });
  errors.check(mismatch, "workspace", [&] { return compute_partial(g, Process::dx_full_conv, 0, inputs, dx); });
  errors.check(mismatch, "dx_col", [&] { return fold_partial(g, x, FoldMode::sum, 0, dx); });
  std::vector<float> columns(static_cast<std::size_t>(g.y_size * g.kh * g.kw * g.c / g.k));
  errors.check(mismatch, "dx", [&] { return fold_partial(g, columns, FoldMode::sum, 0, room); });
  errors.check(steps, "positions", [&] { return fold_partial(g, columns, FoldMode::average, -1, dx); });
  errors.check(mismatch, "counts", [&] { return coverage(g, room); });

  // With zeros inserted for the stride, dy is 64 times as large as x, which has one channel.
  constexpr std::int64_t kSide = std::int64_t{1} << (sizeof(void*) == 4 ? 14 : 26);
  const Geometry apart =
      resolve({.h = kSide, .w = kSide, .k = 64, .stride_h = kSide / 64, .stride_w = kSide / 64}).value();
  errors.check(ErrorCode::overflow, "dy_inserted", [&] { return compute_stage(apart, Stage::dy_inserted, {}, room); });
  errors.check(ErrorCode::overflow, "workspace",
               [&] { return compute_partial(apart, Process::dx_full_conv, 0, {}, room); });
}

void check_numbers(Errors& errors) {
  const std::vector<float> floats(1000);
  const std::span<const float> all(floats), one = all.first(1);
  std::vector<float> room(1000);
  const auto mismatch = ErrorCode::length_mismatch;
  const std::int32_t outside[] = {7};
  errors.check(mismatch, "b", [&] { return max_abs_difference(all, one); });
  errors.check(mismatch, "dx", [&] { return adjoint_check(one, one, one, all, room); });
  errors.check(mismatch, "products_out", [&] { return products(one, outside, {}, {}, room); });
  errors.check(ErrorCode::invalid_argument, "index_a",
               [&] { return products(one, outside, {}, {}, std::span(room).first(1)); });
  errors.check(ErrorCode::invalid_argument, "length", [&] { return subtotals(all, 0, room); });
  errors.check(mismatch, "sums_out", [&] { return subtotals(all, 7, room); });
  errors.check(mismatch, "gradient", [&] { return sgd_step(room, one, 0.1); });
  errors.check(mismatch, "target", [&] { return loss_value<float>("mse", all, one); });
  errors.check(mismatch, "dy", [&] { return loss_gradient<float>("linear", all, one, room); });
  errors.check(mismatch, "dy_out", [&] { return loss_gradient<float>("mse", one, one, room); });

  const Geometry g = resolve({}).value();
  const LayerInputs<float> in{.x = one, .w = one, .b = {}, .dy = one, .target = {}};
  const auto checks = [&](Parameter parameter, const LayerInputs<float>& inputs, float epsilon,
                          std::span<const std::int64_t> indices) {
    return [=, &g] { return check_layer<float>(g, "linear", parameter, inputs, epsilon, indices); };
  };
  const std::int64_t far_away[] = {kHuge};
  const auto invalid = ErrorCode::invalid_argument;
  errors.check(mismatch, "dy", checks(Parameter::x, {.x = one, .w = one, .b = {}, .dy = {}, .target = {}}, 1, {}));
  errors.check(invalid, "parameter", checks(Parameter::b, in, 1, {}));
  errors.check(invalid, "epsilon", checks(Parameter::x, in, 0, {}));
  errors.check(invalid, "indices", checks(Parameter::x, in, 1, far_away));
}

void check_chain(Errors& errors) {
  const LayerDesc layers[] = {{.windows = {.k = 2}},
                              {.kind = "relu"},
                              {.kind = "max_pool", .windows = {.kw = 2}},
                              {.kind = "average_pool", .windows = {.kw = 2}}};
  const Chain chain = plan_chain({.w = 4, .layers = layers}).value();
  std::vector<float> x(4), dx(4), w(2), dw(2), y[4], dy[4];
  std::vector<std::int32_t> winners(6);
  std::vector<float> workspace(static_cast<std::size_t>(chain.memory().workspace_floats));
  LayerTensors<float> tensors[4];
  for (std::size_t i = 0; i < 4; ++i) {
    y[i].resize(static_cast<std::size_t>(chain.layer(i).y_size));
    dy[i].resize(y[i].size());
    tensors[i] = {.y = y[i], .dy = dy[i]};
  }
  tensors[0].w = w, tensors[0].dw = dw;
  tensors[2].winners = winners;
  const ChainTensors<float> all{.x = x, .dx = dx, .layers = tensors};
  const Resources resources{.workspace = workspace};
  Status ran;
  CHECK(allocations_of([&] { ran = forward(chain, all, resources); }) == 0);
  CHECK_THAT(ran, Succeeds());
  CHECK(allocations_of([&] { ran = backward(chain, all, resources); }) == 0);
  CHECK_THAT(ran, Succeeds());
  const auto mismatch = ErrorCode::length_mismatch;
  errors.check(mismatch, "layers", [&] { return forward(chain, {.x = x, .layers = {}}, resources); });
  tensors[3].dy = {};
  errors.check(mismatch, "layers[3].dy", [&] { return backward(chain, all, resources); });
  const ProgressHook stop{.step = [](void*, std::int64_t, std::int64_t) noexcept { return false; }};
  errors.check(ErrorCode::cancelled, "progress",
               [&] { return forward(chain, all, {.workspace = workspace, .progress = stop}); });
  const GradientCheckInputs<float> in{.x = x, .layers = tensors, .dy_or_target = y[3]};
  errors.check(ErrorCode::invalid_argument, "parameter", [&] {
    return gradient_check<float>(chain.layers(), "linear", {1, Parameter::w}, in, 1.0F, {});
  });
}

/// Errors for sizes that do not fit in memory. The spans have no memory behind them, so nothing may be read.
void check_out_of_memory(Errors& errors) {
  const std::int64_t side = std::int64_t{1} << (sizeof(void*) == 4 ? 14 : 25);
  const Geometry g = resolve({.h = side, .w = side}).value();
  const float cell = 1;
  const std::span<const float> huge(&cell, static_cast<std::size_t>(g.x_size)), one(&cell, 1);
  const LayerInputs<float> in{.x = huge, .w = one, .b = {}, .dy = huge, .target = {}};
  errors.check(ErrorCode::out_of_memory, "",
               [&] { return check_layer<float>(g, "linear", Parameter::x, in, 1.0F, {}); });
}

}  // namespace

TEST_CASE("errors are reported without allocating memory") {
#ifdef CONV2D_TEST_ASAN
  REQUIRE(hooked);
#endif
  REQUIRE(allocations_of([] { ::operator delete(::operator new(400)); }) == 1);
  REQUIRE(allocations_of([] { kept = std::vector<float>(100).data(); }) == 1);
  Errors errors;
  check_descriptions(errors);
  check_passes(errors);
  check_named_passes_and_packing(errors);
  check_trace(errors);
  check_numbers(errors);
  check_chain(errors);
  check_out_of_memory(errors);
  // Only plan() returns unknown_algorithm, and plan() may allocate.
  for (int code = 1; code <= static_cast<int>(ErrorCode::cancelled); ++code) {
    CAPTURE(to_string(static_cast<ErrorCode>(code)));
    CHECK(errors.seen().contains(static_cast<ErrorCode>(code)) ==
          (code != static_cast<int>(ErrorCode::unknown_algorithm)));
  }
}

TEST_CASE("the memory that a plan allocates does not grow with the number of images") {
  const auto bytes_of = [](ConvDesc d, std::int64_t images, Pass pass, std::string_view algorithm) {
    d.n = images;
    const Geometry g = resolve(d).value();
    allocated_bytes = 0;
    const std::int64_t blocks = allocations_of(
        [&] { REQUIRE(plan(g, pass, {.algorithm = algorithm, .threads = 64, .macs_per_thread = 0}).ok()); });
    CHECK(blocks > 0);
    return allocated_bytes;
  };
  for (const Layout layout : {Layout::nhwc, Layout::nchw}) {
    for (const std::int64_t groups : {1, 2}) {
      const ConvDesc d{.layout = layout, .n = 2, .h = 14, .w = 14, .c = 64, .k = 64, .groups = groups};
      for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_weights}) {
        for (const AlgorithmInfo& info : algorithms(resolve(d).value(), pass)) {
          if (!info.supported) continue;
          CAPTURE(static_cast<int>(layout), groups, to_string(pass), std::string(info.name));
          // Both can be divided among 64 threads.
          CHECK(bytes_of(d, 512, pass, info.name) <= bytes_of(d, 64, pass, info.name));
        }
      }
    }
  }
}

TEST_CASE("a message reads like a string and holds any number") {
  Message message("from ");
  message += std::numeric_limits<std::int64_t>::min();
  message += " over ";
  message += 0;
  message += " to ";
  message += kHuge;
  CHECK(message == "from -9223372036854775808 over 0 to 9223372036854775807");
  const Message copy = message;
  message = Message("other");
  CHECK(std::string(copy).size() == copy.size());
  CHECK(copy.c_str() == std::string(copy));
  CHECK(copy.find("over 0") == 26);
  CHECK(copy.find("none") == std::string::npos);
  CHECK("<" + message + ">" == "<other>");
  CHECK(Message().empty());
  CHECK(std::string(Message().c_str()).empty());
  CHECK(Message("").empty());
}

TEST_CASE("a message that is too long ends in dots, between two characters") {
  const std::string fits(Message::kCapacity, 'a');
  CHECK(Message(fits) == fits);
  Message longer(fits + "b");
  CHECK(longer == fits.substr(3) + "...");
  longer += "more";
  longer += 1;
  CHECK(longer == fits.substr(3) + "...");
  Message nearly(fits.substr(1));
  nearly += "bcd";
  CHECK(nearly == fits.substr(3) + "...");
  // Each character has three bytes. Wherever the text is cut, no partial character may remain.
  for (const std::size_t before : {0, 1, 2}) {
    std::string words(before, 'a');
    while (words.size() <= Message::kCapacity) words += "\u2026";
    const std::string got = Message(words);
    const std::size_t dots = got.size() - (got.find_last_not_of('.') + 1);
    CHECK(got.size() == Message::kCapacity);
    CHECK(Message(words).c_str() == got);
    CHECK((dots >= 3 && dots <= 5));
    CHECK((got.size() - dots - before) % 3 == 0);
    CHECK(words.starts_with(got.substr(0, got.size() - dots)));
  }
}
