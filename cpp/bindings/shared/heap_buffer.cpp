#include "shared/heap_buffer.hpp"

#include <cstdlib>
#include <limits>
#include <string>

namespace conv2d::bindings {

Result<void*> allocate(std::int64_t count, std::size_t element_size, std::string_view name) {
  constexpr std::size_t kAlignment = 64;  // a cache line, and the widest vector
  const std::size_t most = (std::numeric_limits<std::size_t>::max() - kAlignment) / element_size;
  const auto elements = static_cast<std::uint64_t>(count);
  if (count < 0) {
    return Status{ErrorCode::invalid_argument, name,
                  std::string(name) + " cannot have " + std::to_string(count) + " elements"};
  }
  void* block = nullptr;
  if (elements <= most) {
    const std::size_t bytes = static_cast<std::size_t>(elements) * element_size;
    block = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  }
  if (block == nullptr) {
    return Status{ErrorCode::out_of_memory, name,
                  std::string(name) + " needs " + std::to_string(elements * element_size) +
                      " bytes, more than the module can get"};
  }
  return block;
}

}  // namespace conv2d::bindings
