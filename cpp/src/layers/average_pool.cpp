#include <algorithm>
#include <cstddef>

#include "dcheck/dcheck.hpp"
#include "desc/windows.hpp"
#include "layers/layer_tables.hpp"
#include "layers/pooling_windows.hpp"

namespace conv2d {
namespace layers {
namespace {

constexpr LayerOptionRule kOptions[]{{.name = "count_include_pad", .initial = 1}};

bool counts_padding(const LayerInfo& info) noexcept { return info.options[0] != 0; }

/// The number that output `y` is divided by.
std::int64_t count_of(const LayerInfo& info, std::int64_t y) {
  const Geometry& g = info.geometry;
  if (counts_padding(info)) return g.kh * g.kw;
  std::int64_t count = 0;
  for_each_window_cell(g, y, [&](std::int64_t) { ++count; });
  return count;
}

/// The divisor of all windows, or 0 for the cells of each window in x: exact, since resolve_pooling limits it.
float divisor_of(const LayerInfo& info) noexcept {
  return counts_padding(info) ? static_cast<float>(info.geometry.kh * info.geometry.kw) : 0.0F;
}

void forward(const Prepared& layer, const Run<float>& r) noexcept {
  for_each_run(layer.info.geometry, [&](const layer_kernels::WindowRun& run, std::int64_t y) {
    layer.kernels.average_pool(run, r.x.data(), divisor_of(layer.info), r.y.data() + y);
  });
}

void backward(const Prepared& layer, const Run<float>& r) noexcept {
  std::ranges::fill(r.dx, 0.0F);
  for_each_run(layer.info.geometry, [&](const layer_kernels::WindowRun& run, std::int64_t y) {
    layer.kernels.shares(run, r.dy.data() + y, divisor_of(layer.info), layer.workspace);
    layer.kernels.spread(run, layer.workspace, r.dx.data());
  });
}

template <class T>
void reference_forward(const LayerInfo& info, const Run<T>& r) {
  const Geometry& g = info.geometry;
  for (std::int64_t y = 0; y < g.y_size; ++y) {
    double sum = 0;
    for_each_window_cell(g, y, [&](std::int64_t x) { sum += static_cast<double>(r.x[static_cast<std::size_t>(x)]); });
    r.y[static_cast<std::size_t>(y)] = static_cast<T>(sum / static_cast<double>(count_of(info, y)));
  }
}

template <class T>
void reference_backward(const LayerInfo& info, const Run<T>& r) {
  if (r.dx.empty()) return;
  const Geometry& g = info.geometry;
  for (std::int64_t x = 0; x < g.x_size; ++x) {
    double sum = 0;
    for_each_window_of_cell(g, x, [&](std::int64_t y) {
      sum += static_cast<double>(r.dy[static_cast<std::size_t>(y)]) / static_cast<double>(count_of(info, y));
    });
    r.dx[static_cast<std::size_t>(x)] = static_cast<T>(sum);
  }
}

}  // namespace

/// y = the sum of each window's cells, in float, divided by kh * kw, or without count_include_pad by its cells in x.
/// dx adds dy / that number to each cell of the window.
constexpr Rules AveragePool::kRules{.name = "average_pool",
                                    .options = kOptions,
                                    .backward_data = {.dy = true},
                                    .resolve = resolve_pooling,
                                    .workspace_floats = longest_run};
constexpr Checks AveragePool::kChecks{.reference_float = {reference_forward<float>, reference_backward<float>},
                                      .reference_double = {reference_forward<double>, reference_backward<double>}};
constexpr Runner AveragePool::kRunner{.forward = forward, .backward = backward};

}  // namespace layers

AverageCell average_cell(const LayerInfo& layer, std::span<const float> x, std::int64_t index) noexcept {
  const Geometry& g = layer.geometry;
  CONV2D_DCHECK(layer.kind == layers::AveragePool::kRules.name && std::ssize(x) == g.x_size);
  CONV2D_DCHECK(index >= 0 && index < g.y_size);
  AverageCell cell{.count = layers::count_of(layer, index)};
  for_each_window_cell(g, index, [&](std::int64_t at) { cell.sum += x[static_cast<std::size_t>(at)]; });
  return cell;
}

}  // namespace conv2d
