#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>

#include "conv2d/status.hpp"

namespace conv2d::session {

/// Room for `count` elements of `element_size` bytes, aligned for any vector, as a block to be given to std::free; the
/// one place where tensors are allocated. It asks with aligned_alloc, which answers null when memory cannot grow;
/// operator new would end a program without exceptions. Errors: invalid_argument (negative), out_of_memory with the
/// bytes asked for.
Result<void*> allocate(std::int64_t count, std::size_t element_size, std::string_view name);

/// A block of memory that holds exactly `length` elements.
template <class T>
class Buffer {
 public:
  /// Makes room for `length` elements; their contents are unspecified. The old block goes first, so that the peak is
  /// one block: after an error (those of `allocate`) the buffer is empty.
  Status reserve(std::int64_t length, std::string_view name) {
    if (length == length_) return {};
    release();
    if (length == 0) return {};
    const Result<void*> block = allocate(length, sizeof(T), name);
    if (!block.ok()) return block.status();
    data_.reset(static_cast<T*>(*block));
    length_ = length;
    return {};
  }

  void release() noexcept {
    data_.reset();
    length_ = 0;
  }

  [[nodiscard]] std::span<T> span() const noexcept { return {data_.get(), static_cast<std::size_t>(length_)}; }

 private:
  struct Free {
    void operator()(T* block) const noexcept { std::free(block); }
  };

  std::unique_ptr<T, Free> data_;
  std::int64_t length_ = 0;
};

}  // namespace conv2d::session
