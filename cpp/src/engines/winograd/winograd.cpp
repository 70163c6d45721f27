#include "engines/winograd/winograd.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "cost/constants.hpp"
#include "dcheck/dcheck.hpp"
#include "engines/loops.hpp"
#include "engines/windows/windows.hpp"
#include "micro_kernels/kernel_set.hpp"

namespace conv2d::engine {
namespace {

/// Transformed cells of a block, in floats: all cells up to kWhole, else as many as stay in L2.
constexpr std::int64_t kWhole = 256 * 1024;
constexpr std::int64_t kBlock = 96 * 1024;
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
  return matrices_floats(s.panels.widest(), s.k, s.matrices() * panels);
}

int part_count(const WindowProduct& p, std::int64_t outputs, int threads) noexcept {
  if (!kThreads || threads <= 1) return 1;
  const WinogradShape s(p, outputs, threads);
  return parts_of(s.keeps_weights ? s.tiles : s.panels.count, threads);
}

class WinogradExecutable final : public Executable {
 public:
  WinogradExecutable(const Geometry& g, Pass pass, std::int64_t outputs, const PrepareOptions& options) noexcept
      : plan_(only_product(g, *options.kernels, pass), outputs, options.threads, common_, own_), pass_(pass) {
    parts_ = plan_.parts;
    if (const CheckedInt floats = weights_floats(plan_.shape, plan_.shape.panels.count);
        floats.value_or(kMostPacked + 1) <= kMostPacked) {
      packed_floats_ = floats;
      packed_order_ = static_cast<std::uint64_t>(plan_.shape.panels.each);
      packs_common_ = plan_.common_weights();
    }
    cost_ = plan_.cost(options.packed_weights && packed_floats_.value_or(0) > 0);
  }

  void pack(const float* w, float* packed) const noexcept override {
    for (std::int64_t panel = 0; panel < plan_.shape.panels.count; ++panel) {
      plan_.transform_weights(w, panel, packed + panel * plan_.shape.panel_floats());
    }
  }

  void fill_common(const Operands& o, Part part, const Memory& memory) const noexcept override {
    if (kThreads) WinogradRunner(plan_, window_tensors(o, pass_), part, memory).fill_common();
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    WinogradRunner tiles(plan_, window_tensors(o, pass_), part, memory);
    return in_chunks(plan_.steps(part), plan_.macs_per_step(part), progress, [&](Range steps) {
      for (std::int64_t t = steps.begin; t < steps.end; ++t) tiles.step(t);
    });
  }

 private:
  WinogradPlan plan_;
  Pass pass_;
};

}  // namespace

WinogradShape::WinogradShape(const WindowProduct& p, std::int64_t m, int parts) noexcept
    : outputs(m),
      down(ceil_div(p.rows.windows, m)),
      across(ceil_div(p.cols.windows, m)),
      tiles(p.n * down * across),
      k(p.channels),
      channels(round_up(p.channels, p.kernels->lanes)),
      panels(*p.kernels, p.out_channels) {
  CONV2D_DCHECK(p.rows.taps == 3 && p.cols.taps == 3 && p.rows.step == 1 && p.cols.step == 1);
  CONV2D_DCHECK(p.rows.dilation == 1 && p.cols.dilation == 1 && p.groups == 1 && (m == 2 || m == 4));
  const std::int64_t floats = matrices() * channels;  // of a tile
  const auto in = [&](std::int64_t all) { return std::max(kFewestTiles, std::min(kBlockWindows, all / floats)); };
  keeps_weights = tiles > in(kWhole);
  if (kThreads && parts > 1) {
    // Tiles divide more evenly than panels, but then all transformed weights are kept, not all transformed cells. The
    // rows of few tiles fill the micro-kernels' tiles badly.
    const std::int64_t common = tiles >= 2 * kFewestTiles * parts ? kMostCommon : kWhole;
    keeps_weights |= panels.count < parts || weights_floats(*this, panels.count).value_or(common + 1) <= common;
  }
  most = keeps_weights ? in(kBlock) : std::max(kFewestTiles, tiles);
}

WinogradPlan::WinogradPlan(const WindowProduct& p, std::int64_t outputs, int threads, ScratchLayout& common,
                           ScratchLayout& own) noexcept
    : product(p),
      kernels(outputs == 2 ? &p.kernels->winograd_2x2 : &p.kernels->winograd_4x4),
      parts(part_count(p, outputs, threads)),
      shape(p, outputs, parts) {
  const std::int64_t tiles = shape.tiles_of({parts - 1, parts}).size();  // the last part has the most
  const std::int64_t widest = shape.panels.widest();
  cells = (common_cells() ? common : own).take(cells_floats(shape, tiles));
  weights = (common_weights() ? common : own).take(weights_floats(shape, shape.keeps_weights ? shape.panels.count : 1));
  const std::int64_t rows = std::max(shape.block_of(tiles), ceil_div(shape.channels, widest));
  products = own.take(matrices_floats(widest, rows, shape.matrices()));
  edge = own.take(CheckedInt(outputs) * outputs * widest);
}

double WinogradPlan::cost(bool packed_weights) const noexcept {
  // The last part has the most. It multiplies some tiles with all panels, or all tiles with some panels. In both cases
  // it transforms its fraction of the tiles and its fraction of the panels, for itself or for all parts.
  const Part part{parts - 1, parts};
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
  const double transforming_cells =
      static_cast<double>(part.of(s.tiles).size()) *
      (c.tile + (channels + static_cast<double>(product.out_channels)) * c.tile_register * matrices / lanes);
  const std::int64_t first_column = s.panels.first_column(part.of(s.panels.count).begin);
  const double transforming_weights =
      packed_weights
          ? 0
          : channels * static_cast<double>(product.out_channels - first_column) * (c.weight_cell * matrices + c.weight);
  return multiplying + transforming_cells + transforming_weights;
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
  return std::make_unique<WinogradExecutable>(g, pass, kOutputs, options);
}
template ExecutablePointer prepare_winograd<2>(const Geometry&, Pass, const PrepareOptions&);
template ExecutablePointer prepare_winograd<4>(const Geometry&, Pass, const PrepareOptions&);

}  // namespace conv2d::engine
