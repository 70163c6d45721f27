#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engines/engines.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "support/environment.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

// Tests of single engines: each runs within the memory that it requested, whole or in parts, and gives the result of
// the definition.

using namespace conv2d;
using namespace conv2d::test;
using engine::Executable;
using engine::ExecutablePointer;
using engine::Operands;
using engine::PrepareOptions;

namespace {

bool nhwc(const Geometry& g) { return g.layout == Layout::nhwc && g.weights_layout == WeightsLayout::hwio; }
bool depthwise(const Geometry& g) { return nhwc(g) && engine::depthwise_unsupported_reason(g, Pass::forward).empty(); }
bool winograd(const Geometry& g) { return nhwc(g) && engine::winograd_unsupported_reason(g, Pass::forward).empty(); }
template <Pass kPass>
bool plane(const Geometry& g) {
  const bool in_order = kPass != Pass::backward_data || g.weights_layout == WeightsLayout::hwio;
  return in_order && engine::plane_unsupported_reason(g, kPass).empty();
}

struct Engine {
  const char* name;
  Pass pass;
  bool sums_products;  ///< sums the products of the definition, so integers are exact
  bool (*takes)(const Geometry&);
  ExecutablePointer (*prepare)(const Geometry&, Pass, const PrepareOptions&);
};

constexpr Engine kEngines[]{
    {"windows, forward", Pass::forward, true, nhwc, engine::prepare_windows},
    {"windows, backward_data", Pass::backward_data, true, nhwc, engine::prepare_windows},
    {"winograd 2, forward", Pass::forward, false, winograd, engine::prepare_winograd<2>},
    {"winograd 4, forward", Pass::forward, false, winograd, engine::prepare_winograd<4>},
    {"winograd 4, backward_data", Pass::backward_data, false, winograd, engine::prepare_winograd<4>},
    {"winograd 2, backward_weights", Pass::backward_weights, false, winograd, engine::prepare_winograd_weights<2>},
    {"winograd 4, backward_weights", Pass::backward_weights, false, winograd, engine::prepare_winograd_weights<4>},
    {"plane, forward", Pass::forward, true, plane<Pass::forward>, engine::prepare_plane},
    {"plane, backward_data", Pass::backward_data, true, plane<Pass::backward_data>, engine::prepare_plane},
    {"plane, backward_weights", Pass::backward_weights, true, plane<Pass::backward_weights>, engine::prepare_plane},
    {"depthwise, forward", Pass::forward, true, depthwise, engine::prepare_depthwise_forward},
    {"depthwise, backward_data", Pass::backward_data, true, depthwise, engine::prepare_depthwise_backward_data},
    {"depthwise, backward_weights", Pass::backward_weights, true, depthwise,
     engine::prepare_depthwise_backward_weights},
    {"outer_product", Pass::backward_weights, true, nhwc, engine::prepare_outer_product},
    {"products, forward", Pass::forward, true, nhwc, engine::prepare_im2col<ColumnOrder::kh_kw_c>},
    {"products, forward by channels", Pass::forward, true, nhwc, engine::prepare_im2col<ColumnOrder::c_kh_kw>},
    {"products, backward_data", Pass::backward_data, true, nhwc, engine::prepare_im2col<ColumnOrder::kh_kw_c>},
    {"products, backward_weights", Pass::backward_weights, true, nhwc, engine::prepare_im2col_weights},
};

constexpr float kCanary = -77.25F;

/// Scratch memory of the size that the layout counted, aligned to a cache line, between canaries.
class Scratch {
 public:
  explicit Scratch(const ScratchLayout& layout)
      : floats_(static_cast<std::size_t>(layout.floats().value())), memory_(floats_ + 4 * kCacheLineFloats, kCanary) {
    std::fill_n(data(), floats_, std::numeric_limits<float>::quiet_NaN());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch(Scratch&&) = default;
  Scratch& operator=(Scratch&&) = default;
  ~Scratch() = default;

  [[nodiscard]] float* data() { return align_to_cache_line(memory_.data() + kCacheLineFloats); }
  [[nodiscard]] bool intact() {
    const auto untouched = [](float value) { return value == kCanary; };
    return std::all_of(memory_.data(), data(), untouched) &&
           std::all_of(data() + floats_, memory_.data() + memory_.size(), untouched);
  }

 private:
  std::size_t floats_;
  std::vector<float> memory_;
};

struct Run {
  std::vector<float> out;
  Failure failure;
};

/// Runs the parts in reverse order, each with its own memory: no part may wait for another.
Run run_parts(const Executable& executable, Operands operands, std::size_t out_size) {
  Run run{.out = std::vector<float>(out_size, std::numeric_limits<float>::quiet_NaN()), .failure = {}};
  operands.out = run.out.data();
  Scratch common(executable.common());
  std::vector<Scratch> own;  // a copy would change the alignment
  for (int i = 0; i < executable.parts(); ++i) own.emplace_back(executable.own());
  const auto memory_of = [&](int part) {
    return engine::Memory{.common = common.data(), .own = own[static_cast<std::size_t>(part)].data()};
  };
  const int parts = executable.parts();
  for (int i = parts - 1; i >= 0 && executable.fills_common(operands.packed != nullptr); --i)
    executable.fill_common(operands, {i, parts}, memory_of(i));
  for (int i = parts - 1; i >= 0; --i) {
    if (!executable.run(operands, {i, parts}, memory_of(i), {})) run.failure = "stopped without a request";
  }
  const auto intact = [](Scratch& scratch) { return scratch.intact(); };
  if (!intact(common) || !std::all_of(own.begin(), own.end(), intact)) run.failure = "wrote outside its scratch memory";
  return run;
}

class Trials {
 public:
  Trials(const RandomProblem& problem, const micro_kernels::KernelSet& kernels)
      : problem_(problem), kernels_(kernels), g_(resolve(problem.desc).value()), oracle_(oracle_of(problem)) {}

  void of(const Engine& engine, Failures& failures) const {
    if (!engine.takes(g_)) return;
    const TensorValues& t = problem_.tensors;
    const auto size = static_cast<std::size_t>(g_.result_size(engine.pass));
    Operands operands{.x = t.x.data(), .w = t.w.data(), .b = t.b.empty() ? nullptr : t.b.data(), .dy = t.dy.data()};
    const ExecutablePointer whole = engine.prepare(g_, engine.pass, {.kernels = &kernels_});
    const Run first = run_parts(*whole, operands, size);
    const auto add = [&](const Failure& failure, int threads) {
      failures.add(failure, engine.name, kernels_.instruction_set, threads, to_string(problem_.desc));
    };
    add(first.failure, 1);
    if (whole->parts() != 1) add("has several parts", 1);
    if (!std::isfinite(whole->cost()) || whole->cost() < 0) add("has no cost", 1);
    if (engine.sums_products) add(difference(first.out, oracle_.of(engine.pass).value), 1);
    add(difference_of_bits(run_parts(*whole, operands, size).out, first.out), 1);
    for (const int threads : {2, 3, 5}) {
      const ExecutablePointer divided = engine.prepare(g_, engine.pass, {.kernels = &kernels_, .parts = threads});
      if (divided->parts() > threads) add("has more parts than threads", threads);
      const Run run = run_parts(*divided, operands, size);
      add(run.failure, threads);
      add(difference_of_bits(run.out, first.out), threads);
    }
    if (whole->packed_floats().value() == 0) return;
    std::vector<float> packed(static_cast<std::size_t>(whole->packed_floats().value()));
    whole->pack(t.w.data(), packed.data());
    operands.w = nullptr;
    operands.packed = packed.data();
    add(difference_of_bits(run_parts(*whole, operands, size).out, first.out), 1);
  }

 private:
  static Oracle oracle_of(const RandomProblem& p) { return oracle(p.desc, p.sizes, p.tensors); }

  const RandomProblem& problem_;
  const micro_kernels::KernelSet& kernels_;
  Geometry g_;
  Oracle oracle_;
};

/// Problems of every kind in NHWC and HWIO, which most engines need. Every third one suits Winograd and plane. Every
/// fourth one is in NCHW and suits plane, by depthwise or by a 1 x 1 kernel.
RandomProblem problem_for_engines(Rng& rng, std::int64_t run) {
  ConvDesc d = random_desc(rng);
  d.layout = Layout::nhwc;
  d.weights_layout = WeightsLayout::hwio;
  if (run % 4 == 3) {
    d.layout = Layout::nchw;
    d.weights_layout = run % 8 == 3 ? WeightsLayout::oihw : WeightsLayout::hwio;
    d.stride_h = d.stride_w = 1;
    if (run % 16 < 8) {
      d.k = d.groups = d.c;
    } else {
      d.kh = d.kw = 1;
      d.padding_mode = PaddingMode::valid;
    }
  }
  if (run % 3 == 0) {
    d.stride_h = d.stride_w = d.dilation_h = d.dilation_w = d.groups = 1;
    d.kh = d.kw = 3;
    d.h = d.w = rng.between(3, 12);
    if (run % 2 == 0) d.c = d.k = 1;
  }
  const Sizes sizes = *sizes_of(d);
  return {.desc = d, .sizes = sizes, .tensors = integer_tensors(d, sizes, rng)};
}

}  // namespace

TEST_CASE("engines stay within their scratch memory, and parts give the same bits as the whole", "[engines]") {
  Failures failures;
  for (std::int64_t run = 0; run < (property_runs() + 19) / 20; ++run) {
    Rng rng(property_seed() + static_cast<std::uint64_t>(run));
    const RandomProblem problem = problem_for_engines(rng, run);
    for (const micro_kernels::CompiledSet& set : micro_kernels::compiled_sets()) {
      if (!set.runs_here()) continue;
      const Trials trials(problem, *set.kernels);
      for (const Engine& engine : kEngines) trials.of(engine, failures);
    }
  }
  CHECK_THAT(failures, NoFailure());
}
