// The trace includes internal headers of the algorithms: stages and partial results use the same loops, transforms and
// products, so that they cannot differ from what the kernels compute.

#include "desc/windows.hpp"
#include "teaching_loops/full_convolution.hpp"
#include "teaching_loops/teaching_loops.hpp"
#include "trace/parts.hpp"

namespace conv2d {
namespace {

/// The name of a stage, and the tensors that it reads.
struct StageEntry {
  std::string_view name;
  bool x = false, w = false, dy = false;
};

/// In the order of Stage.
constexpr StageEntry kStages[] = {
    {.name = "x_padded", .x = true},
    {.name = "x_col", .x = true},
    {.name = "w_col", .w = true},
    {.name = "y_col", .x = true, .w = true},
    {.name = "dy_col", .dy = true},
    {.name = "dx_col", .w = true, .dy = true},
    {.name = "dw_col", .x = true, .dy = true},
    {.name = "dy_upsampled", .dy = true},
    {.name = "dy_extended", .dy = true},
    {.name = "dy_inserted", .dy = true},
    {.name = "w_exchanged", .w = true},
    {.name = "w_flipped", .w = true},
    {.name = "dx_padded", .w = true, .dy = true},
    {.name = "dw_uncropped", .x = true, .dy = true},
    {.name = "dw_per_image", .x = true, .dy = true},
};

const StageEntry& entry_of(Stage stage) noexcept { return kStages[static_cast<std::size_t>(stage)]; }

/// Precondition for dy_inserted: its size fits in 63 bits.
UpsampledGrid grid_of(const Geometry& g, Stage stage) noexcept {
  CONV2D_DCHECK(stage != Stage::dy_inserted || teaching_loops::full_grid_floats(g).fits());
  if (stage == Stage::dy_upsampled) return inserted_grid(g);
  return stage == Stage::dy_extended ? extended_grid(g) : full_grid(g);
}

/// The shape. The product of its sizes may overflow. Precondition: that of grid_of.
Shape sizes_of(const Geometry& g, Stage stage, bool transposed) noexcept {
  if (trace::is_matrix(stage)) {
    const auto [rows, cols] = trace::matrix_size(g, stage);
    return transposed ? Shape{g.groups, cols, rows, 1} : Shape{g.groups, rows, cols, 1};
  }
  switch (stage) {
    case Stage::x_padded:
    case Stage::dx_padded:
      return activation_shape(g.layout, g.n, padded_h(g), padded_w(g), g.c);
    case Stage::w_exchanged:
    case Stage::w_flipped:
      return weights_shape(g.weights_layout, g.kh, g.kw, g.group_k, g.c);
    case Stage::dw_uncropped:
    case Stage::dw_per_image: {
      const teaching_loops::PositionGrid positions = teaching_loops::all_positions(g);
      return weights_shape(g.weights_layout, positions.rows, positions.cols, g.group_c,
                           stage == Stage::dw_per_image ? g.n * g.k : g.k);
    }
    default: {
      const UpsampledGrid grid = grid_of(g, stage);
      return activation_shape(g.layout, g.n, grid.rows, grid.cols, g.k);
    }
  }
}

void dw_per_image(const Geometry& g, const engine::Operands& o) noexcept {
  const teaching_loops::PositionGrid positions = teaching_loops::all_positions(g);
  const auto dw = weights_view(o.out, g.weights_layout, positions.rows, positions.cols, g.group_c, g.n * g.k);
  std::fill_n(o.out, positions.rows * positions.cols * g.group_c * g.n * g.k, 0.0F);
  teaching_loops::add_images(g, o, positions, {.dw = dw, .image_stride = dw.stride_3 * g.k}, {});
}

void compute_tensor(const Geometry& g, Stage stage, const StageInputs& in, float* out) noexcept {
  const engine::Operands operands{.x = in.x.data(), .w = in.w.data(), .dy = in.dy.data(), .out = out};
  switch (stage) {
    case Stage::x_padded:
      return pad_x(g, in.x.data(), out);
    case Stage::w_exchanged:
      return swap_weight_channels(g, in.w.data(), false, out);
    case Stage::w_flipped:
      return swap_weight_channels(g, in.w.data(), true, out);
    case Stage::dx_padded: {
      const Geometry padded = with_padding_as_image(g);
      return teaching_loops::gather_cells(padded, operands, {0, padded.n * padded.h * padded.w});
    }
    case Stage::dw_uncropped: {
      const teaching_loops::PositionGrid positions = teaching_loops::all_positions(g);
      return teaching_loops::dilated_dy_positions(g, operands, positions, {0, positions.rows * positions.cols});
    }
    case Stage::dw_per_image:
      return dw_per_image(g, operands);
    default:
      return upsample_dy(g, grid_of(g, stage), in.dy.data(), out);
  }
}

}  // namespace

std::string_view to_string(Stage stage) noexcept {
  return static_cast<std::size_t>(stage) < std::size(kStages) ? entry_of(stage).name : "unknown";
}

Result<Shape> stage_shape(const Geometry& g, Stage stage, const StageOptions& options) {
  Status status = check_enumerator("stage", stage, Stage::dw_per_image);
  if (status.ok()) status = check_enumerator("order", options.order, ColumnOrder::c_kh_kw);
  if (!status.ok()) return status;
  const bool countable =
      stage != Stage::dy_inserted || teaching_loops::full_grid_floats(g).value_or(kMaxFloats + 1) <= kMaxFloats;
  if (countable) {
    const Shape shape = sizes_of(g, stage, options.transposed);
    const CheckedInt floats = CheckedInt(shape[0]) * shape[1] * shape[2] * shape[3];
    if (floats.fits() && floats.value() <= kMaxFloats) return shape;
  }
  return Status{ErrorCode::overflow, to_string(stage),
                text(to_string(stage), " would have more than the ", kMaxFloats,
                     " elements that fit the address space; use smaller sizes")};
}

Status compute_stage(const Geometry& g, Stage stage, const StageInputs& in, std::span<float> out,
                     const StageOptions& options) {
  const Result<Shape> shape = stage_shape(g, stage, options);
  if (!shape.ok()) return shape.status();
  const StageEntry& reads = entry_of(stage);
  Status status = check_lengths({
      {"x", in.x.size(), reads.x ? g.x_size : -1},
      {"w", in.w.size(), reads.w ? g.w_size : -1},
      {"dy", in.dy.size(), reads.dy ? g.y_size : -1},
      {to_string(stage), out.size(), trace::elements(*shape)},
  });
  if (!status.ok()) return status;
  if (trace::is_matrix(stage)) return trace::compute_matrix(g, stage, in, options, out.data());
  compute_tensor(g, stage, in, out.data());
  return {};
}

std::int64_t phase_count(const Geometry& g) noexcept { return row_phases(g) * column_phases(g); }

Phase phase_at(const Geometry& g, std::int64_t index) noexcept {
  CONV2D_DCHECK(index >= 0 && index < phase_count(g));
  const std::int64_t columns = column_phases(g);
  return {row_phase(g, index / columns), column_phase(g, index % columns)};
}

}  // namespace conv2d
