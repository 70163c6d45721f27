#include "evidence/tensors.hpp"

#include <algorithm>

namespace conv2d_check {

std::int64_t count_of(const Dims& shape) noexcept {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

std::string to_string(const Dims& shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

bool Tensors::any(std::initializer_list<Role> roles) const noexcept {
  return std::ranges::any_of(roles, [this](Role role) { return has(role); });
}

}  // namespace conv2d_check
