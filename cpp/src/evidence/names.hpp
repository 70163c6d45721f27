#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "evidence/tensors.hpp"

/// Names of tensors in frameworks, courses and books.
namespace conv2d_check {

/// A name such as "layer1.conv.weight.grad", read as a tensor of a layer.
struct TensorName {
  Role role = Role::x;
  std::string layer{};     ///< "layer1.conv"; the number of "dW1"; empty if the name is that of the tensor alone
  bool is_deconv = false;  ///< the layer's name says that it is a transposed convolution
};

/// Nothing for a name that is no tensor's: "epoch", "x_shape", "dx_num", "arr_0".
std::optional<TensorName> read_name(std::string_view name);

/// Whether a name says nothing: empty, "arr_0" of numpy.savez, "array 3".
bool is_unnamed(std::string_view name);

/// The name in parts: lower case, divided at . / _ - : [ ] and spaces and where a small letter meets a capital.
struct NamePart {
  std::string text{};
  std::size_t begin = 0;  ///< in the name
};
std::vector<NamePart> parts_of(std::string_view name);

}  // namespace conv2d_check
