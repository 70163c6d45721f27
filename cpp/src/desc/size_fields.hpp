#pragma once

#include <cstdint>

#include "conv2d/conv_desc.hpp"

/// The members of a description, as a table.
namespace conv2d {

/// A size of a description, in words, and its smallest valid value.
struct SizeField {
  const char *name, *what;
  std::int64_t ConvDesc::*value;
  std::int64_t least;
  ErrorCode code;  ///< of a smaller one
};
inline constexpr SizeField kSizeFields[] = {
    {"n", "batch size", &ConvDesc::n, 0, ErrorCode::invalid_size},
    {"h", "input height", &ConvDesc::h, 0, ErrorCode::invalid_size},
    {"w", "input width", &ConvDesc::w, 0, ErrorCode::invalid_size},
    {"c", "number of input channels", &ConvDesc::c, 1, ErrorCode::invalid_size},
    {"k", "number of filters", &ConvDesc::k, 1, ErrorCode::invalid_size},
    {"kh", "kernel height", &ConvDesc::kh, 1, ErrorCode::invalid_size},
    {"kw", "kernel width", &ConvDesc::kw, 1, ErrorCode::invalid_size},
    {"stride_h", "vertical stride", &ConvDesc::stride_h, 1, ErrorCode::invalid_stride},
    {"stride_w", "horizontal stride", &ConvDesc::stride_w, 1, ErrorCode::invalid_stride},
    {"dilation_h", "vertical dilation", &ConvDesc::dilation_h, 1, ErrorCode::invalid_dilation},
    {"dilation_w", "horizontal dilation", &ConvDesc::dilation_w, 1, ErrorCode::invalid_dilation},
    {"groups", "number of groups", &ConvDesc::groups, 1, ErrorCode::invalid_groups},
};

/// A side of the padding.
struct SideField {
  const char *name, *what;
  std::int64_t Padding::*value;
};
inline constexpr SideField kSideFields[] = {
    {"padding.top", "top padding", &Padding::top},
    {"padding.bottom", "bottom padding", &Padding::bottom},
    {"padding.left", "left padding", &Padding::left},
    {"padding.right", "right padding", &Padding::right},
};

/// The description that resolves to g.
ConvDesc description(const Geometry &g) noexcept;

}  // namespace conv2d
