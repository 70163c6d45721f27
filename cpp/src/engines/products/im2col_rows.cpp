#include "cost/constants.hpp"
#include "dcheck/dcheck.hpp"
#include "engines/products/products.hpp"

namespace conv2d::engine {
namespace {

/// One window, which begins at the first cell.
constexpr WindowAxis one_window(std::int64_t taps, std::int64_t size) noexcept {
  return {.windows = 1, .first = 0, .step = 1, .taps = taps, .dilation = 1, .size = size};
}

// A block stays in L2: 96 rows of 576 floats are 220 kB.
constexpr std::int64_t kBlockRows = 96;

/// With few rows, the weights are larger than the matrix: the only block packs each panel just before its use, while it
/// is in the cache. Packing all of them first would read them from memory twice (7 x 7 x 512 -> 512, 3 x 3: 9 MB).
std::int64_t rows_of_block(std::int64_t rows) noexcept {
  return std::max<std::int64_t>(1, rows <= kBlockWindows ? rows : kBlockRows);
}

StridedMatmul with_rows(StridedMatmul product, std::int64_t rows) noexcept {
  product.n = rows;
  return product;
}

/// forward: writes rows of x_col and multiplies them. backward_data: multiplies rows of dx_col and adds them to dx.
class Im2colRows final : public Executable {
 public:
  Im2colRows(const Geometry& g, Pass pass, ColumnOrder order, const PrepareOptions& options)
      : g_(g),
        pass_(pass),
        order_(order),
        rows_(pass == Pass::forward ? x_col_product(g, *options.kernels, order, positions_of(g))
                                    : dx_col_product(g, *options.kernels, positions_of(g)),
              own_) {
    columns_ = own_.take(CheckedInt(rows_.block()) * columns_of(g));
    const bool forward = pass == Pass::forward;
    units_ = forward ? ceil_div(positions_of(g), rows_.block()) : g.n;
    divides_ = forward || g.n > 1;
    parts_ = parts_of(units_, options.parts);
    cost_ = cycles(options.kernels->costs->im2col);
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    float* const columns = columns_.in(memory.own);
    const bool forward = pass_ == Pass::forward;
    const std::int64_t image = g_.h * g_.w * g_.c;
    const Range units = part.of(units_), positions = positions_in(units);
    if (!forward) std::fill_n(o.out + units.begin * image, units.size() * image, 0.0F);
    const auto begin_group = [&](std::int64_t group) { rows_.begin_group(o.w + group * g_.group_k, memory.own); };
    const auto multiply = [&](ColumnRows rows) {
      rows.order = order_;
      const std::int64_t filter = rows.group * g_.group_k;
      const std::int64_t first_y = rows.first * g_.k + filter;
      WindowTensors tensors{.image = columns, .weights = o.w + filter, .out = columns};
      if (forward) {
        im2col(g_, rows, o.x, columns);
        tensors.bias = o.b ? o.b + filter : nullptr;
        tensors.clamp = o.clamp;
        tensors.out = o.out + first_y;
      } else {
        tensors.image = o.dy + first_y;
      }
      rows_.multiply(tensors, rows.count, memory.own);
      if (!forward) col2im_add(g_, rows, columns, o.out);
    };
    return for_each_block(g_, positions, rows_.block(), progress, begin_group, multiply);
  }

 private:
  [[nodiscard]] Range positions_in(Range units) const noexcept {
    const std::int64_t unit = pass_ == Pass::forward ? rows_.block() : g_.oh * g_.ow;
    return {units.begin * unit, std::min(units.end * unit, positions_of(g_))};
  }

  /// Of the largest part.
  [[nodiscard]] double cycles(const cost::Im2col& c) const noexcept {
    const auto columns = static_cast<double>(columns_of(g_)), taps = static_cast<double>(g_.kh * g_.kw);
    const bool forward = pass_ == Pass::forward;
    const double copy = !forward                         ? c.col2im_tap * taps + c.col2im_float * columns
                        : order_ == ColumnOrder::kh_kw_c ? c.tap * taps + c.tap_float * columns
                                                         : c.c_kh_kw_tap * taps + c.c_kh_kw_float * columns;
    const double share = largest_part(units_, parts_);
    const double per_group =
        rows_.packing_cost() + share * (rows_.cost() + copy * static_cast<double>(positions_of(g_)));
    const double cleared = forward ? 0.0 : c.cleared_float * static_cast<double>(g_.x_size) * share;
    return static_cast<double>(g_.groups) * per_group + cleared;
  }

  Geometry g_;
  Pass pass_;
  ColumnOrder order_;
  RowBlocks rows_;
  /// What is divided among threads: blocks of positions; or images, since the copies of a cell are added one after the
  /// other.
  std::int64_t units_ = 0;
  Offset columns_;  ///< a block of x_col or dx_col
};

}  // namespace

StridedMatmul x_col_product(const Geometry& g, const micro_kernels::KernelSet& kernels, ColumnOrder order,
                            std::int64_t rows) noexcept {
  CONV2D_DCHECK(g.layout == Layout::nhwc);
  StridedMatmul p;
  p.kernels = &kernels;
  p.n = rows;
  p.out_channels = g.group_k;
  p.out.image = g.k;
  if (order == ColumnOrder::kh_kw_c) {
    // HWIO weights are w_col with rows k apart: a row of x_col is one cell.
    p.rows = p.cols = one_window(1, 1);
    p.channels = columns_of(g);
    p.weights = {.channel = g.k, .column = 1};
  } else {
    // A row of x_col is an image of group_c x (kh * kw) cells with one channel.
    const std::int64_t taps = g.kh * g.kw;
    p.rows = one_window(g.group_c, g.group_c);
    p.cols = one_window(taps, taps);
    p.channels = 1;
    p.weights = {.row = g.k, .col = g.group_c * g.k, .column = 1};
  }
  return p;
}

StridedMatmul dx_col_product(const Geometry& g, const micro_kernels::KernelSet& kernels, std::int64_t rows) noexcept {
  CONV2D_DCHECK(g.layout == Layout::nhwc);
  // The filters of a group are one cell of dy; the other groups are further cells, which the window does not cover.
  StridedMatmul p;
  p.kernels = &kernels;
  p.n = rows;
  p.rows = one_window(1, 1);
  p.cols = one_window(1, g.groups);
  p.channels = g.group_k;
  p.out_channels = columns_of(g);
  p.weights = {.channel = 1, .column = g.k};
  p.out.image = columns_of(g);
  return p;
}

RowBlocks::RowBlocks(const StridedMatmul& product, ScratchLayout& scratch) noexcept
    : block_(rows_of_block(product.n)), packs_first_(product.n > block_) {
  ScratchLayout unused;  // the weights of several blocks are packed in memory of their own
  plan_ = WindowPlan::of(with_rows(product, block_), packs_first_ ? unused : scratch);
  CONV2D_DCHECK(plan_.blocks == 1 && plan_.block.access == InputAccess::in_place);
  if (packs_first_) packed_ = scratch.take(packed_weights_floats(product));
  const cost::Products& c = product.kernels->costs->products;
  const double row = c.row + c.row_float * static_cast<double>(product.reduction());
  packing_cost_ = window_packing_cost(product);
  cost_ = c.from_memory * window_cost(product) + row * static_cast<double>(product.n);
}

void RowBlocks::begin_group(const float* w, float* memory) const noexcept {
  if (packs_first_) pack_weights(plan_.product, w, packed_.in(memory));
}

void RowBlocks::multiply(WindowTensors tensors, std::int64_t count, float* memory) const noexcept {
  CONV2D_DCHECK(count >= 1 && count <= block_);
  WindowPlan plan = plan_;
  plan.product.n = count;
  tensors.packed = packs_first_ ? packed_.in(memory) : nullptr;
  Progress unseen({}, 0);
  WindowRunner(plan, tensors, memory).run(unseen);
}

template <ColumnOrder kOrder>
ExecutablePointer prepare_im2col(const Geometry& g, Pass pass, const PrepareOptions& options) {
  CONV2D_DCHECK(g.layout == Layout::nhwc && (pass == Pass::forward || kOrder == ColumnOrder::kh_kw_c));
  return std::make_unique<Im2colRows>(g, pass, kOrder, options);
}
template ExecutablePointer prepare_im2col<ColumnOrder::kh_kw_c>(const Geometry&, Pass, const PrepareOptions&);
template ExecutablePointer prepare_im2col<ColumnOrder::c_kh_kw>(const Geometry&, Pass, const PrepareOptions&);

}  // namespace conv2d::engine
