#include "conv2d/transposed.hpp"

#include <array>

#include "base/buffers.hpp"
#include "base/errors.hpp"
#include "desc/geometry.hpp"

namespace conv2d::transposed {
namespace {

/// The tensors of a plan of plan(), by their names in the transposed convolution.
struct Shapes {
  explicit Shapes(const Plan& plan) noexcept
      : g(plan.geometry()),
        pass(convolution_pass(plan.pass())),
        x(g.y_shape()),
        y(pass == Pass::backward_bias ? g.y_shape() : g.x_shape()),
        k(pass == Pass::backward_bias ? g.k : g.c) {}

  const Geometry& g;
  Pass pass;
  Shape x, y;
  std::int64_t k;

  [[nodiscard]] Shape out() const noexcept {
    if (pass == Pass::forward) return y;
    if (pass == Pass::backward_data) return x;
    return pass == Pass::backward_weights ? g.w_shape() : Shape{1, 1, 1, k};
  }
};

struct Tensor {
  std::string_view name;
  std::size_t length;
  Shape shape;
};

Status check_lengths(const Shapes& shapes, const Tensors& t) {
  const PassTensors has = tensors_of(shapes.pass);
  std::array<Tensor, 4> read{};
  std::size_t count = 0;
  if (has.x) read[count++] = {"x", t.x.size(), shapes.x};
  if (has.dy) read[count++] = {"dy", t.dy.size(), shapes.y};
  if (has.w && t.packed.empty()) read[count++] = {"w", t.w.size(), shapes.g.w_shape()};
  read[count++] = {has.out, t.out.size(), shapes.out()};
  for (const auto& [name, length, shape] : std::span(read).first(count)) {
    if (length != static_cast<std::uint64_t>(shape[0] * shape[1] * shape[2] * shape[3])) {
      return shape_mismatch(name, length, shape);
    }
  }
  if (has.b && !t.b.empty() && !has_length(t.b, shapes.k)) {
    return length_mismatch("b", t.b.size(), shapes.k, "one per channel of y, or none for no bias");
  }
  return {};
}

/// conv2d::run names the tensors of the convolution. What it reads, it checks once more.
Status check_no_overlap(const Shapes& shapes, const Tensors& t, const Resources& resources) {
  const PassTensors has = tensors_of(shapes.pass);
  const auto block = [](const char* name, bool is_used, auto tensor) {
    return Block{name, is_used ? tensor.data() : nullptr, std::ssize(tensor)};
  };
  const Block blocks[] = {block(has.out, true, t.out), block("x", has.x, t.x), block("w", has.w, t.w),
                          block("b", has.b, t.b), block("dy", has.dy, t.dy)};
  if (Status status = conv2d::check_no_overlap(blocks[0], std::span(blocks).subspan(1)); !status.ok()) return status;
  return conv2d::check_no_overlap(block("workspace", true, resources.workspace), blocks);
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
  const Shapes shapes(plan);
  if (Status status = check_lengths(shapes, t); !status.ok()) return status;
  if (Status status = check_no_overlap(shapes, t, resources); !status.ok()) return status;
  const bool is_bias = shapes.pass == Pass::backward_bias;
  Status status =
      conv2d::run(plan, {.x = t.dy, .w = t.w, .packed = t.packed, .dy = is_bias ? t.dy : t.x, .out = t.out}, resources);
  if (status.ok() && shapes.pass == Pass::forward && !t.b.empty()) add_bias(shapes.g, t.b, t.out);
  return status;
}

}  // namespace conv2d::transposed
