#include <algorithm>

#include "cost/constants.hpp"
#include "dcheck/dcheck.hpp"
#include "engines/loops.hpp"
#include "engines/outer_product/outer_blocks.hpp"
#include "engines/winograd/winograd_plan.hpp"
#include "micro_kernels/kernel_set.hpp"
#include "transforms/lane_copy.hpp"

namespace conv2d::engine {
namespace {

/// Transformed cells and gradients of a block, in floats. They come from L3, but each block adds to all of dw: a third
/// of it took 1.2 to 1.6 times as long on R4 and R5.
constexpr std::int64_t kBlockFloats = 384 * 1024;
/// Floats of the products of some channels with a panel of filters, which stay in L2.
constexpr std::int64_t kProductFloats = 14 * 1024;

/// The floats of a tile with `channels` channels. A cache line is added where tiles would map to the same few sets of
/// the cache.
std::int64_t tile_floats(std::int64_t channels, std::int64_t lanes) noexcept {
  constexpr std::int64_t kAliased = 64;
  const std::int64_t floats = round_up(channels, lanes);
  return floats % kAliased == 0 ? floats + kCacheLineFloats : floats;
}

/// dw = sum over tiles of G^T [ (A u A^T) * (B^T d B) ] G, with u the tile's m x m values of dy, and d the cells of x
/// that their windows read. The products over all channels, filters and tiles are (m + 2)^2 sums of outer products.
/// A part has some of the channels or some of the filters, and transforms all of the other tensor for itself.
class WinogradWeights final : public Executable {
 public:
  WinogradWeights(const Geometry& g, std::int64_t outputs, const PrepareOptions& options) noexcept
      : g_(g),
        kernels_(*options.kernels),
        transforms_(outputs == 2 ? kernels_.winograd_2x2 : kernels_.winograd_4x4),
        outputs_(outputs),
        down_(ceil_div(g.oh, outputs_)),
        across_(ceil_div(g.ow, outputs_)),
        tiles_(g.n * down_ * across_) {
    const std::int64_t lanes = kernels_.lanes;
    by_filters_ = g.k > g.c;
    parts_ = parts_of(units(), options.parts);
    // Blocks do not depend on the parts, so that every sum has the order of an undivided run.
    const std::int64_t floats = matrices() * (tile_floats(g.c, lanes) + tile_floats(g.k, lanes));
    tiles_per_block_ = even_part(tiles_, std::clamp<std::int64_t>(kBlockFloats / floats, 1, kMostWinogradTiles));
    const std::int64_t most = Part{parts_ - 1, parts_}.of(units()).size();  // the last part has the most units
    const std::int64_t channels = by_filters_ ? g.c : std::min(g.c, most * lanes);
    const std::int64_t filters = by_filters_ ? std::min(g.k, most * lanes) : g.k;
    channels_at_once_ =
        std::max<std::int64_t>(1, kProductFloats / (matrices() * width()) / kernels_.tile_rows) * kernels_.tile_rows;
    channels_at_once_ = std::min(channels_at_once_, std::max<std::int64_t>(1, channels));
    const auto take = [this](CheckedInt matrix) { return own_.take((matrix + kCacheLineFloats) * matrices()); };
    // A tile with fewer channels can be longer, by a cache line.
    x_ = take(CheckedInt(tiles_per_block_) * (round_up(channels, lanes) + kCacheLineFloats));
    dy_ = take(CheckedInt(tiles_per_block_) * (round_up(filters, lanes) + kCacheLineFloats));
    products_ = take(CheckedInt(channels_at_once_) * width());
    edge_ = take(round_up(std::max({g.c, g.k, width()}), lanes));
    cost_ = cycles(channels, filters);
  }

  bool run(const Operands& o, Part part, const Memory& memory, const ProgressHook& progress) const noexcept override {
    if (tiles_ == 0) {
      if (part.index == 0) std::fill_n(o.out, g_.w_size, 0.0F);
      return true;
    }
    const Run run(*this, o, part, memory);
    const std::int64_t panels = ceil_div(run.filters.size(), width());
    const std::int64_t macs = tiles_per_block_ * outputs_ * outputs_ * 9 * run.channels.size() * width();
    return in_chunks(ceil_div(tiles_, tiles_per_block_) * panels, macs, progress, [&](Range steps) {
      for (std::int64_t t = steps.begin; t < steps.end; ++t) {
        const Range tiles{t / panels * tiles_per_block_, std::min((t / panels + 1) * tiles_per_block_, tiles_)};
        if (t % panels == 0) run.transform(tiles);
        run.add_panel(tiles, t % panels * width());
      }
    });
  }

 private:
  /// One run of one part.
  struct Run {
    Run(const WinogradWeights& plan, const Operands& operands, Part part, const Memory& memory) noexcept
        : pass(plan),
          o(operands),
          channels(plan.channels_of(part)),
          filters(plan.filters_of(part)),
          x_tile(tile_floats(channels.size(), plan.kernels_.lanes)),
          dy_tile(tile_floats(filters.size(), plan.kernels_.lanes)),
          x(plan.x_.in(memory.own)),
          dy(plan.dy_.in(memory.own)),
          products(plan.products_.in(memory.own)),
          edge(plan.edge_.in(memory.own)) {}

    void transform(Range tiles) const noexcept;
    void add_panel(Range tiles, std::int64_t filter) const noexcept;
    void write(Range of_channels, std::int64_t filter, std::int64_t vectors, bool accumulate) const noexcept;

    const WinogradWeights& pass;
    const Operands& o;
    Range channels, filters;
    std::int64_t x_tile, dy_tile;  ///< floats from one tile to the next
    float *x, *dy;                 ///< [matrix][tile][channel or filter]
    float* products;               ///< [matrix][channel][lane] of some channels and a panel of filters
    float* edge;                   ///< the cells of one tile, or the nine weights of a channel and panel
  };

  [[nodiscard]] std::int64_t matrices() const noexcept { return (outputs_ + 2) * (outputs_ + 2); }
  [[nodiscard]] std::int64_t width() const noexcept { return kernels_.tile_columns(); }
  /// What is divided among threads: registers of channels or of filters.
  [[nodiscard]] std::int64_t units() const noexcept { return ceil_div(by_filters_ ? g_.k : g_.c, kernels_.lanes); }
  [[nodiscard]] Range channels_of(Part part) const noexcept {
    return by_filters_ ? Range{0, g_.c} : part.of(g_.c, kernels_.lanes);
  }
  [[nodiscard]] Range filters_of(Part part) const noexcept {
    return by_filters_ ? part.of(g_.k, kernels_.lanes) : Range{0, g_.k};
  }
  /// Estimated cycles for some channels and filters.
  [[nodiscard]] double cycles(std::int64_t channels, std::int64_t filters) const noexcept;

  Geometry g_;
  const KernelSet& kernels_;
  const micro_kernels::WinogradKernels& transforms_;
  std::int64_t outputs_;                ///< m
  std::int64_t down_, across_, tiles_;  ///< tiles of an image; of all images
  bool by_filters_ = false;             ///< parts have some of the filters, and not of the channels
  std::int64_t tiles_per_block_ = 0;
  std::int64_t channels_at_once_ = 0;  ///< channels that are multiplied with a panel at once
  Offset x_, dy_, products_, edge_;
};

void WinogradWeights::Run::transform(Range tiles) const noexcept {
  const Geometry& g = pass.g_;
  const std::int64_t m = pass.outputs_, lanes = pass.kernels_.lanes;
  const TiledImages cells{
      .cells = o.x + channels.begin, .rows = g.h, .cols = g.w, .cell = g.c, .channels = channels.size()};
  const TiledImages gradients{
      .cells = o.dy + filters.begin, .rows = g.oh, .cols = g.ow, .cell = g.k, .channels = filters.size()};
  micro_kernels::WinogradTransform of_x{.to_col = matrix_step(tiles.size() * x_tile)};
  of_x.to_row = of_x.to_col * offset(m + 2);
  micro_kernels::WinogradTransform of_dy{.to_col = matrix_step(tiles.size() * dy_tile)};
  of_dy.to_row = of_dy.to_col * offset(m + 2);
  for (std::int64_t t = tiles.begin; t < tiles.end; ++t) {
    const WinogradTile tile = WinogradTile::at(t, pass.down_, pass.across_, m);
    of_dy.to = dy + (t - tiles.begin) * dy_tile;
    gradients.transform(pass.transforms_.gradients, m, tile, lanes, edge, of_dy);
    of_x.to = x + (t - tiles.begin) * x_tile;
    cells.transform(pass.transforms_.cells, m + 2, {tile.n, tile.i - g.padding.top, tile.j - g.padding.left}, lanes,
                    edge, of_x);
  }
}

void WinogradWeights::Run::add_panel(Range tiles, std::int64_t filter) const noexcept {
  const KernelSet& k = pass.kernels_;
  const std::int64_t vectors = std::min<std::int64_t>(k.tile_vectors, ceil_div(filters.size() - filter, k.lanes));
  const std::int64_t width = vectors * k.lanes;
  for (std::int64_t channel = 0; channel < channels.size(); channel += pass.channels_at_once_) {
    const std::int64_t count = std::min(pass.channels_at_once_, channels.size() - channel);
    const std::int64_t full = count / k.tile_rows, rest = count % k.tile_rows;
    const auto tile_width = vectors == 1 ? micro_kernels::TileWidth::one : micro_kernels::TileWidth::two;
    micro_kernels::OuterProductTile tile{.images = {.count = 1},
                                         .lines = {.count = 1},
                                         .pixels = {.count = tiles.size(), .a_step = x_tile, .b_step = dy_tile},
                                         .row_stride = width,
                                         .accumulate = false,
                                         .next_a = k.tile_rows,
                                         .next_c = k.tile_rows * width};
    for (std::int64_t matrix = 0; matrix < pass.matrices(); ++matrix) {
      tile.a = x + offset(matrix) * matrix_step(tiles.size() * x_tile) + channel;
      tile.b = dy + offset(matrix) * matrix_step(tiles.size() * dy_tile) + filter;
      tile.c = products + offset(matrix) * matrix_step(count * width);
      tile.tiles = full;
      if (full > 0) run_tile(k, tile, k.tile_rows, tile_width, width);
      if (rest == 0) continue;
      tile.a += full * tile.next_a;
      tile.c += full * tile.next_c;
      tile.tiles = 1;
      run_tile(k, tile, rest, tile_width, width);
    }
    write({channel, channel + count}, filter, vectors, tiles.begin > 0);
  }
}

void WinogradWeights::Run::write(Range of_channels, std::int64_t filter, std::int64_t vectors,
                                 bool accumulate) const noexcept {
  const Geometry& g = pass.g_;
  const std::int64_t width = vectors * pass.kernels_.lanes;
  const std::int64_t columns = std::min(width, filters.size() - filter);
  const std::int64_t tap = g.c * g.k;
  const bool whole = columns == width;
  micro_kernels::WinogradTransform transform{.from_col = matrix_step(of_channels.size() * width),
                                             .to_row = offset(whole ? 3 * tap : 3 * width),
                                             .to_col = offset(whole ? tap : width),
                                             .count = offset(width),
                                             .accumulate = accumulate && whole};
  transform.from_row = transform.from_col * offset(pass.outputs_ + 2);
  for (std::int64_t c = 0; c < of_channels.size(); ++c) {
    float* const to = o.out + (channels.begin + of_channels.begin + c) * g.k + filters.begin + filter;
    transform.from = products + c * width;
    transform.to = whole ? to : edge;
    pass.transforms_.weights_of(transform);
    if (whole) continue;
    for (std::int64_t p = 0; p < 9; ++p) {
      for (std::int64_t j = 0; j < columns; ++j) {
        float& sum = to[p * tap + j];
        sum = accumulate ? sum + edge[p * width + j] : edge[p * width + j];
      }
    }
  }
}

double WinogradWeights::cycles(std::int64_t channels, std::int64_t filters) const noexcept {
  const cost::OuterProduct& c = kernels_.costs->outer_product;
  const cost::Winograd& w = kernels_.costs->winograd;
  const auto matrices_ = static_cast<double>(matrices()), all = static_cast<double>(tiles_);
  const auto rows = static_cast<double>(channels), lanes = static_cast<double>(kernels_.lanes);
  const auto vectors = static_cast<double>(ceil_div(filters, kernels_.lanes));
  const auto row_tiles = static_cast<double>(ceil_div(channels, kernels_.tile_rows));
  const auto panels = static_cast<double>(ceil_div(filters, width()));
  const auto blocks = static_cast<double>(ceil_div(tiles_, tiles_per_block_));
  const double multiplying =
      matrices_ * (c.tile_register * rows * vectors * all + c.tile * row_tiles * panels * blocks);
  const double transforming =
      all * (w.tile + (rows + static_cast<double>(filters)) * w.tile_register * matrices_ / lanes);
  const double writing = blocks * rows * vectors * w.dw_register * matrices_;
  return multiplying + transforming + writing;
}

}  // namespace

template <int kOutputs>
ExecutablePointer prepare_winograd_weights(const Geometry& g, Pass, const PrepareOptions& options) {
  CONV2D_DCHECK(g.layout == Layout::nhwc && g.weights_layout == WeightsLayout::hwio);
  return std::make_unique<WinogradWeights>(g, kOutputs, options);
}
template ExecutablePointer prepare_winograd_weights<2>(const Geometry&, Pass, const PrepareOptions&);
template ExecutablePointer prepare_winograd_weights<4>(const Geometry&, Pass, const PrepareOptions&);

}  // namespace conv2d::engine
