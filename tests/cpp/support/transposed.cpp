#include "support/transposed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "support/guarded_buffer.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

namespace conv2d::test {

namespace {

/// The sizes of one axis of y and of its padding.
void size_axis(PaddingMode mode, std::int64_t in, std::int64_t dilated, std::int64_t stride, std::int64_t more,
               std::int64_t& before, std::int64_t& after, std::int64_t& out) {
  if (mode == PaddingMode::valid) before = after = 0;
  if (mode == PaddingMode::full) before = after = dilated - 1;
  if (mode == PaddingMode::same) {
    const std::int64_t both = std::max<std::int64_t>(dilated - stride, 0);
    before = both / 2;
    after = both - before;
    out = in * stride;
    return;
  }
  out = (in - 1) * stride + dilated - before - after + more;
}

std::int64_t index_in(Layout layout, std::int64_t rows, std::int64_t cols, std::int64_t channels, std::int64_t n,
                      std::int64_t row, std::int64_t col, std::int64_t channel) {
  if (layout == Layout::nhwc) return ((n * rows + row) * cols + col) * channels + channel;
  return ((n * channels + channel) * rows + row) * cols + col;
}

/// w of tap (p, q) from channel c of x to channel m of y within the group.
std::int64_t index_in_w(const ConvDesc& d, std::int64_t p, std::int64_t q, std::int64_t c, std::int64_t m) {
  const std::int64_t group_k = d.k / d.groups;
  switch (weights_layout_of(d)) {
    case WeightsLayout::hwio:
      return ((p * d.kw + q) * group_k + m) * d.c + c;
    case WeightsLayout::ohwi:
      return ((c * d.kh + p) * d.kw + q) * group_k + m;
    default:
      return ((c * group_k + m) * d.kh + p) * d.kw + q;
  }
}

/// One product of the definition, as flat indices.
struct TransposedProduct {
  std::int64_t x, w, y;
};

template <class Visit>
void for_each_product(const transposed::Desc& desc, Visit visit) {
  const ConvDesc& d = desc.windows;
  const TransposedSizes s = sizes_of(desc);
  const std::int64_t group_c = d.c / d.groups, group_k = d.k / d.groups;
  for (std::int64_t n = 0; n < d.n; ++n)
    for (std::int64_t i = 0; i < d.h; ++i)
      for (std::int64_t j = 0; j < d.w; ++j)
        for (std::int64_t p = 0; p < d.kh; ++p)
          for (std::int64_t q = 0; q < d.kw; ++q) {
            const std::int64_t row = i * d.stride_h + p * d.dilation_h - s.padding.top;
            const std::int64_t col = j * d.stride_w + q * d.dilation_w - s.padding.left;
            if (row < 0 || row >= s.rows || col < 0 || col >= s.cols) continue;
            for (std::int64_t c = 0; c < d.c; ++c)
              for (std::int64_t m = 0; m < group_k; ++m)
                visit(TransposedProduct{
                    .x = index_in(d.layout, d.h, d.w, d.c, n, i, j, c),
                    .w = index_in_w(d, p, q, c, m),
                    .y = index_in(d.layout, s.rows, s.cols, d.k, n, row, col, c / group_c * group_k + m)});
          }
}

std::int64_t products_of(const ConvDesc& d) { return d.n * d.h * d.w * d.c * d.kh * d.kw * (d.k / d.groups); }

Exact zeros(std::int64_t size) {
  return {.value = std::vector<double>(static_cast<std::size_t>(size)),
          .magnitude = std::vector<double>(static_cast<std::size_t>(size))};
}

void add(Exact& to, std::int64_t at, double term) {
  to.value[static_cast<std::size_t>(at)] += term;
  to.magnitude[static_cast<std::size_t>(at)] += std::abs(term);
}

std::vector<float> drawn(std::int64_t size, Rng& rng, Data data) {
  std::vector<float> values(static_cast<std::size_t>(size));
  for (float& value : values) value = data == Data::reals ? rng.real() : static_cast<float>(rng.between(-6, 6));
  return values;
}

Failure failure_of(const Plan& plan, const AlgorithmInfo& info, const transposed::Desc& desc,
                   const TensorValues& tensors, const Exact& exact, Data data) {
  GuardedBuffer x(tensors.x), w(tensors.w), b(tensors.b), dy(tensors.dy), out(exact.value.size());
  GuardedBuffer workspace(static_cast<std::size_t>(plan.workspace_floats()));
  const Status status =
      transposed::run(plan, {.x = x.span(), .w = w.span(), .b = b.span(), .dy = dy.span(), .out = out.span()},
                      {.workspace = workspace.span()});
  if (!status.ok()) return "does not run: " + std::string(status.message);
  if (!out.intact() || !workspace.intact()) return "wrote outside its output or workspace";
  for (const auto& [buffer, original] :
       {std::pair{&x, &tensors.x}, {&w, &tensors.w}, {&b, &tensors.b}, {&dy, &tensors.dy}}) {
    if (!buffer->intact() || !std::ranges::equal(buffer->span(), *original)) return "wrote to an input";
  }
  if (data == Data::integers && sums_products(info)) return difference(out.span(), exact.value);
  // The convolution's tensors, and one more rounding for the bias.
  AlgorithmInfo with_bias = info;
  with_bias.error_bound += 2;
  ConvDesc convolution = desc.windows;
  std::swap(convolution.c, convolution.k);
  return difference_beyond_bound(out.span(), exact, with_bias, convolution, plan.pass(),
                                 {.x = tensors.dy, .w = tensors.w, .b = tensors.b, .dy = tensors.x});
}

}  // namespace

TransposedSizes sizes_of(const transposed::Desc& desc) {
  const ConvDesc& d = desc.windows;
  TransposedSizes s{.padding = d.padding};
  size_axis(d.padding_mode, d.h, (d.kh - 1) * d.dilation_h + 1, d.stride_h, desc.output_padding_h, s.padding.top,
            s.padding.bottom, s.rows);
  size_axis(d.padding_mode, d.w, (d.kw - 1) * d.dilation_w + 1, d.stride_w, desc.output_padding_w, s.padding.left,
            s.padding.right, s.cols);
  s.x_size = d.n * d.h * d.w * d.c;
  s.w_size = d.kh * d.kw * d.c * (d.k / d.groups);
  s.y_size = d.n * s.rows * s.cols * d.k;
  return s;
}

TensorValues random_tensors(const transposed::Desc& d, Rng& rng, Data data) {
  const TransposedSizes s = sizes_of(d);
  return {.x = drawn(s.x_size, rng, data),
          .w = drawn(s.w_size, rng, data),
          .b = drawn(rng.one_in(3) ? 0 : d.windows.k, rng, data),
          .dy = drawn(s.y_size, rng, data)};
}

Oracle oracle(const transposed::Desc& desc, const TensorValues& t) {
  const ConvDesc& d = desc.windows;
  const TransposedSizes s = sizes_of(desc);
  const auto of = [](const std::vector<float>& values, std::int64_t at) {
    return static_cast<double>(values[static_cast<std::size_t>(at)]);
  };
  Oracle result{.y = zeros(s.y_size), .dx = zeros(s.x_size), .dw = zeros(s.w_size), .db = zeros(d.k)};
  for_each_product(desc, [&](const TransposedProduct& at) {
    add(result.y, at.y, of(t.x, at.x) * of(t.w, at.w));
    add(result.dx, at.x, of(t.dy, at.y) * of(t.w, at.w));
    add(result.dw, at.w, of(t.x, at.x) * of(t.dy, at.y));
  });
  for (std::int64_t n = 0; n < d.n; ++n)
    for (std::int64_t row = 0; row < s.rows; ++row)
      for (std::int64_t col = 0; col < s.cols; ++col)
        for (std::int64_t m = 0; m < d.k; ++m) {
          const std::int64_t at = index_in(d.layout, s.rows, s.cols, d.k, n, row, col, m);
          if (!t.b.empty()) add(result.y, at, of(t.b, m));
          add(result.db, m, of(t.dy, at));
        }
  return result;
}

transposed::Desc random_transposed(Rng& rng) {
  for (;;) {
    transposed::Desc desc{.windows = random_desc(rng)};
    ConvDesc& d = desc.windows;
    d.h = rng.between(1, 7);
    d.w = rng.between(1, 7);
    if (rng.one_in(5)) d.stride_h = d.stride_w = d.dilation_h = d.dilation_w = 1, d.kh = d.kw = 3;
    if (d.padding_mode != PaddingMode::same) {
      desc.output_padding_h = rng.between(0, d.stride_h - 1);
      desc.output_padding_w = rng.between(0, d.stride_w - 1);
    }
    const TransposedSizes s = sizes_of(desc);
    if (s.rows >= 1 && s.cols >= 1 && products_of(d) <= 40000 && s.y_size <= 20000) return desc;
  }
}

Failures failures_of_all_algorithms(const transposed::Desc& desc, const TensorValues& tensors, const Oracle& expected,
                                    Data data) {
  Failures failures;
  const std::string name = to_string(desc.windows) + " output_padding " + std::to_string(desc.output_padding_h) + ", " +
                           std::to_string(desc.output_padding_w);
  for (const Pass pass : kPasses) {
    const Result<Plan> chosen = transposed::plan(desc, pass);
    if (!chosen.ok()) {
      failures.add("is refused: " + std::string(chosen.status().message), name, to_string(pass));
      continue;
    }
    for (const AlgorithmInfo& info : algorithms(chosen->geometry(), chosen->pass())) {
      if (!info.supported) continue;
      const Plan plan = transposed::plan(desc, pass, {.algorithm = info.name}).value();
      failures.add(failure_of(plan, info, desc, tensors, expected.of(pass), data), name, to_string(pass), info.name);
    }
  }
  return failures;
}

}  // namespace conv2d::test
