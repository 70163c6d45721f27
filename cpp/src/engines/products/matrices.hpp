#pragma once

#include <cstdint>

#include "conv2d/conv_desc.hpp"

namespace conv2d::engine {

/// Columns of x_col and dx_col, of a group.
constexpr std::int64_t columns_of(const Geometry& g) noexcept { return g.kh * g.kw * g.group_c; }

/// Rows of x_col and dy_col: output positions of the batch.
constexpr std::int64_t positions_of(const Geometry& g) noexcept { return g.n * g.oh * g.ow; }

}  // namespace conv2d::engine
