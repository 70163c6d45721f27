#include "session/buffer.hpp"

#include <cstdlib>
#include <limits>

#include "base/checked.hpp"
#include "base/errors.hpp"

namespace conv2d::session {

Result<void*> allocate(std::int64_t count, std::size_t element_size, std::string_view name) {
  constexpr std::size_t kAlignment = 64;  // a cache line, and the widest vector
  const std::size_t most = (std::numeric_limits<std::size_t>::max() - kAlignment) / element_size;
  const auto elements = static_cast<std::uint64_t>(count);
  if (count < 0) return Status{ErrorCode::invalid_argument, name, text(name, " cannot have ", count, " elements")};
  void* block = nullptr;
  if (elements <= most) {
    const std::size_t bytes = static_cast<std::size_t>(elements) * element_size;
    block = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  }
  if (block != nullptr) return block;
  const CheckedInt bytes = CheckedInt(count) * static_cast<std::int64_t>(element_size);
  return Status{ErrorCode::out_of_memory, name,
                text(name, " needs ", bytes.value_or(std::numeric_limits<std::int64_t>::max()),
                     " bytes, more memory than is available")};
}

}  // namespace conv2d::session
