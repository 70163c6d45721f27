#include <algorithm>

#include "algorithms/loops.hpp"
#include "algorithms/phases.hpp"
#include "algorithms/window_products.hpp"
#include "base/checked.hpp"
#include "base/text.hpp"
#include "gemm/packed_weights.hpp"
#include "gemm/window_run.hpp"
#include "gemm/window_share.hpp"

namespace conv2d::algorithm {
namespace {

// Planning visits every phase.
constexpr std::int64_t kMostPhases = 1024;

std::string why_not(const Geometry& g) {
  if ((CheckedInt(g.stride_h) * g.stride_w).value_or(kMostPhases + 1) <= kMostPhases) return {};
  return text("it takes at most ", kMostPhases, " phases, stride_h x stride_w");
}

/// Calls visit(product) for every phase until it returns false. The phases' packed weights follow each other.
template <class Visit>
bool for_each_phase(const Geometry& g, const Operands& o, Visit visit) {
  const float* packed = o.packed;
  for (std::int64_t row = 0; row < row_phases(g); ++row) {
    for (std::int64_t col = 0; col < column_phases(g); ++col) {
      gemm::WindowProduct product = phase_product(g, o, row, col);
      product.packed = packed;
      if (packed) packed += gemm::packed_weights_floats(product).value();
      if (!visit(product)) return false;
    }
  }
  return true;
}

std::int64_t workspace(const Geometry& g) {
  std::int64_t most = 0;
  for_each_phase(g, {}, [&](const gemm::WindowProduct& product) {
    const std::int64_t floats = gemm::window_workspace(product);
    most = floats < 0 ? -1 : std::max(most, floats);
    return floats >= 0;
  });
  return most;
}

double cost(const Geometry& g) {
  double sum = 0;
  for_each_phase(g, {}, [&](const gemm::WindowProduct& product) {
    sum += gemm::window_cost(product);
    return true;
  });
  return sum;
}

double error_bound(const Geometry& g) { return sum_error_bound(g.kh * g.kw * g.group_k); }

/// Every phase is divided by itself: phases have different numbers of taps.
int shares(const Geometry& g, int most) {
  int shares = 1;
  for_each_phase(g, {}, [&](const gemm::WindowProduct& product) {
    shares = std::max(shares, gemm::share_count(product, most));
    return shares < most;
  });
  return shares;
}

std::int64_t workspace_of_share(const Geometry& g, int shares) {
  std::int64_t most = 0;
  for_each_phase(g, {}, [&](const gemm::WindowProduct& product) {
    const std::int64_t floats = gemm::share_workspace(product, shares);
    most = floats < 0 ? -1 : std::max(most, floats);
    return floats >= 0;
  });
  return most;
}

std::int64_t packed(const Geometry& g) {
  CheckedInt sum = 0;
  for_each_phase(g, {}, [&](const gemm::WindowProduct& product) {
    sum = sum + gemm::packed_weights_floats(product);
    return true;
  });
  return sum.value_or(-1);
}

void pack(const Geometry& g, const float* w, float* packed) noexcept {
  for_each_phase(g, {.w = w}, [&](const gemm::WindowProduct& product) {
    gemm::pack_weights(product, packed);
    packed += gemm::packed_weights_floats(product).value();
    return true;
  });
}

bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& hook) noexcept {
  Progress progress(hook, std::max<std::int64_t>(1, g.macs() / o.share.count));
  return for_each_phase(g, o, [&](const gemm::WindowProduct& whole) {
    const gemm::WindowProduct product = gemm::share_of(whole, o.share);
    gemm::WindowRun windows(product, workspace);
    for (std::int64_t t = 0; t < windows.steps(); ++t) {
      windows.step(t);
      if (!progress.advance(windows.macs_per_step())) return false;
    }
    return true;
  });
}

}  // namespace

extern const Entry backward_data_implicit_gemm = {
    .name = "implicit_gemm",
    .pass = Pass::backward_data,
    .description =
        "Each phase of the stride as one product: windows of dy, read where they lie, times the taps of w that "
        "meet its cells, turned.",
    .layouts = Layouts::nhwc_only,
    .why_not = why_not,
    .workspace_floats = workspace,
    .cost = cost,
    .error_bound = error_bound,
    .division = divided({.shares = shares, .workspace_floats = workspace_of_share}),
    .packing = {.floats = packed, .pack = pack, .cycles = gemm::kPackingCycles},
    .run = run,
};

}  // namespace conv2d::algorithm
