#include "engines/windows/division.hpp"

#include <algorithm>

#include "check/check.hpp"
#include "engines/windows/blocks.hpp"
#include "engines/windows/cost.hpp"
#include "engines/windows/weights.hpp"

namespace conv2d::engine {
namespace {

constexpr Division kDivisions[]{Division::images, Division::rows, Division::columns};

/// The number of units of a division: images, rows of windows, or panels of columns.
std::int64_t units(const WindowProduct& p, Division division) noexcept {
  switch (division) {
    case Division::images:
      return p.n;
    case Division::rows:
      return p.rows.windows;
    case Division::columns:
      // The columns of different groups are not adjacent in the weights.
      return p.groups == 1 ? Panels::of(p).count : 1;
    case Division::none:
      break;
  }
  return 1;
}

/// Whether the part has the same sums as the undivided product, with weights packed in the same way.
bool same_sums(const WindowProduct& whole, const WindowProduct& part) noexcept {
  // Taps in the padding are multiplied by zeros or left out; with infinite weights the results differ. Where no tap is
  // in the padding, both are the same.
  const InputAccess access = BlockShape::of(part).access;
  const bool same_access = access == BlockShape::of(whole).access || access == InputAccess::in_place;
  return same_access && prefers_dot_tiles(whole) == prefers_dot_tiles(part) &&
         Panels::of(whole).each == Panels::of(part).each;
}

bool possible(const WindowProduct& p, Division division, int parts) noexcept {
  if (units(p, division) < parts) return false;
  for (int i = 0; i < parts; ++i) {
    if (!same_sums(p, part_of(p, division, {i, parts}))) return false;
  }
  return true;
}

}  // namespace

int part_count(const WindowProduct& product, int most) noexcept {
  CONV2D_DCHECK(most >= 1);
  int parts = most;
  const auto can = [&](Division division) { return possible(product, division, parts); };
  while (parts > 1 && std::none_of(std::begin(kDivisions), std::end(kDivisions), can)) --parts;
  return parts;
}

Division best_division(const WindowProduct& p, int parts) noexcept {
  Division best = Division::none;
  double least = 0;
  if (!kThreads || parts == 1) return best;
  for (const Division division : kDivisions) {
    if (!possible(p, division, parts)) continue;
    const WindowProduct last = part_of(p, division, {parts - 1, parts});
    // Packing counts even for weights that are packed already: a division of the weights needs less memory than one in
    // which every part has all of them.
    const double cost = window_cost(last) + window_packing_cost(last);
    if (best != Division::none && cost >= least) continue;
    best = division;
    least = cost;
  }
  return best;
}

WindowProduct part_of(const WindowProduct& p, Division division, Part part) noexcept {
  CONV2D_DCHECK(part.index >= 0 && part.index < part.count);
  WindowProduct own = p;
  if (part.whole()) return own;
  const Range range = part.of(units(p, division));
  switch (division) {
    case Division::images:
      own.image_offset += range.begin * p.rows.size * p.cols.size * p.cell();
      own.out_offset += range.begin * p.out_image;
      own.n = range.size();
      break;
    case Division::rows:
      own.rows.windows = range.size();
      own.rows.first += range.begin > 0 ? range.begin * p.rows.step : 0;
      own.out_offset += range.begin > 0 ? range.begin * p.out_row : 0;
      break;
    case Division::columns: {
      const Panels panels = Panels::of(p);
      const std::int64_t first = panels.first_column(range.begin);
      own.out_channels = (range.end < panels.count ? panels.first_column(range.end) : p.out_channels) - first;
      own.weights.first += first * p.weights.column;
      own.packed_offset += first * p.reduction();
      own.bias_offset += first;
      own.out_offset += first;
      break;
    }
    case Division::none:
      if (part.index > 0) own.n = 0;
      break;
  }
  return own;
}

}  // namespace conv2d::engine
