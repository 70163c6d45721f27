#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>

#include "base/checked.hpp"

namespace conv2d {

/// `count` values of T, or none when memory is not available. malloc returns null where operator new would end a
/// program that is built without exceptions.
template <class T>
class Scratch {
 public:
  [[nodiscard]] bool allocate(std::int64_t count) noexcept {
    const CheckedInt bytes = CheckedInt(count) * static_cast<std::int64_t>(sizeof(T));
    if (!bytes.fits() || bytes.value() >= std::numeric_limits<std::ptrdiff_t>::max()) return false;
    data_.reset(static_cast<T*>(std::malloc(static_cast<std::size_t>(bytes.value()) + 1)));  // never malloc(0)
    count_ = data_ ? static_cast<std::size_t>(count) : 0;
    return data_ != nullptr;
  }

  [[nodiscard]] std::span<T> span() const noexcept { return {data_.get(), count_}; }

 private:
  struct Free {
    void operator()(T* data) const noexcept { std::free(data); }
  };

  std::unique_ptr<T, Free> data_;
  std::size_t count_ = 0;
};

}  // namespace conv2d
