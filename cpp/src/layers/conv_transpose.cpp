#include <cmath>
#include <cstddef>

#include "base/errors.hpp"
#include "conv2d/reference.hpp"
#include "conv2d/transposed.hpp"
#include "layers/layer_tables.hpp"

namespace conv2d::layers {
namespace {

constexpr double kMostOutputPadding = 0x1p31;
constexpr LayerOptionRule kOptions[]{{.name = "output_padding_h", .most = kMostOutputPadding},
                                     {.name = "output_padding_w", .most = kMostOutputPadding}};

Result<Geometry> resolve(const ConvDesc& windows, const LayerOptions& options) noexcept {
  for (std::size_t o = 0; o < options.size(); ++o) {
    if (options[o] == std::floor(options[o])) continue;
    return Status{ErrorCode::invalid_padding, kOptions[o].name, text(kOptions[o].name, " must be a whole number")};
  }
  return transposed::resolve({.windows = windows,
                              .output_padding_h = static_cast<std::int64_t>(options[0]),
                              .output_padding_w = static_cast<std::int64_t>(options[1])});
}

/// The sum is rounded to T before b is added, as by the kernels.
template <class T>
void reference_forward(const LayerInfo& info, const Run<T>& r) {
  const Geometry& g = info.geometry;
  reference::backward_data<T>(g, r.x, r.w, r.y);
  const std::size_t plane = g.layout == Layout::nchw ? static_cast<std::size_t>(g.h * g.w) : 1;
  for (std::size_t t = 0; !r.b.empty() && t < r.y.size(); ++t) r.y[t] += r.b[t / plane % r.b.size()];
}

template <class T>
void reference_backward(const LayerInfo& info, const Run<T>& r) {
  const Geometry& g = info.geometry;
  if (!r.db.empty()) {
    const ConvDesc same_y{.layout = g.layout, .n = g.n, .h = g.h, .w = g.w, .k = g.c};
    reference::backward_bias<T>(*conv2d::resolve(same_y), r.dy, r.db);
  }
  if (!r.dw.empty()) reference::backward_weights<T>(g, r.dy, r.x, r.dw);
  if (!r.dx.empty()) reference::forward<T>(g, r.dy, r.w, {}, r.dx);
}

}  // namespace

/// transposed.hpp.
constexpr Rules ConvTranspose::kRules{.name = "conv_transpose",
                                      .options = kOptions,
                                      .has_weights = true,
                                      .is_transposed = true,
                                      .backward_data = {.w = true, .dy = true},
                                      .resolve = resolve};
constexpr Checks ConvTranspose::kChecks{.reference_float = {reference_forward<float>, reference_backward<float>},
                                        .reference_double = {reference_forward<double>, reference_backward<double>}};
constexpr Runner ConvTranspose::kRunner{.plan = transposed::plan, .run = transposed::run};

}  // namespace conv2d::layers
