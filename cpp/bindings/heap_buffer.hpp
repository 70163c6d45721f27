#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "conv2d/status.hpp"

namespace conv2d::bindings {

/// A block of the module's heap that holds exactly `length` elements: the one place where tensors are allocated.
/// `reserve` asks with aligned_alloc, which answers null when memory cannot grow; operator new would end the module.
template <class T>
class HeapBuffer {
 public:
  /// Makes room for `length` elements; their contents are unspecified. The old block goes first, so that the peak is
  /// one block. Error out_of_memory (field: `name`), after which the buffer is empty and the module goes on working.
  Status reserve(std::int64_t length, std::string_view name) {
    if (length == length_) {
      return {};
    }
    release();
    if (length < 0) {
      return {ErrorCode::invalid_argument, std::string(name),
              std::string(name) + " cannot have " + std::to_string(length) + " elements"};
    }
    if (length == 0) {
      return {};
    }
    constexpr std::size_t kMostElements = (std::numeric_limits<std::size_t>::max() - kAlignment) / sizeof(T);
    const auto count = static_cast<std::uint64_t>(length);
    if (count <= kMostElements) {
      const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
      data_.reset(static_cast<T*>(std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment)));
    }
    if (!data_) {
      return {ErrorCode::out_of_memory, std::string(name),
              std::string(name) + " needs " + std::to_string(count * sizeof(T)) +
                  " bytes, more than the module can get"};
    }
    length_ = length;
    return {};
  }

  void release() noexcept {
    data_.reset();
    length_ = 0;
  }

  [[nodiscard]] std::span<T> span() const noexcept { return {data_.get(), static_cast<std::size_t>(length_)}; }

 private:
  static constexpr std::size_t kAlignment = 64;  // a cache line, and the widest vector

  struct Free {
    void operator()(T* block) const noexcept { std::free(block); }
  };

  std::unique_ptr<T, Free> data_;
  std::int64_t length_ = 0;
};

}  // namespace conv2d::bindings
