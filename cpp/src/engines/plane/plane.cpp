#include "engines/engines.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/strided_view.hpp"
#include "cost/constants.hpp"
#include "dcheck/dcheck.hpp"
#include "desc/geometry.hpp"
#include "engines/loops.hpp"
#include "engines/plane/pointwise.hpp"
#include "engines/windows/window_plan.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::engine {
namespace {

using micro_kernels::kPlaneRows;

/// Approximate floats of a copy: a quarter of a 32 kB L1.
constexpr std::int64_t kCopyFloats = 2048;

/// How a product is divided into blocks: padded copies of a few rows of windows that stay in the cache.
struct PlaneShape {
  std::int64_t rows = 0;    ///< of windows of a block
  std::int64_t blocks = 0;  ///< of an image
  CheckedInt pitch = 0;     ///< floats of a copied row: up to the last register's end
  CheckedInt floats = 0;    ///< of a copy

  explicit PlaneShape(const StridedMatmul& p) noexcept {
    const std::int64_t lanes = p.kernels->lanes;
    pitch = CheckedInt(ceil_div(p.cols.windows, lanes)) * lanes + CheckedInt(p.cols.taps - 1) * p.cols.dilation;
    const std::int64_t row = (pitch * p.rows.step).value_or(kCopyFloats);
    const std::int64_t tiles = std::max<std::int64_t>(1, kCopyFloats / std::max<std::int64_t>(1, row) / kPlaneRows);
    rows = std::max<std::int64_t>(1, std::min(p.rows.windows, tiles * kPlaneRows));
    blocks = ceil_div(p.rows.windows, rows);
    floats = pitch * reach(p.rows, rows);
  }
};

/// Estimated cycles.
double plane_cost(const StridedMatmul& p, const PlaneShape& shape) noexcept {
  const std::int64_t lanes = p.kernels->lanes;
  const auto blocks = static_cast<double>(p.n * shape.blocks);
  const auto row_tiles = static_cast<double>(p.n * ceil_div(p.rows.windows, kPlaneRows));
  const auto tiles = static_cast<double>(ceil_div(p.cols.windows, 2 * lanes));  // of kPlaneRows rows
  const cost::Plane& c = p.kernels->costs->plane;
  const double copy =
      c.block + c.copied_register * static_cast<double>(shape.floats.value_or(0)) / static_cast<double>(lanes);
  return blocks * copy + row_tiles * (c.tile_row + tiles * (c.tile + c.tile_tap * static_cast<double>(p.taps())));
}

class PlaneExecutable final : public Executable {
 public:
  /// `product` has the planes of all images and channels as images; plane n has the weights and the bias of channel
  /// n % `channels`, and the weights are `channel_step` floats apart.
  PlaneExecutable(const StridedMatmul& product, std::int64_t channels, std::int64_t channel_step, Pass pass,
                  int threads) noexcept
      : product_(product),
        channels_(channels),
        channel_step_(channel_step),
        shape_(product),
        copy_(own_.take(shape_.floats)),
        pass_(pass) {
    parts_ = parts_of(blocks(), threads);
    cost_ = largest_part(blocks(), parts_) * plane_cost(product, shape_);
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    const WindowTensors tensors = window_operands(pass_).in(o);
    float* const copy = copy_.in(memory.own);
    const std::int64_t macs_per_block = shape_.rows * product_.cols.windows * product_.taps();
    const Range mine = part.of(blocks());
    return in_chunks(mine.size(), macs_per_block, progress, [&](Range chunk) {
      for (std::int64_t t = mine.begin + chunk.begin; t < mine.begin + chunk.end; ++t) {
        const std::int64_t begin = t % shape_.blocks * shape_.rows;
        compute_block(tensors, t / shape_.blocks, {begin, std::min(begin + shape_.rows, product_.rows.windows)}, copy);
      }
    });
  }

 private:
  /// Of all planes.
  [[nodiscard]] std::int64_t blocks() const noexcept { return product_.n * shape_.blocks; }
  /// Computes the outputs of a block: rows `windows` of plane n.
  void compute_block(const WindowTensors& tensors, std::int64_t n, Range windows, float* copy) const noexcept;

  StridedMatmul product_;
  std::int64_t channels_, channel_step_;
  PlaneShape shape_;
  Offset copy_;
  Pass pass_;
};

void PlaneExecutable::compute_block(const WindowTensors& tensors, std::int64_t n, Range windows,
                                    float* copy) const noexcept {
  const StridedMatmul& p = product_;
  const std::int64_t pitch = shape_.pitch.value();
  // A step that is never taken may be too large to multiply.
  const std::int64_t step = windows.size() > 1 ? p.rows.step : 0;
  const std::int64_t top = p.rows.first + windows.begin * p.rows.step;
  const std::int64_t copied = reach(p.rows, windows.size()).value();
  const Range rows = inside(copied, 1, top, p.rows.size);
  const Range cols = inside(pitch, 1, p.cols.first, p.cols.size);
  const bool any = rows.size() > 0 && cols.size() > 0;
  const std::int64_t channel = n % channels_;
  p.kernels->plane_copy({
      .from = any ? tensors.image + p.image_offset + (n * p.rows.size + top + rows.begin) * p.cols.size + p.cols.first +
                        cols.begin
                  : nullptr,
      .from_row = offset(p.cols.size),
      .rows = any ? offset(rows.size()) : 0,
      .columns = offset(cols.size()),
      .to = copy,
      .pitch = offset(pitch),
      .to_rows = offset(copied),
      .top = offset(rows.begin),
      .left = offset(cols.begin),
  });
  micro_kernels::PlaneRows tiles{
      .row = offset(step * pitch),
      .tap_row = p.rows.taps > 1 ? offset(p.rows.dilation * pitch) : 0,
      .tap_column = p.cols.taps > 1 ? offset(p.cols.dilation) : 0,
      .w = tensors.weights + p.weights.first + channel * channel_step_,
      .w_row = offset(p.weights.row),
      .w_column = offset(p.weights.col),
      .tap_rows = offset(p.rows.taps),
      .tap_columns = offset(p.cols.taps),
      .start = tensors.bias ? tensors.bias[channel] : 0.0F,
      .out_row = offset(p.out.row),
      .columns = offset(p.cols.windows),
      .clamp = tensors.clamp,
  };
  for (std::int64_t i = 0; i < windows.size(); i += kPlaneRows) {
    tiles.rows = static_cast<int>(std::min<std::int64_t>(kPlaneRows, windows.size() - i));
    tiles.in = copy + i * step * pitch;
    tiles.out = tensors.out + p.out.at(n, windows.begin + i, 0);
    p.kernels->plane_rows(tiles);
  }
}

/// Whether each filter reads a plane of its own.
bool one_plane_per_filter(const Geometry& g) noexcept {
  return (g.c == 1 && g.k == 1) || (g.layout == Layout::nchw && g.group_c == 1 && g.group_k == 1);
}

/// The product of the planes of all images and channels, as images with one channel.
StridedMatmul planes_product(const Geometry& g, const KernelSet& kernels, Pass pass) noexcept {
  const Geometry one = planes_as_images(g);
  StridedMatmul p = only_product(one, kernels, pass);
  // The weights of the neighboring channels may lie between two taps.
  const std::int64_t tap = w_view<const float>(nullptr, g).stride_1 / w_view<const float>(nullptr, one).stride_1;
  for (std::int64_t* step : {&p.weights.first, &p.weights.row, &p.weights.col}) *step *= tap;
  return p;
}

}  // namespace

std::string plane_unsupported_reason(const Geometry& g, Pass pass) {
  if (!one_plane_per_filter(g) || pass == Pass::backward_weights) {
    if (is_pointwise(g)) return pointwise_unsupported_reason(g, pass);
    return text("it supports one filter per plane, or 1 x 1 kernels with stride 1 and no padding, in NCHW");
  }
  if (pass != Pass::forward && g.stride_h != 1) {
    return text("it runs as a forward pass with the flipped kernel, which needs stride 1");
  }
  if (g.stride_w != 1) return text("its registers hold neighboring columns, which needs stride_w 1");
  // A padding or dilation much larger than the image makes the copy too large. Tested with the widest registers of the
  // architecture, so that the result is the same on all its machines.
  const StridedMatmul p = planes_product(g, *micro_kernels::compiled_sets().front().kernels, pass);
  const CheckedInt floats = PlaneShape(p).floats;
  const std::int64_t most = (CheckedInt(p.rows.size) * p.cols.size * 8 + (1 << 16)).value_or(0);
  if (floats.fits() && floats.value() <= most) return {};
  return text("its padded copy would be much larger than the plane");
}

ExecutablePointer prepare_plane(const Geometry& g, Pass pass, const PrepareOptions& options) {
  if (!one_plane_per_filter(g) || pass == Pass::backward_weights) return prepare_pointwise(g, pass, options);
  const StridedMatmul p = planes_product(g, *options.kernels, pass);
  CONV2D_DCHECK(p.groups == 1 && p.channels == 1 && p.out_channels == 1 && p.taps() > 0);
  CONV2D_DCHECK(p.cols.windows <= 1 || (p.cols.step == 1 && p.out.col == 1));
  const std::int64_t channel_step = w_view<const float>(nullptr, g).stride_3;
  return std::make_unique<PlaneExecutable>(p, g.c, channel_step, pass, options.parts);
}

}  // namespace conv2d::engine
