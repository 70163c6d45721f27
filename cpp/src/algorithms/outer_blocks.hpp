#pragma once

#include <algorithm>
#include <cstdint>

#include "conv2d/conv_desc.hpp"
#include "desc/windows.hpp"

/// How backward_weights by outer products cuts its work. Precondition of everything here: NHWC.
///
///   strip   rows of dw that one walk over the pixels can reach, since their cells of x lie side by side: the channels
///           of a tap, or of a whole row of taps when they are few
///   panel   `width` channels of all stored cells of x, so that a walk reads memory straight ahead
///   block   output lines (of one image or several) whose panels stay in the caches
///
namespace conv2d::algorithm {

/// The cells of x along one axis that are stored: first, first + step, ...
struct StoredCells {
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
};

struct OuterBlocks {
  bool few_filters = false;       ///< they all fit a tile's rows
  bool filters_are_rows = false;  ///< filters are broadcast, and x's lanes fill the registers, which filters would not
  bool borders = false;           ///< the columns of the padding are stored too, as zeros
  bool x_in_place = false;        ///< x is read where it lies
  bool dy_in_place = false;
  std::int64_t strips = 0;  ///< per row of taps: kw, or 1
  std::int64_t lanes = 0;   ///< per strip
  std::int64_t width = 0;   ///< of a panel
  std::int64_t panels = 0;
  StoredCells columns;
  std::int64_t row_step = 1;  ///< between stored rows of x
  std::int64_t rows = 1;      ///< output lines per block
  std::int64_t images = 1;    ///< per block; more than one only when `rows` is all of them

  /// Lanes of a strip that lie in panel `panel`.
  [[nodiscard]] std::int64_t lanes_in(std::int64_t panel) const noexcept {
    return panels == 1 ? lanes : std::min(width, lanes - panel * width);
  }
};

OuterBlocks outer_blocks(const Geometry& g) noexcept;

/// Rows of the dw of a group: one per tap and channel.
constexpr std::int64_t outer_rows(const Geometry& g) noexcept { return g.kh * g.kw * g.group_c; }

/// Estimated cycles of the whole pass. (outer_cost.cpp)
double outer_cost(const Geometry& g) noexcept;

/// The rows of x that output lines [begin, end) read.
StoredCells stored_rows(const Geometry& g, const OuterBlocks& blocks, Range lines) noexcept;

/// Floats of all panels of a block; -1 when they overflow.
std::int64_t panel_floats(const Geometry& g, const OuterBlocks& blocks) noexcept;

/// Fills panels of x: for each one of `chosen`, each image and stored row, columns.count * width floats.
void pack_x_panels(const Geometry& g, const OuterBlocks& blocks, const float* x, std::int64_t group, Range chosen,
                   Range images, const StoredCells& rows, float* panels) noexcept;

}  // namespace conv2d::algorithm
