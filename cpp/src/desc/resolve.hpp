#pragma once

#include <string_view>

#include "conv2d/conv_desc.hpp"

/// The parts of resolve() that other descriptions share.
namespace conv2d {

/// Checks each field of a description by itself, and that the groups divide the channels and filters.
Status check_fields(const ConvDesc& d);

/// As resolve(), with these names of x and y in its errors. Static storage.
Result<Geometry> resolve_as(const ConvDesc& d, std::string_view x, std::string_view y) noexcept;

}  // namespace conv2d
