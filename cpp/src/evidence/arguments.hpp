#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evidence/tensors.hpp"

/// Arguments of layers that a file or its caller gives: stride, padding, dilation, groups.
namespace conv2d_check {

struct GivenAxis {
  std::optional<std::int64_t> stride{}, dilation{}, before{}, after{};
};

/// One way to read the arguments: four paddings have several orders.
struct Given {
  GivenAxis row{}, column{};
  std::optional<std::int64_t> groups{};
  bool same = false;                 ///< TensorFlow's SAME
  std::string x_order{}, w_order{};  ///< "NCHW", "OIHW"; empty: any
  std::string words{};               ///< "stride 2, pad 1", as the file says
};

/// All ways to read the arguments of a layer; empty: there are none.
std::vector<Given> given_for(std::string_view layer, std::span<const Argument> arguments);

/// The argument that an array is, if its name is that of one and it holds a few whole numbers.
std::optional<Argument> argument_of(const Array& array, const std::vector<float>& values);

/// Whether a name is that of an argument, such as "conv1.stride".
bool is_argument(std::string_view name);

}  // namespace conv2d_check
