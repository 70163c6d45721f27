#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "verdict/exact.hpp"

/// The axes of a result, and sets of indices along them, in words.
namespace conv2d_check {

/// A set of indices of an axis, and a fact about it: "windows that touch the lower padding".
struct NamedSet {
  std::vector<char> mask{};
  std::string fact{};
};

struct ResultAxis {
  std::string one{}, many{};  ///< "row", "rows"
  std::int64_t size = 1;
  std::int64_t stride = 0;      ///< in memory, in elements
  std::int64_t group_size = 0;  ///< indices of a group; 0: not an axis of groups
  std::string suffix{};         ///< "counted row by row"
  std::vector<NamedSet> named{};
};

/// Image, row, column and channel of y and dx; row tap, column tap, input channel and filter of dw; filter of db, as
/// the last of four.
using ResultAxes = std::array<ResultAxis, 4>;
using CellIndex = std::array<std::int64_t, 4>;

ResultAxes axes_of(const Problem& problem, Pass pass);

inline CellIndex index_of(const ResultAxes& axes, std::int64_t cell) noexcept {
  CellIndex at{};
  for (std::size_t a = 0; a < 4; ++a) at[a] = axes[a].stride > 0 ? cell / axes[a].stride % axes[a].size : 0;
  return at;
}

/// Some axes counted as one; the first is the outermost.
struct JoinedAxis {
  std::vector<std::size_t> parts{};
  ResultAxis axis{};

  [[nodiscard]] std::int64_t index(const ResultAxes& axes, const CellIndex& at) const noexcept {
    std::int64_t index = 0;
    for (const std::size_t part : parts) index = index * axes[part].size + at[part];
    return index;
  }
};

/// All axes of a result, each once, alone or joined.
using Grid = std::vector<JoinedAxis>;

/// The grids in which kernels walk over a result; the first has each axis alone, the last is the order in memory.
std::vector<Grid> grids_of(const ResultAxes& axes, Pass pass);

/// A set of indices along an axis. In `pattern`, "#1" is the name of the axis for one index and "#n" that for several.
struct AxisSet {
  std::vector<char> mask{};
  std::int64_t count = 0;
  std::string pattern{};  ///< empty: all indices
  std::string fact{};     ///< NamedSet::fact
  int words = 0;          ///< how complicated it is
};

/// Sets in words that hold all indices with a count above 0; the shortest that holds no others is the first.
/// `may_list`: indices without any order may be listed.
std::vector<AxisSet> sets_of(const ResultAxis& axis, const std::vector<std::uint32_t>& counts, bool may_list);

/// `pattern` with the names of the axis.
std::string in_words(const std::string& pattern, const std::string& one, const std::string& many);

/// 2 -> "2nd".
std::string ordinal(std::int64_t number);

}  // namespace conv2d_check
