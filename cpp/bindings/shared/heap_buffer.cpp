#include "shared/heap_buffer.hpp"

#include <cstdlib>
#include <limits>

namespace conv2d::bindings {

Result<void*> allocate(std::int64_t count, std::size_t element_size, std::string_view name) {
  constexpr std::size_t kAlignment = 64;  // a cache line, and the widest vector
  const std::size_t most = (std::numeric_limits<std::size_t>::max() - kAlignment) / element_size;
  const auto elements = static_cast<std::uint64_t>(count);
  Message message(name);
  if (count < 0) {
    message += " cannot have ";
    message += count;
    message += " elements";
    return Status{ErrorCode::invalid_argument, name, message};
  }
  void* block = nullptr;
  if (elements <= most) {
    const std::size_t bytes = static_cast<std::size_t>(elements) * element_size;
    block = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  }
  if (block == nullptr) {
    message += " needs ";
    message += static_cast<std::int64_t>(elements * element_size);
    message += " bytes, more than the module can get";
    return Status{ErrorCode::out_of_memory, name, message};
  }
  return block;
}

}  // namespace conv2d::bindings
