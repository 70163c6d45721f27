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

Tensor with_moved_channels(const Tensor& image, bool to_last) {
  Tensor moved = image;
  const Dims& s = image.shape;
  moved.shape = to_last ? Dims{s[0], s[2], s[3], s[1]} : Dims{s[0], s[3], s[1], s[2]};
  const std::int64_t channels = to_last ? image.shape[1] : image.shape[3];
  const std::int64_t size = image.shape[1] * image.shape[2] * image.shape[3],
                     pixels = channels > 0 ? size / channels : 0;
  for (std::int64_t i = 0; i < std::ssize(image.values); ++i) {
    const std::int64_t start = i / size * size, at = i % size;
    const std::int64_t to = to_last ? at % pixels * channels + at / pixels : at % channels * pixels + at / channels;
    moved.values[static_cast<std::size_t>(start + to)] = image.values[static_cast<std::size_t>(i)];
  }
  moved.elements = Elements(std::span<const float>(moved.values));
  return moved;
}

bool Tensors::any(std::initializer_list<Role> roles) const noexcept {
  return std::ranges::any_of(roles, [this](Role role) { return has(role); });
}

}  // namespace conv2d_check
