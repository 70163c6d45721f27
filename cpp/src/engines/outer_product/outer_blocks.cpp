#include "engines/outer_product/outer_blocks.hpp"
#include "cost/constants.hpp"
#include "dcheck/dcheck.hpp"
#include "engines/windows/strided_matmul.hpp"
#include "engines/windows/window_plan.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/panels.hpp"

namespace conv2d::engine {
namespace {

// The floats that one tile reads per block should stay in L1, or in L2 next to it (32 kB). With few filters they
// include all of x, which stays in L2.
constexpr std::int64_t kTileInputFloats = 8192;
constexpr std::int64_t kFewFilters = 4;
constexpr std::int64_t kFewFilterFloats = 65536;
// With AVX-512, x and dy of a whole block should stay in L2 (512 kB of 1 MB or more), from which a tile reads two whole
// cache lines per pixel while it computes for 12 cycles. Fewer tiles then begin and end: on a Zen 5 core, blocks of L1
// took 5 to 20 % longer in all named shapes.
constexpr std::int64_t kLargeBlockFloats = 131072;

/// One row of a panel: `channels` channels of every stored column, zeros where the column is padding.
void pack_row(const Geometry& g, const OuterBlocks& b, const float* x_row, std::int64_t channels, float* to) noexcept {
  const Range inner = inside(b.columns.count, b.columns.step, b.columns.first, g.w);
  std::fill_n(to, inner.begin * b.width, 0.0F);
  if (inner.size() > 0) {
    pack_column_lanes(x_row + (b.columns.first + inner.begin * b.columns.step) * g.c,
                      inner.size() > 1 ? b.columns.step * g.c : 0,
                      {.valid = channels, .width = b.width, .reduction = inner.size()}, to + inner.begin * b.width);
  }
  std::fill(to + inner.end * b.width, to + b.columns.count * b.width, 0.0F);
}

/// Cycles per pixel of the tiles of a span's `rows` rows and `filters` filters.
double cycles_per_pixel(const OuterBlocks& blocks, std::int64_t rows, std::int64_t filters) noexcept {
  const KernelSet& k = *blocks.kernels;
  const cost::OuterProduct& c = k.costs->outer_product;
  const auto tile = [&c](double registers) { return std::max(c.tile_min, c.tile_register * registers); };
  if (blocks.transposed) {
    const std::int64_t tiles = ceil_div(filters, k.outer_tile_rows);
    const auto tile_rows = static_cast<int>(ceil_div(filters, tiles));
    const std::int64_t most = micro_kernels::outer_vectors(tile_rows, micro_kernels::TileWidth::wide);
    const std::int64_t vectors = ceil_div(rows, k.lanes);
    const double rest = static_cast<double>((vectors % most + 1) / 2) * tile(2.0 * tile_rows);
    return static_cast<double>(tiles) *
           (static_cast<double>(vectors / most) * tile(static_cast<double>(most * tile_rows)) + rest);
  }
  if (blocks.triples()) return tile(static_cast<double>(micro_kernels::kTripleSpans * rows));
  const std::int64_t tiles = ceil_div(rows, most_tile_rows(k, filters, rows));
  const double tile_rows = static_cast<double>(rows) / static_cast<double>(tiles);
  const auto panels = static_cast<double>(ceil_div(filters, k.tile_columns()));
  return static_cast<double>(tiles) * panels * tile(tile_rows * k.tile_vectors);
}

/// Whether a kernel has three rows of taps, most of them inside the image: a triple also multiplies those in the
/// padding.
bool three_rows_of_taps(const Geometry& g) noexcept {
  if (g.kh != micro_kernels::kTripleSpans || g.dilation_h != 1) return false;
  double inside_rows = 0;
  for (std::int64_t p = 0; p < g.kh; ++p) {
    inside_rows += static_cast<double>(inside(g.oh, g.stride_h, p - g.padding.top, g.h).size());
  }
  return inside_rows >= 0.875 * static_cast<double>(g.kh) * static_cast<double>(g.oh);
}

/// The units of a division by columns: groups, or tiles of filters.
std::int64_t column_units(const Geometry& g, const KernelSet& k) noexcept {
  return g.groups > 1 ? g.groups : ceil_div(g.group_k, k.tile_columns());
}

/// The number of units of a division.
std::int64_t count_of(const Geometry& g, const OuterBlocks& blocks, OuterUnits units) noexcept {
  switch (units) {
    case OuterUnits::columns:
      return column_units(g, *blocks.kernels);
    case OuterUnits::panels:
      return blocks.panels;
    case OuterUnits::taps:
      break;
  }
  return blocks.tap_rows(g);
}

/// Whether the set has the registers, and the processor the L2, of AVX-512.
bool has_large_blocks(const KernelSet& k) noexcept { return kLargeSets && k.lanes == micro_kernels::kMaxLanes; }

/// Whether all filters fit into one register.
bool is_narrow(const Geometry& g, const KernelSet& k) noexcept { return kLargeSets && g.group_k <= k.lanes; }

OuterSpans spans_of(const Geometry& g, const KernelSet& k) noexcept {
  const auto registers = [&k](std::int64_t down, std::int64_t across) {  // of sums
    return static_cast<double>(down) * static_cast<double>(ceil_div(across, k.tile_columns()));
  };
  // The channels of adjacent taps are adjacent in memory. Treating a row of taps as one span pays where the channels of
  // one tap do not fill a tile. It also multiplies the taps in the padding.
  const bool few_channels = g.group_c < 4 || (g.group_c < 16 && g.group_c % 4 != 0);
  const bool adjacent_taps = g.groups == 1 && g.dilation_w == 1;
  const std::int64_t row_of_taps = g.kw * g.group_c;
  OuterSpans s;
  s.few_filters = g.group_k <= kFewFilters;
  // 10 filters fill 10 lanes of 16; 35 rows of dw fill 35 of 40. At a fifth fewer registers, transposing dw at the end
  // pays.
  s.transposed = s.few_filters || (few_channels && adjacent_taps &&
                                   1.2 * registers(g.group_k, row_of_taps) < registers(row_of_taps, g.group_k));
  s.whole_rows = adjacent_taps && (few_channels || s.transposed);
  s.borders = s.whole_rows || g.kw == 1;
  s.triple = s.whole_rows && !s.transposed && is_narrow(g, k) && row_of_taps <= micro_kernels::kTripleRows &&
             k.outer_triple[0] && three_rows_of_taps(g);
  s.spans = s.borders ? 1 : g.kw;
  s.rows = s.borders ? row_of_taps : g.group_c;
  return s;
}

StoredCells columns_of(const Geometry& g, const OuterSpans& spans) noexcept {
  if (g.kw == 1) return {-g.padding.left, g.stride_w, g.ow};
  if (spans.borders) return {-g.padding.left, 1, (g.ow - 1) * g.stride_w + g.kw};
  return {0, 1, g.w};
}

OuterPanels panels_of(const Geometry& g, const KernelSet& k, const OuterSpans& spans, int threads) noexcept {
  const bool one_panel = spans.transposed || (spans.whole_rows && g.kw > 1) || g.group_c <= k.outer_tile_rows;
  OuterPanels p;
  p.tile_width = p.width = one_panel ? g.group_c : even_part(g.group_c, k.tile_rows);
  // A single thread needs no panels to divide.
  if (!one_panel && is_narrow(g, k) && threads == 1) p.width = even_part(g.group_c, k.outer_narrow_rows);
  // Few channels of single cells are not worth a copy.
  constexpr std::int64_t kFewCellLines = 4;
  const bool few_lines = g.groups == 1 && g.c <= kFewCellLines * micro_kernels::kMaxLanes;
  if (has_large_blocks(k) && g.kh == 1 && g.kw == 1 && few_lines && column_units(g, k) >= threads) p.width = g.c;
  p.panels = ceil_div(g.group_c, p.width);
  return p;
}

bool reads_x_in_place(const Geometry& g, const OuterBlocks& b) noexcept {
  const bool all_columns_real =
      b.columns.first >= 0 && b.columns.count > 0 && b.columns.first + (b.columns.count - 1) * b.columns.step < g.w;
  const bool all_rows_real = g.padding.top <= 0 && (g.oh - 1) * g.stride_h + g.dilated_kh - g.padding.top <= g.h;
  return b.panels == 1 && all_columns_real && (!b.triples() || all_rows_real) &&
         !(b.transposed && b.rows % (2 * b.kernels->lanes) != 0);
}

/// The blocks, and with them the order of summation, must not depend on the threads.
OuterBlockSize block_of(const Geometry& g, const OuterBlocks& b) noexcept {
  const std::int64_t columns = b.kernels->tile_columns();
  const CheckedInt x_cells = CheckedInt(g.kh == 1 ? 1 : g.stride_h) * (g.kw == 1 ? 1 : g.stride_w);
  const CheckedInt of_tile = x_cells * b.tile_width + (b.dy_in_place ? g.k : columns);
  const CheckedInt of_block = x_cells * g.group_c + (b.dy_in_place ? g.k : 2 * columns);
  const auto units_that_fit = [&](CheckedInt pixels) {
    const auto fit = [&](std::int64_t most, CheckedInt per_pixel) {
      return most / std::max<std::int64_t>(1, (per_pixel * pixels).value_or(most + 1));
    };
    const std::int64_t tiles = fit(b.few_filters ? kFewFilterFloats : kTileInputFloats, of_tile);
    return has_large_blocks(*b.kernels) ? std::max(tiles, fit(kLargeBlockFloats, of_block)) : tiles;
  };
  const std::int64_t lines = even_part(g.oh, units_that_fit(g.ow));
  return {.lines = lines, .images = lines == g.oh ? even_part(g.n, units_that_fit(CheckedInt(g.ow) * g.oh)) : 1};
}

}  // namespace

std::int64_t most_tile_rows(const KernelSet& k, std::int64_t group_k, std::int64_t rows) noexcept {
  if (kLargeSets && group_k <= k.lanes) return k.outer_narrow_rows;
  return rows % k.tile_rows == 0 ? k.tile_rows : k.outer_tile_rows;
}

OuterBlocks OuterBlocks::of(const Geometry& g, const KernelSet& k, int threads) noexcept {
  CONV2D_DCHECK(g.layout == Layout::nhwc);
  OuterBlocks b;
  b.kernels = &k;
  static_cast<OuterSpans&>(b) = spans_of(g, k);
  static_cast<OuterPanels&>(b) = panels_of(g, k, b, threads);
  b.columns = columns_of(g, b);
  b.row_step = g.kh == 1 ? g.stride_h : 1;
  b.x_in_place = reads_x_in_place(g, b);
  b.dy_in_place =
      b.transposed || (g.groups == 1 && g.k % k.lanes == 0 && g.k <= (has_large_blocks(k) ? 8 : 4) * k.tile_columns());
  static_cast<OuterBlockSize&>(b) = block_of(g, b);
  return b;
}

StoredCells stored_rows(const Geometry& g, const OuterBlocks& b, Range lines) noexcept {
  const std::int64_t first = lines.begin * g.stride_h - g.padding.top;
  const std::int64_t last = (lines.end - 1) * g.stride_h - g.padding.top + g.dilated_kh - 1;
  const std::int64_t count = (last - first) / b.row_step + 1;
  if (b.triples()) return {first, b.row_step, count};
  const Range real = inside(count, b.row_step, first, g.h);
  return {first + real.begin * b.row_step, b.row_step, real.size()};
}

CheckedInt panel_floats(const Geometry& g, const OuterBlocks& b, std::int64_t panels) noexcept {
  if (b.x_in_place) return 0;
  // The rows of x of a block: at most all rows.
  const CheckedInt reached = CheckedInt(b.lines - 1) * (b.row_step > 1 ? 1 : g.stride_h) + g.dilated_kh;
  const CheckedInt rows = b.triples() ? reached : CheckedInt(std::min(reached.value_or(g.h), g.h));
  const CheckedInt floats = CheckedInt(b.images) * rows * b.columns.count * (panels * b.width);
  // The last register of a tile may read past the last cell.
  return floats + 64;
}

void pack_x_panels(const Geometry& g, const OuterBlocks& b, const float* x, std::int64_t group, Range chosen,
                   Range images, const StoredCells& rows, float* panels) noexcept {
  CONV2D_DCHECK(group >= 0 && group < g.groups && chosen.begin >= 0 && chosen.end <= b.panels);
  CONV2D_DCHECK(images.begin >= 0 && images.end <= g.n);
  const std::int64_t row_floats = b.columns.count * b.width;
  for (std::int64_t panel = chosen.begin; panel < chosen.end; ++panel) {
    const std::int64_t channel = panel * b.width;
    const std::int64_t channels = std::min(b.width, g.group_c - channel);
    for (std::int64_t n = images.begin; n < images.end; ++n) {
      for (std::int64_t t = 0; t < rows.count; ++t) {
        const std::int64_t row = rows.first + t * rows.step;
        if (row < 0 || row >= g.h) {
          std::fill_n(panels, row_floats, 0.0F);
        } else {
          pack_row(g, b, x + (n * g.h + row) * g.w * g.c + group * g.group_c + channel, channels, panels);
        }
        panels += row_floats;
      }
    }
  }
}

double outer_cost(const Geometry& g, const OuterBlocks& blocks) noexcept {
  const KernelSet& k = *blocks.kernels;
  const auto pixels = static_cast<double>(g.n * g.oh * g.ow);
  // Taps in the padding are left out, except in the columns of borders.
  const StridedMatmul windows = forward_product(g, k);
  const double inside_rows = blocks.triples() ? 1.0 : fraction_inside(windows.rows);
  const double lines = inside_rows * static_cast<double>(g.oh) * static_cast<double>(blocks.tap_rows(g));
  const double inside_columns = blocks.borders ? 1.0 : fraction_inside(windows.cols);
  const double columns = inside_columns * static_cast<double>(g.ow) * static_cast<double>(blocks.spans);
  const auto span_lines = lines * static_cast<double>(g.n * blocks.spans);
  const double per_pixel =
      static_cast<double>(blocks.panels - 1) * cycles_per_pixel(blocks, blocks.rows_in(0), g.group_k) +
      cycles_per_pixel(blocks, blocks.rows_in(blocks.panels - 1), g.group_k);
  // The overhead of a tile beyond its multiply-adds, per line and per block.
  const cost::OuterProduct& c = k.costs->outer_product;
  const std::int64_t tile_floats = (blocks.transposed ? g.group_k : k.tile_rows) * k.tile_columns();
  const double tiles = static_cast<double>(ceil_div(dw_rows(g) * g.group_k, tile_floats));
  const double tiles_per_span = tiles / static_cast<double>(g.kh * blocks.spans);
  const double all_blocks = static_cast<double>(ceil_div(g.oh, blocks.lines) * ceil_div(g.n, blocks.images));
  const double pack_x = blocks.x_in_place ? 0.0 : c.packed_x_float * static_cast<double>(g.n * g.h * g.w * g.group_c);
  const double pack_dy = blocks.dy_in_place ? 0.0 : c.packed_dy_float * pixels * static_cast<double>(g.group_k);
  const double per_group = static_cast<double>(g.n) * lines * columns * per_pixel +
                           tiles_per_span * span_lines * c.line + tiles * all_blocks * c.tile + pack_x + pack_dy;
  return static_cast<double>(g.groups) * per_group;
}

OuterDivision OuterDivision::of(const Geometry& g, const OuterBlocks& blocks, int most) noexcept {
  CONV2D_DCHECK(most >= 1);
  OuterDivision best;
  if (!kThreads || most == 1) return best;
  const KernelSet& k = *blocks.kernels;
  const double whole = k.costs->outer_product.divided_register * static_cast<double>(g.macs()) / k.lanes;
  for (const OuterUnits units : {OuterUnits::columns, OuterUnits::panels, OuterUnits::taps}) {
    // The rows of transposed tiles are transposed at the end: those of whole rows of taps.
    if (blocks.transposed && units != OuterUnits::taps) continue;
    const OuterDivision division{.parts = parts_of(count_of(g, blocks, units), most), .units = units};
    const bool first = best.parts == 1;
    if (division.parts > 1 && (first || division.cost(g, blocks, whole) < best.cost(g, blocks, whole))) best = division;
  }
  return best;
}

OuterPart OuterDivision::part(const Geometry& g, const OuterBlocks& blocks, Part which) const noexcept {
  OuterPart mine{.groups = {0, g.groups},
                 .filters = {0, g.group_k},
                 .panels = {0, blocks.panels},
                 .taps = {0, blocks.tap_rows(g)}};
  if (which.whole()) return mine;
  if (units == OuterUnits::taps) {
    mine.taps = which.of(mine.taps.end);
  } else if (units == OuterUnits::panels) {
    mine.panels = which.of(blocks.panels);
  } else if (g.groups > 1) {
    mine.groups = which.of(g.groups);
  } else {
    mine.filters = which.of(g.group_k, blocks.kernels->tile_columns());
  }
  return mine;
}

double OuterDivision::cost(const Geometry& g, const OuterBlocks& blocks, double whole) const noexcept {
  if (!kThreads || parts == 1) return whole;
  // What only a divided pass copies: x and the part's columns of dw, dy, or both.
  const std::int64_t packed_x = blocks.x_in_place ? 0 : g.x_size, packed_dy = blocks.dy_in_place ? 0 : g.y_size;
  const std::int64_t repeated = units == OuterUnits::columns  ? g.w_size + packed_x
                                : units == OuterUnits::panels ? packed_dy
                                                              : packed_x + packed_dy;
  return largest_part(count_of(g, blocks, units), parts) * whole +
         blocks.kernels->costs->outer_product.divided_float * static_cast<double>(repeated);
}

}  // namespace conv2d::engine
