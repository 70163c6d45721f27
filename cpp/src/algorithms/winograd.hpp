#pragma once

#include <cstdint>
#include <string>

#include "algorithms/entry.hpp"
#include "algorithms/window_products.hpp"
#include "gemm/window_product.hpp"
#include "gemm/winograd_run.hpp"

/// What the Winograd algorithms have in common: F(m x m, 3 x 3) after Lavin and Gray (2015), see
/// micro_kernels/winograd.hpp.
namespace conv2d::algorithm {

/// Empty for 3 x 3 taps with stride, dilation and groups 1.
std::string why_not_winograd(const Geometry& g);

/// See AlgorithmInfo::error_bound, in its `mixes_cells` form, for sums over `channels` products of transforms.
double winograd_error_bound(std::int64_t channels, std::int64_t outputs) noexcept;

bool run_winograd(const gemm::WindowProduct& product, std::int64_t outputs, const Operands& o, float* workspace,
                  const ProgressHook& progress) noexcept;

/// What an entry has for the tiles of m x m outputs of a pass. (Not lambdas: each of those is two functions in the
/// module.)
template <Pass kPass, std::int64_t m>
struct Winograd {
  static gemm::WindowProduct product(const Geometry& g, const Operands& o) noexcept {
    return kPass == Pass::forward ? forward_product(g, o) : phase_product(g, o, 0, 0);
  }
  static std::int64_t workspace(const Geometry& g) { return gemm::winograd_workspace(product(g, {}), m, 1); }
  static double cost(const Geometry& g) { return gemm::winograd_cost(product(g, {}), m); }
  static double error_bound(const Geometry& g) { return winograd_error_bound(kPass == Pass::forward ? g.c : g.k, m); }
  static int shares(const Geometry& g, int most) { return gemm::winograd_share_count(product(g, {}), m, most); }
  static std::int64_t workspace_of_share(const Geometry& g, int shares) {
    return gemm::winograd_workspace(product(g, {}), m, shares);
  }
  static std::int64_t common(const Geometry& g, int shares) { return gemm::winograd_common(product(g, {}), m, shares); }
  static void prepare(const Geometry& g, const Operands& o, float* workspace) noexcept {
    const gemm::WindowProduct all = product(g, o);
    gemm::WinogradRun(all, m, o.share, o.common, workspace).prepare();
  }
  static bool run(const Geometry& g, const Operands& o, float* workspace, const ProgressHook& progress) noexcept {
    return run_winograd(product(g, o), m, o, workspace, progress);
  }
};

template <Pass kPass, std::int64_t m>
constexpr Entry winograd_entry(std::string_view name, std::string_view description) noexcept {
  using W = Winograd<kPass, m>;
  return {.name = name,
          .pass = kPass,
          .description = description,
          .layouts = Layouts::nhwc_only,
          .why_not = why_not_winograd,
          .workspace_floats = W::workspace,
          .cost = W::cost,
          .error_bound = W::error_bound,
          .mixes_cells = true,
          .division = divided({.shares = W::shares,
                               .workspace_floats = W::workspace_of_share,
                               .common_floats = W::common,
                               .prepare = W::prepare}),
          .run = W::run};
}

}  // namespace conv2d::algorithm
