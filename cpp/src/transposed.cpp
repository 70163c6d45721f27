#include "conv2d/transposed.hpp"

#include "base/buffers.hpp"
#include "base/errors.hpp"
#include "desc/geometry.hpp"
#include "run_as.hpp"

namespace conv2d::transposed {
namespace {

/// The length of b, and that it overlaps nothing that is written. The convolution does not read it.
Status check_bias(const Plan& plan, const Tensors& t, const Resources& resources) {
  const std::int64_t k = plan.geometry().c;
  if (!has_length(t.b, k)) {
    return length_mismatch("b", t.b.size(), k, "one per channel of y, or none for no bias");
  }
  const Block b{"b", t.b.data(), k};
  Status status = conv2d::check_no_overlap({"y", t.out.data(), std::ssize(t.out)}, {&b, 1});
  if (status.ok()) {
    status = conv2d::check_no_overlap({"workspace", resources.workspace.data(), plan.workspace_floats()}, {&b, 1});
  }
  return status;
}

void add_bias(const Geometry& g, std::span<const float> b, std::span<float> y) noexcept {
  // The elements that share an element of b are neighbors in NCHW, and every c-th one in NHWC.
  const std::int64_t plane = g.layout == Layout::nchw ? g.h * g.w : 1;
  float* to = y.data();
  for (const float* const end = to + y.size(); to != end;) {
    for (const float bias : b) {
      for (std::int64_t t = 0; t < plane; ++t) *to++ += bias;
    }
  }
}

}  // namespace

Result<Plan> plan(const Geometry& convolution, Pass pass, const PlanOptions& options) {
  const Geometry& g = convolution;
  if (Status status = check_enumerator("pass", pass, Pass::backward_bias); !status.ok()) return status;
  if (options.accumulate && (pass == Pass::forward || pass == Pass::backward_data)) {
    return Status{ErrorCode::unsupported, "accumulate",
                  text("accumulate adds to dw or db, but the pass is ", to_string(pass))};
  }
  if (pass != Pass::backward_bias) return conv2d::plan(g, convolution_pass(pass), options);
  return conv2d::plan({.layout = g.layout, .n = g.n, .h = g.h, .w = g.w, .k = g.c}, pass, options);
}

Result<Plan> plan(const Desc& desc, Pass pass, const PlanOptions& options) {
  const Result<Geometry> convolution = resolve(desc);
  if (!convolution.ok()) return convolution.status();
  return transposed::plan(*convolution, pass, options);
}

Status run(const Plan& plan, const Tensors& t, const Resources& resources) noexcept {
  const Pass pass = convolution_pass(plan.pass());
  const bool has_bias = pass == Pass::forward && !t.b.empty();
  if (has_bias) {
    if (Status status = check_bias(plan, t, resources); !status.ok()) return status;
  }
  const TensorNames names =
      pass == Pass::backward_bias ? TensorNames{"x", "dy", "db"} : TensorNames{"dy", "x", tensors_of(pass).out};
  const std::span<const float> dy = pass == Pass::backward_bias ? t.dy : t.x;
  Status status = run_as(plan, {.x = t.dy, .w = t.w, .packed = t.packed, .dy = dy, .out = t.out}, resources, names);
  if (status.ok() && has_bias) add_bias(plan.geometry(), t.b, t.out);
  return status;
}

}  // namespace conv2d::transposed
