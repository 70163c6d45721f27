#include "engines/winograd/winograd_plan.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "cost/constants.hpp"
#include "dcheck/dcheck.hpp"
#include "engines/windows/window_plan.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::engine {
namespace {

/// Transformed cells of a block, in floats: all cells up to kAllCellFloats, else as many as stay in L2.
constexpr std::int64_t kAllCellFloats = 256 * 1024;
constexpr std::int64_t kBlockCellFloats = 96 * 1024;
/// Most floats of packed weights, 20 MB: reading more from memory takes about as long as transforming them.
constexpr std::int64_t kMostPacked = 5 * 1024 * 1024;
/// Most floats of transformed weights that parts share so that each has some of the tiles, 4 MB (two threads in
/// Chromium, 28x28x128: 1.5 to 1.9 times as fast as one, and 1.1 to 1.3 times with some panels for each).
constexpr std::int64_t kMostCommon = 1024 * 1024;
/// Fewest tiles of a block: fewer would leave the micro-kernels' tiles empty.
constexpr std::int64_t kFewestTiles = 12;

/// Floats of `count` matrices, matrix_step(rows * columns) floats apart.
[[gnu::noinline]] CheckedInt matrices_floats(std::int64_t rows, std::int64_t columns, std::int64_t count) noexcept {
  return (CheckedInt(rows) * columns + kCacheLineFloats) * count;
}

CheckedInt cells_floats(const WinogradShape& s, std::int64_t tiles) noexcept {
  return matrices_floats(s.block_of(tiles), s.channels, s.matrices());
}

CheckedInt weights_floats(const WinogradShape& s, std::int64_t panels) noexcept {
  return matrices_floats(s.panels.widest(), s.reduction, s.matrices() * panels);
}

int part_count(const StridedMatmul& p, std::int64_t outputs, int most) noexcept {
  if (!kThreads || most <= 1) return 1;
  const WinogradShape s(p, outputs, most);
  return parts_of(s.keeps_weights ? s.tiles : s.panels.count, most);
}

}  // namespace

WinogradShape::WinogradShape(const StridedMatmul& p, std::int64_t m, int parts) noexcept
    : outputs(m),
      down(ceil_div(p.rows.windows, m)),
      across(ceil_div(p.cols.windows, m)),
      tiles(p.n * down * across),
      reduction(p.channels),
      channels(round_up(p.channels, p.kernels->lanes)),
      panels(*p.kernels, p.out_channels) {
  CONV2D_DCHECK(p.rows.taps == 3 && p.cols.taps == 3 && p.rows.step == 1 && p.cols.step == 1);
  CONV2D_DCHECK(p.rows.dilation == 1 && p.cols.dilation == 1 && p.groups == 1 && (m == 2 || m == 4));
  const std::int64_t floats = matrices() * channels;  // of a tile
  const auto in = [&](std::int64_t all) { return std::max(kFewestTiles, std::min(kBlockWindows, all / floats)); };
  keeps_weights = tiles > in(kAllCellFloats);
  if (kThreads && parts > 1) {
    // Tiles divide more evenly than panels, but then all transformed weights are kept, not all transformed cells. The
    // rows of few tiles fill the micro-kernels' tiles badly.
    const std::int64_t common = tiles >= 2 * kFewestTiles * parts ? kMostCommon : kAllCellFloats;
    keeps_weights |= panels.count < parts || weights_floats(*this, panels.count).value_or(common + 1) <= common;
  }
  block_tiles_max = keeps_weights ? in(kBlockCellFloats) : std::max(kFewestTiles, tiles);
}

WinogradPlan::WinogradPlan(const StridedMatmul& p, Pass of, std::int64_t outputs,
                           const PrepareOptions& options) noexcept
    : product(p),
      pass(of),
      kernels(outputs == 2 ? &p.kernels->winograd_2x2 : &p.kernels->winograd_4x4),
      shape(p, outputs, part_count(p, outputs, options.parts)) {
  parts_ = part_count(p, outputs, options.parts);
  const std::int64_t tiles = shape.tiles_of({parts_ - 1, parts_}).size();  // the last part has the most
  const std::int64_t widest = shape.panels.widest();
  cells = (common_cells() ? common_ : own_).take(cells_floats(shape, tiles));
  weights =
      (common_weights() ? common_ : own_).take(weights_floats(shape, shape.keeps_weights ? shape.panels.count : 1));
  const std::int64_t rows = std::max(shape.block_of(tiles), ceil_div(shape.channels, widest));
  products = own_.take(matrices_floats(widest, rows, shape.matrices()));
  edge = own_.take(CheckedInt(outputs) * outputs * widest);
  const CheckedInt packed = weights_floats(shape, shape.panels.count);
  if (packed.value_or(kMostPacked + 1) <= kMostPacked) {
    packed_floats_ = packed;
    packed_order_ = static_cast<std::uint64_t>(shape.panels.each);
    packs_common_ = common_weights();
  }
  if (common_weights()) shares_ = static_cast<int>(shape.panels.count);
  cost_ = cycles(options.packed_weights && packed_floats_.value_or(0) > 0);
  common_cost_ = common_cells() ? cells_cost(shape.tiles) : common_weights() ? weights_cost(product.out_channels) : 0.0;
}

void WinogradPlan::pack(const float* w, float* packed) const noexcept {
  for (std::int64_t panel = 0; panel < shape.panels.count; ++panel) {
    transform_weights(w, panel, packed + panel * shape.panel_floats());
  }
}

void WinogradPlan::fill_common(const Operands& o, Part part, const Memory& memory) const noexcept {
  if (kThreads) WinogradRunner(*this, window_operands(pass).in(o), part, memory).fill_common();
}

bool WinogradPlan::run(const Operands& o, Part part, const Memory& memory,
                       const ProgressHook& progress) const noexcept {
  return WinogradRunner(*this, window_operands(pass).in(o), part, memory).run(progress);
}

double WinogradPlan::cycles(bool packed_weights) const noexcept {
  // The last part has the most. It multiplies some tiles with all panels, or all tiles with some panels.
  const Part part{parts() - 1, parts()};
  const WinogradShape& s = shape;
  const auto matrices = static_cast<double>(s.matrices());
  const auto channels = static_cast<double>(product.channels);
  const auto lanes = static_cast<double>(s.panels.lanes);
  const std::int64_t tiles = s.tiles_of(part).size();
  const std::int64_t first_panel = s.panels_of(part).begin;  // the last panel is the last part's
  const std::int64_t block = s.block_of(tiles);
  const std::int64_t more = std::max<std::int64_t>(0, s.blocks_of(tiles) - 1);  // blocks before the last
  const auto cover_of = [&](std::int64_t rows) {
    return WindowCover(*product.kernels, offset(rows), offset(s.panels.each));
  };
  const WindowCover cover = cover_of(block), last = cover_of(tiles - more * block);
  const auto row_tiles =
      static_cast<double>(more * (cover.main_tiles + cover.rest_tiles) + last.main_tiles + last.rest_tiles);
  const auto rows = static_cast<double>(more * cover.done() + last.done());
  const cost::Winograd& c = product.kernels->costs->winograd;
  const double multiplying =
      matrices *
      (c.step_register * rows * static_cast<double>(s.panels.vectors - first_panel * s.panels.each) * channels +
       c.row_tile * row_tiles * static_cast<double>(s.panels.count - first_panel));
  const double transforming_outputs = static_cast<double>(part.of(s.tiles).size()) *
                                      static_cast<double>(product.out_channels) * c.tile_register * matrices / lanes;
  const double transforming_cells = common_cells() ? 0.0 : cells_cost(tiles);
  const bool given_weights = packed_weights || common_weights();
  return multiplying + transforming_outputs + transforming_cells +
         (given_weights ? 0.0 : weights_cost(product.out_channels - s.panels.first_column(first_panel)));
}

double WinogradPlan::cells_cost(std::int64_t tiles) const noexcept {
  const cost::Winograd& c = product.kernels->costs->winograd;
  return static_cast<double>(tiles) *
         (c.tile + c.tile_register * static_cast<double>(product.channels * shape.matrices()) /
                       static_cast<double>(shape.panels.lanes));
}

double WinogradPlan::weights_cost(std::int64_t columns) const noexcept {
  const cost::Winograd& c = product.kernels->costs->winograd;
  return static_cast<double>(product.channels * columns) *
         (c.weight_cell * static_cast<double>(shape.matrices()) + c.weight);
}

std::string winograd_unsupported_reason(const Geometry& g, Pass) {
  if (g.kh != 3 || g.kw != 3) return text("it supports 3 x 3 kernels, and this one is ", g.kh, " x ", g.kw);
  if (g.stride_h != 1 || g.stride_w != 1) return text("its tiles overlap by 2 cells, which needs stride 1");
  if (g.dilation_h != 1 || g.dilation_w != 1) return text("its tiles have adjacent cells, which needs dilation 1");
  if (g.groups != 1) return text("it supports one group, and there are ", g.groups);
  return {};
}

template <int kOutputs>
ExecutablePointer prepare_winograd(const Geometry& g, Pass pass, const PrepareOptions& options) {
  return std::make_unique<WinogradPlan>(only_product(g, *options.kernels, pass), pass, kOutputs, options);
}
template ExecutablePointer prepare_winograd<2>(const Geometry&, Pass, const PrepareOptions&);
template ExecutablePointer prepare_winograd<4>(const Geometry&, Pass, const PrepareOptions&);

}  // namespace conv2d::engine
