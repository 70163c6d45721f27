#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "check/planted.hpp"

/// Faults of kernels, and what must be said of each.
namespace conv2d_check::test {

/// y is 30 x 29, 12 filters; x is 30 x 29, 6 channels.
inline const ConvDesc kPlain{.layout = conv2d::Layout::nchw,
                             .n = 2,
                             .h = 30,
                             .w = 29,
                             .c = 6,
                             .k = 12,
                             .kh = 3,
                             .kw = 3,
                             .padding = {1, 1, 1, 1}};
/// y is 13 x 12, 24 filters of 4 groups.
inline const ConvDesc kGroups{
    .n = 3, .h = 13, .w = 12, .c = 16, .k = 24, .kh = 3, .kw = 3, .groups = 4, .padding = {1, 1, 1, 1}};
/// y is 10 x 8; no window reads the last column of x.
inline const ConvDesc kRemainder{
    .n = 2, .h = 21, .w = 18, .c = 5, .k = 19, .kh = 3, .kw = 3, .stride_h = 2, .stride_w = 2};
/// y is 7 x 6; no window reads every third row and column of x.
inline const ConvDesc kSparse{.n = 2, .h = 20, .w = 17, .c = 5, .k = 7, .kh = 2, .kw = 2, .stride_h = 3, .stride_w = 3};

inline bool everywhere(const CellIndex& /*at*/) { return true; }
inline double zero(std::size_t /*cell*/) { return 0; }
inline double not_a_number(std::size_t /*cell*/) { return std::numeric_limits<double>::quiet_NaN(); }

inline constexpr auto kY = Pass::forward;
inline constexpr auto kDx = Pass::backward_data;
inline constexpr auto kDw = Pass::backward_weights;
inline constexpr auto kDb = Pass::backward_bias;

struct Fault {
  const char* name;
  const ConvDesc& desc;
  Pass pass;
  std::function<void(Planted&)> plant;
  const char* where;
  const char* relation;
};

const std::vector<Fault>& faults();

}  // namespace conv2d_check::test
