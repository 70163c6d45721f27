#include "gemm/window_share.hpp"

#include <algorithm>

#include "gemm/packed_weights.hpp"
#include "gemm/window_blocks.hpp"
#include "gemm/window_run.hpp"

namespace conv2d::gemm {
namespace {

/// What each share has a range of.
enum class Cut { none, images, rows, columns };
constexpr Cut kCuts[]{Cut::images, Cut::rows, Cut::columns};

/// Pieces that a cut leaves whole: images, rows of windows, panels of columns.
std::int64_t units(const WindowProduct& p, Cut cut) noexcept {
  switch (cut) {
    case Cut::images:
      return p.n;
    case Cut::rows:
      return p.rows.windows;
    case Cut::columns:
      // The columns of several groups are not next to each other in the weights.
      return p.groups == 1 ? Panels::of(p).count : 1;
    case Cut::none:
      break;
  }
  return 1;
}

template <class T>
void advance(T*& pointer, std::int64_t floats) noexcept {
  if (pointer) pointer += floats;  // workspaces are asked for without the tensors
}

WindowProduct part(const WindowProduct& p, Cut cut, Share share) noexcept {
  WindowProduct part = p;
  const Range range = share.of(units(p, cut));
  switch (cut) {
    case Cut::images:
      advance(part.image, range.begin * p.rows.size * p.cols.size * p.cell());
      advance(part.out, range.begin * p.out_image);
      part.n = range.size();
      break;
    case Cut::rows:
      part.rows.windows = range.size();
      part.rows.first += range.begin > 0 ? range.begin * p.rows.step : 0;
      advance(part.out, range.begin * p.out_row);
      break;
    case Cut::columns: {
      const Panels panels = Panels::of(p);
      const std::int64_t first = panels.first_column(range.begin);
      part.columns = (range.end < panels.count ? panels.first_column(range.end) : p.columns) - first;
      advance(part.weights.first, first * p.weights.column);
      advance(part.packed, first * p.depth());
      advance(part.bias, first);
      advance(part.out, first);
      break;
    }
    case Cut::none:
      if (share.index > 0) part.n = 0;
      break;
  }
  return part;
}

/// Whether the part is summed as it would be within the whole, of weights that are packed in the same way.
bool same_sums(const WindowProduct& whole, const WindowProduct& part) noexcept {
  // Taps in the padding are multiplied by zeros or left out, which infinite weights tell apart. Where no tap is in the
  // padding, both are the same.
  const Reading reading = BlockShape::of(part).reading;
  const bool same_reading = reading == BlockShape::of(whole).reading || reading == Reading::in_place;
  return same_reading && takes_dots(whole) == takes_dots(part) && takes_wide_panels(whole) == takes_wide_panels(part);
}

bool possible(const WindowProduct& p, Cut cut, int shares) noexcept {
  if (units(p, cut) < shares) return false;
  for (int i = 0; i < shares; ++i) {
    if (!same_sums(p, part(p, cut, {i, shares}))) return false;
  }
  return true;
}

/// The possible cut whose largest share costs least.
Cut best_cut(const WindowProduct& p, int shares) noexcept {
  Cut best = Cut::none;
  double least = 0;
  for (const Cut cut : kCuts) {
    if (!possible(p, cut, shares)) continue;
    const double cost = window_cost(part(p, cut, {shares - 1, shares}));
    if (best != Cut::none && cost >= least) continue;
    best = cut;
    least = cost;
  }
  return best;
}

}  // namespace

int share_count(const WindowProduct& product, int most) noexcept {
  int shares = most;
  const auto can = [&](Cut cut) { return possible(product, cut, shares); };
  while (shares > 1 && std::none_of(std::begin(kCuts), std::end(kCuts), can)) --shares;
  return shares;
}

WindowProduct part_of(const WindowProduct& product, Share share) noexcept {
  return part(product, best_cut(product, share.count), share);
}

std::int64_t share_workspace(const WindowProduct& product, int shares) noexcept {
  const Cut cut = shares == 1 ? Cut::none : best_cut(product, shares);
  std::int64_t most = 0;
  for (int i = 0; i < shares; ++i) {
    const std::int64_t floats = window_workspace(part(product, cut, {i, shares}));
    if (floats < 0) return -1;
    most = std::max(most, floats);
  }
  return most;
}

}  // namespace conv2d::gemm
