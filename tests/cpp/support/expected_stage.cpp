#include "support/expected_stage.hpp"

namespace conv2d::test {

namespace {

using Shape = std::array<std::int64_t, 4>;

ExpectedStage zeros(const Shape& s) {
  return {.shape = s, .values = std::vector<double>(static_cast<std::size_t>(s[0] * s[1] * s[2] * s[3]))};
}

double& element(ExpectedStage& e, const Shape& at) {
  return e.values[static_cast<std::size_t>(((at[0] * e.shape[1] + at[1]) * e.shape[2] + at[2]) * e.shape[3] + at[3])];
}

double value(const std::vector<float>& tensor, std::int64_t index) { return tensor[static_cast<std::size_t>(index)]; }

/// A matrix stage, addressed as before transposition.
class Matrix {
 public:
  Matrix(std::int64_t groups, std::int64_t rows, std::int64_t cols, bool transposed)
      : stage_(zeros(transposed ? Shape{groups, cols, rows, 1} : Shape{groups, rows, cols, 1})),
        transposed_(transposed) {}
  double& at(std::int64_t group, std::int64_t row, std::int64_t col) {
    return element(stage_, transposed_ ? Shape{group, col, row, 0} : Shape{group, row, col, 0});
  }
  [[nodiscard]] const ExpectedStage& stage() const { return stage_; }

 private:
  ExpectedStage stage_;
  bool transposed_;
};

/// Images of either layout, addressed as (n, row, col, channel).
class Images {
 public:
  Images(const ConvDesc& d, std::int64_t h, std::int64_t w, std::int64_t channels)
      : nhwc_(d.layout == Layout::nhwc),
        stage_(zeros(nhwc_ ? Shape{d.n, h, w, channels} : Shape{d.n, channels, h, w})) {}
  double& at(std::int64_t n, std::int64_t row, std::int64_t col, std::int64_t channel) {
    return element(stage_, nhwc_ ? Shape{n, row, col, channel} : Shape{n, channel, row, col});
  }
  [[nodiscard]] const ExpectedStage& stage() const { return stage_; }

 private:
  bool nhwc_;
  ExpectedStage stage_;
};

std::int64_t column(const ConvDesc& d, const Sizes& s, ColumnOrder order, std::int64_t p, std::int64_t q,
                    std::int64_t channel) {
  return order == ColumnOrder::kh_kw_c ? (p * d.kw + q) * s.group_c + channel : (channel * d.kh + p) * d.kw + q;
}

ExpectedStage matrix(const ConvDesc& d, const Sizes& s, Stage stage, const StageOptions& options,
                     const TensorValues& t) {
  const std::int64_t positions = d.n * s.oh * s.ow, columns = d.kh * d.kw * s.group_c;
  const bool has_columns = stage == Stage::x_col || stage == Stage::dx_col;
  Matrix m(d.groups, stage == Stage::dw_col ? columns : positions, has_columns ? columns : s.group_k,
           options.transposed);
  for_each_tap(d, s, [&](const Tap& tap) {
    const std::int64_t col = column(d, s, options.order, tap.p, tap.q, tap.channel);
    const double x = tap.x < 0 ? 0 : value(t.x, tap.x);
    if (stage == Stage::x_col) m.at(tap.group, tap.position, col) = x;
    for (std::int64_t f = 0; f < s.group_k; ++f) {
      const std::int64_t filter = tap.group * s.group_k + f;
      const double w = value(t.w, w_index(d, tap.p, tap.q, tap.channel, filter));
      const double dy = value(t.dy, y_index(d, s, tap.n, tap.i, tap.j, filter));
      if (stage == Stage::y_col) m.at(tap.group, tap.position, f) += x * w;
      if (stage == Stage::dy_col) m.at(tap.group, tap.position, f) = dy;
      if (stage == Stage::dx_col) m.at(tap.group, tap.position, col) += w * dy;
      if (stage == Stage::dw_col) m.at(tap.group, col, f) += x * dy;
    }
  });
  return m.stage();
}

ExpectedStage w_col(const ConvDesc& d, const Sizes& s, const StageOptions& options, const TensorValues& t) {
  Matrix m(d.groups, d.kh * d.kw * s.group_c, s.group_k, options.transposed);
  for (std::int64_t filter = 0; filter < d.k; ++filter)
    for (std::int64_t p = 0; p < d.kh; ++p)
      for (std::int64_t q = 0; q < d.kw; ++q)
        for (std::int64_t c = 0; c < s.group_c; ++c)
          m.at(filter / s.group_k, column(d, s, options.order, p, q, c), filter % s.group_k) =
              value(t.w, w_index(d, p, q, c, filter));
  return m.stage();
}

ExpectedStage x_padded(const ConvDesc& d, const Sizes& s, const TensorValues& t) {
  const Padding& pad = s.padding;
  Images images(d, d.h + pad.top + pad.bottom, d.w + pad.left + pad.right, d.c);
  for (std::int64_t n = 0; n < d.n; ++n)
    for (std::int64_t row = 0; row < d.h; ++row)
      for (std::int64_t col = 0; col < d.w; ++col)
        for (std::int64_t c = 0; c < d.c; ++c)
          images.at(n, row + pad.top, col + pad.left, c) = value(t.x, x_index(d, n, row, col, c));
  return images.stage();
}

/// dy with zeros between its elements, `ring` zeros around and `extra` more at the bottom and right.
struct InsertedZeros {
  std::int64_t ring_h = 0, ring_w = 0, extra_h = 0, extra_w = 0;
};

ExpectedStage dy_with_zeros(const ConvDesc& d, const Sizes& s, const TensorValues& t, const InsertedZeros& zeros) {
  Images images(d, (s.oh - 1) * d.stride_h + 1 + zeros.extra_h + 2 * zeros.ring_h,
                (s.ow - 1) * d.stride_w + 1 + zeros.extra_w + 2 * zeros.ring_w, d.k);
  for (std::int64_t n = 0; n < d.n; ++n)
    for (std::int64_t i = 0; i < s.oh; ++i)
      for (std::int64_t j = 0; j < s.ow; ++j)
        for (std::int64_t k = 0; k < d.k; ++k)
          images.at(n, zeros.ring_h + i * d.stride_h, zeros.ring_w + j * d.stride_w, k) =
              value(t.dy, y_index(d, s, n, i, j, k));
  return images.stage();
}

/// The sizes, or the indices, of weights in their layout.
Shape in_weights_layout(const ConvDesc& d, std::int64_t p, std::int64_t q, std::int64_t input, std::int64_t filter) {
  const WeightsLayout layout = weights_layout_of(d);
  if (layout == WeightsLayout::hwio) return {p, q, input, filter};
  return layout == WeightsLayout::oihw ? Shape{filter, input, p, q} : Shape{filter, p, q, input};
}

ExpectedStage w_exchanged(const ConvDesc& d, const Sizes& s, const std::vector<float>& w) {
  ExpectedStage e = zeros(in_weights_layout(d, d.kh, d.kw, s.group_k, d.c));
  for (std::int64_t p = 0; p < d.kh; ++p)
    for (std::int64_t q = 0; q < d.kw; ++q)
      for (std::int64_t c = 0; c < d.c; ++c)
        for (std::int64_t f = 0; f < s.group_k; ++f) {
          const std::int64_t filter = c / s.group_c * s.group_k + f;
          element(e, in_weights_layout(d, p, q, f, c)) = value(w, w_index(d, p, q, c % s.group_c, filter));
        }
  return e;
}

std::int64_t remainder(std::int64_t padded, std::int64_t kernel, std::int64_t dilation, std::int64_t stride,
                       std::int64_t out) {
  return padded - ((out - 1) * stride + (kernel - 1) * dilation + 1);
}

std::int64_t remainder_h(const ConvDesc& d, const Sizes& s) {
  return remainder(d.h + s.padding.top + s.padding.bottom, d.kh, d.dilation_h, d.stride_h, s.oh);
}

std::int64_t remainder_w(const ConvDesc& d, const Sizes& s) {
  return remainder(d.w + s.padding.left + s.padding.right, d.kw, d.dilation_w, d.stride_w, s.ow);
}

ExpectedStage dx_padded(const ConvDesc& d, const Sizes& s, const TensorValues& t) {
  const ConvDesc whole = with_padding_as_cells(d, s);
  const Sizes sizes = *sizes_of(whole);
  const TensorValues tensors{.x = std::vector<float>(static_cast<std::size_t>(sizes.x_size)), .w = t.w, .dy = t.dy};
  const bool nhwc = d.layout == Layout::nhwc;
  return {.shape = nhwc ? Shape{d.n, whole.h, whole.w, d.c} : Shape{d.n, d.c, whole.h, whole.w},
          .values = oracle(whole, sizes, tensors).dx.value};
}

ExpectedStage dw_uncropped(const ConvDesc& d, const Sizes& s, const TensorValues& t) {
  const ConvDesc larger = with_uncropped_kernel(d, s);
  const Sizes sizes = *sizes_of(larger);
  const TensorValues tensors{.x = t.x, .w = std::vector<float>(static_cast<std::size_t>(sizes.w_size)), .dy = t.dy};
  return {.shape = in_weights_layout(d, larger.kh, larger.kw, s.group_c, d.k),
          .values = oracle(larger, sizes, tensors).dw.value};
}

/// Each image as a separate batch.
ExpectedStage dw_per_image(const ConvDesc& d, const Sizes& s, const TensorValues& t) {
  const bool filters_last = weights_layout_of(d) == WeightsLayout::hwio;
  Shape shape = dw_uncropped(d, s, t).shape;
  shape[filters_last ? 3 : 0] *= d.n;
  ExpectedStage all = zeros(shape);
  const auto part = [&](const std::vector<float>& batch, std::int64_t n) {
    const std::int64_t size = std::ssize(batch) / d.n;
    return std::vector<float>(batch.begin() + n * size, batch.begin() + (n + 1) * size);
  };
  ConvDesc one = d;
  one.n = 1;
  for (std::int64_t n = 0; n < d.n; ++n) {
    ExpectedStage image = dw_uncropped(one, *sizes_of(one), {.x = part(t.x, n), .dy = part(t.dy, n)});
    for (std::int64_t a = 0; a < image.shape[0]; ++a)
      for (std::int64_t b = 0; b < image.shape[1]; ++b)
        for (std::int64_t c = 0; c < image.shape[2]; ++c)
          for (std::int64_t e = 0; e < image.shape[3]; ++e)
            element(all, filters_last ? Shape{a, b, c, n * d.k + e} : Shape{n * d.k + a, b, c, e}) =
                element(image, {a, b, c, e});
  }
  return all;
}

}  // namespace

ConvDesc with_padding_as_cells(const ConvDesc& d, const Sizes& s) {
  ConvDesc whole = d;
  whole.h += s.padding.top + s.padding.bottom;
  whole.w += s.padding.left + s.padding.right;
  whole.padding_mode = PaddingMode::valid;
  return whole;
}

ConvDesc with_uncropped_kernel(const ConvDesc& d, const Sizes& s) {
  ConvDesc larger = d;
  larger.kh += remainder_h(d, s) / d.dilation_h;
  larger.kw += remainder_w(d, s) / d.dilation_w;
  larger.padding_mode = PaddingMode::explicit_sides;
  larger.padding = s.padding;
  return larger;
}

std::vector<float> flipped(const ConvDesc& d, const Sizes& s, const std::vector<float>& w) {
  std::vector<float> out(w.size());
  for (std::int64_t p = 0; p < d.kh; ++p)
    for (std::int64_t q = 0; q < d.kw; ++q)
      for (std::int64_t c = 0; c < s.group_c; ++c)
        for (std::int64_t k = 0; k < d.k; ++k)
          out[static_cast<std::size_t>(w_index(d, d.kh - 1 - p, d.kw - 1 - q, c, k))] =
              w[static_cast<std::size_t>(w_index(d, p, q, c, k))];
  return out;
}

bool is_small(const ConvDesc& d) {
  constexpr std::int64_t kProducts = 400'000;
  const Sizes s = *sizes_of(d);
  return s.y_size * d.kh * d.kw * s.group_c <= kProducts;
}

bool is_matrix(Stage stage) {
  return stage == Stage::x_col || stage == Stage::w_col || stage == Stage::y_col || stage == Stage::dy_col ||
         stage == Stage::dx_col || stage == Stage::dw_col;
}

ExpectedStage expected_stage(const ConvDesc& d, const Sizes& s, Stage stage, const StageOptions& options,
                             const TensorValues& t) {
  InsertedZeros inserted{};
  switch (stage) {
    case Stage::x_padded:
      return x_padded(d, s, t);
    case Stage::w_col:
      return w_col(d, s, options, t);
    case Stage::x_col:
    case Stage::y_col:
    case Stage::dy_col:
    case Stage::dx_col:
    case Stage::dw_col:
      return matrix(d, s, stage, options, t);
    case Stage::w_exchanged:
      return w_exchanged(d, s, t.w);
    case Stage::w_flipped:
      return w_exchanged(d, s, flipped(d, s, t.w));
    case Stage::dx_padded:
      return dx_padded(d, s, t);
    case Stage::dw_uncropped:
      return dw_uncropped(d, s, t);
    case Stage::dw_per_image:
      return dw_per_image(d, s, t);
    case Stage::dy_inserted:
      inserted.ring_h = (d.kh - 1) * d.dilation_h;
      inserted.ring_w = (d.kw - 1) * d.dilation_w;
      [[fallthrough]];
    case Stage::dy_extended:
      inserted.extra_h = remainder_h(d, s);
      inserted.extra_w = remainder_w(d, s);
      [[fallthrough]];
    case Stage::dy_upsampled:
      break;
  }
  return dy_with_zeros(d, s, t, inserted);
}

}  // namespace conv2d::test
