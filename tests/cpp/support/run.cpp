#include "support/run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <utility>

#include "support/compare.hpp"
#include "support/guarded_buffer.hpp"

namespace conv2d::test {

namespace {

bool same_bits(std::span<const float> a, std::span<const float> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](float u, float v) { return u == v || (std::isnan(u) && std::isnan(v)); });
}

double largest(const std::vector<float>& values) {
  double most = 0;
  for (const float v : values) most = std::max(most, std::abs(static_cast<double>(v)));
  return most;
}

Failure failure_of(const ConvDesc& d, Pass pass, const AlgorithmInfo& info, const TensorValues& tensors,
                   const Exact& exact, Data data) {
  const Result<Plan> planned = plan(d, pass, {.algorithm = info.name});
  if (!planned.ok()) return "does not plan: " + planned.status().message;
  if (planned->algorithm() != info.name) return "plans another algorithm: " + std::string(planned->algorithm());
  if (planned->workspace_floats() != info.workspace_floats) return "plans a different workspace size than listed";

  const Outcome outcome = run(*planned, tensors);
  if (!outcome.status.ok()) return "does not run: " + outcome.status.message;
  if (outcome.stray_write) return outcome.stray_write;
  const bool exactly = data == Data::integers && sums_products(info);
  return exactly ? difference(outcome.out, exact.value)
                 : difference_beyond_bound(outcome.out, exact, info, d, pass, tensors);
}

}  // namespace

const char* to_string(Layout layout) { return layout == Layout::nhwc ? "nhwc" : "nchw"; }

std::string to_string(const ConvDesc& d) {
  constexpr const char* kModes[] = {"explicit_sides", "valid", "same", "full"};
  const auto mode = static_cast<unsigned>(d.padding_mode);
  char text[512];
  std::snprintf(text, sizeof text,
                "{.layout = Layout::%s, .n = %lld, .h = %lld, .w = %lld, .c = %lld, .k = %lld, .kh = %lld, .kw = %lld, "
                ".stride_h = %lld, .stride_w = %lld, .dilation_h = %lld, .dilation_w = %lld, .groups = %lld, "
                ".padding_mode = PaddingMode::%s, .padding = {%lld, %lld, %lld, %lld}, "
                ".weights_layout = WeightsLayout::%s}",
                to_string(d.layout), static_cast<long long>(d.n), static_cast<long long>(d.h),
                static_cast<long long>(d.w), static_cast<long long>(d.c), static_cast<long long>(d.k),
                static_cast<long long>(d.kh), static_cast<long long>(d.kw), static_cast<long long>(d.stride_h),
                static_cast<long long>(d.stride_w), static_cast<long long>(d.dilation_h),
                static_cast<long long>(d.dilation_w), static_cast<long long>(d.groups),
                mode < std::size(kModes) ? kModes[mode] : "(no enumerator)", static_cast<long long>(d.padding.top),
                static_cast<long long>(d.padding.bottom), static_cast<long long>(d.padding.left),
                static_cast<long long>(d.padding.right), conv2d::to_string(d.weights_layout).data());
  return text;
}

Status run_on(const Plan& plan, const Spans& s, const ProgressHook& progress, const Team& team) {
  return conv2d::run(plan, {.x = s.x, .w = s.w, .packed = s.packed, .b = s.b, .dy = s.dy, .out = s.out},
                     {.workspace = s.workspace, .progress = progress, .team = team});
}

std::size_t out_size(const Geometry& g, Pass pass) {
  switch (pass) {
    case Pass::forward:
      return static_cast<std::size_t>(g.y_size);
    case Pass::backward_data:
      return static_cast<std::size_t>(g.x_size);
    case Pass::backward_weights:
      return static_cast<std::size_t>(g.w_size);
    case Pass::backward_bias:
      break;
  }
  return static_cast<std::size_t>(g.k);
}

namespace {

Outcome run_between_canaries(const Plan& plan, const TensorValues& tensors, const std::vector<float>& packed_weights,
                             const ProgressHook& progress, const Team& team) {
  GuardedBuffer x(tensors.x), w(tensors.w), b(tensors.b), dy(tensors.dy), packed(packed_weights);
  GuardedBuffer out(out_size(plan.geometry(), plan.pass()));
  GuardedBuffer workspace(static_cast<std::size_t>(plan.workspace_floats()));

  Outcome outcome{.status = run_on(plan,
                                   {.x = x.span(),
                                    .w = w.span(),
                                    .b = b.span(),
                                    .dy = dy.span(),
                                    .packed = packed.span(),
                                    .out = out.span(),
                                    .workspace = workspace.span()},
                                   progress, team)};
  outcome.out.assign(out.span().begin(), out.span().end());

  const auto untouched = [](GuardedBuffer& guarded, const std::vector<float>& original) {
    return guarded.intact() && same_bits(guarded.span(), original);
  };
  const std::pair<bool, const char*> checks[] = {{untouched(x, tensors.x), "x"},
                                                 {untouched(w, tensors.w), "w"},
                                                 {untouched(b, tensors.b), "b"},
                                                 {untouched(dy, tensors.dy), "dy"},
                                                 {untouched(packed, packed_weights), "the packed weights"},
                                                 {out.intact(), "memory around the output"},
                                                 {workspace.intact(), "memory around the workspace"}};
  for (const auto& [ok, memory] : checks) {
    if (!ok) outcome.stray_write = std::string("wrote to ") + memory;
  }
  return outcome;
}

}  // namespace

Outcome run(const Plan& plan, const TensorValues& tensors, const ProgressHook& progress, const Team& team) {
  return run_between_canaries(plan, tensors, {}, progress, team);
}

Outcome run_packed(const Plan& plan, const TensorValues& tensors, const Team& team) {
  GuardedBuffer packed(static_cast<std::size_t>(plan.packed_floats()));
  if (Status status = pack_weights(plan, tensors.w, packed.span()); !status.ok()) return {.status = status};
  if (!packed.intact()) return {.stray_write = "wrote to memory around the packed weights"};
  TensorValues without_w = tensors;
  std::ranges::fill(without_w.w, std::numeric_limits<float>::quiet_NaN());
  return run_between_canaries(plan, without_w, {packed.span().begin(), packed.span().end()}, {}, team);
}

bool sums_products(const AlgorithmInfo& info) { return !info.mixes_cells; }

Failure difference_beyond_bound(std::span<const float> got, const Exact& exact, const AlgorithmInfo& info,
                                const ConvDesc& d, Pass pass, const TensorValues& t) {
  if (!info.mixes_cells) return difference_beyond_bound(got, exact, info.error_bound);
  double sum = 0;
  if (pass == Pass::backward_weights) {
    const double products = static_cast<double>(t.dy.size()) / static_cast<double>(std::max<std::int64_t>(1, d.k));
    sum = products * largest(t.x) * largest(t.dy);
  } else {
    const double channels = static_cast<double>((pass == Pass::forward ? d.c : d.k) / d.groups);
    const double products = static_cast<double>(d.kh * d.kw) * channels;
    sum = products * largest(pass == Pass::forward ? t.x : t.dy) * largest(t.w) + largest(t.b);
  }
  const Exact scaled{.value = exact.value, .magnitude = std::vector<double>(exact.value.size(), sum)};
  return difference_beyond_bound(got, scaled, info.error_bound);
}

Failures failures_of_all_algorithms(const ConvDesc& d, const TensorValues& tensors, Data data) {
  Failures failures;
  const Result<Geometry> geometry = resolve(d);
  const std::optional<Sizes> sizes = sizes_of(d);
  if (!geometry.ok()) failures.add("is refused: " + geometry.status().message, to_string(d));
  if (!sizes) failures.add("is not a convolution, but is accepted", to_string(d));
  if (!failures.empty()) return failures;

  const Oracle expected = oracle(d, *sizes, tensors);
  for (const Pass pass : kPasses) {
    for (const AlgorithmInfo& info : algorithms(*geometry, pass)) {
      if (!info.supported) continue;
      failures.add(failure_of(d, pass, info, tensors, expected.of(pass), data), to_string(d), to_string(pass),
                   info.name);
    }
  }
  return failures;
}

}  // namespace conv2d::test
