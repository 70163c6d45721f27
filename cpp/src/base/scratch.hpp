#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>
#if defined(_WIN32)
#include <malloc.h>
#endif

#include "base/checked.hpp"

namespace conv2d {

/// Each piece of scratch memory begins on a cache line: a load of a full AVX-512 register that crosses two lines costs
/// twice as much.
inline constexpr std::int64_t kCacheLineFloats = 16;

/// Memory of `count` elements on a cache line, to be released with free_aligned(); null if there is not enough.
/// operator new would end a program that is built without exceptions.
[[gnu::noinline]] inline void* allocate_aligned(std::int64_t count, std::size_t element_size) noexcept {
  constexpr std::size_t kLine = kCacheLineFloats * sizeof(float);
  const CheckedInt bytes = CheckedInt(count) * static_cast<std::int64_t>(element_size);
  if (count < 0 || !bytes.fits() || bytes.value() >= std::numeric_limits<std::ptrdiff_t>::max()) return nullptr;
  const auto size = static_cast<std::size_t>(bytes.value());
  const std::size_t lines = size == 0 ? kLine : (size + kLine - 1) / kLine * kLine;
#if defined(_WIN32)
  return _aligned_malloc(lines, kLine);
#else
  return std::aligned_alloc(kLine, lines);
#endif
}

inline void free_aligned(void* memory) noexcept {
#if defined(_WIN32)
  _aligned_free(memory);
#else
  std::free(memory);
#endif
}

/// `count` values of T, or none when memory is not available.
template <class T>
class Scratch {
 public:
  [[nodiscard]] bool allocate(std::int64_t count) noexcept {
    data_.reset(static_cast<T*>(allocate_aligned(count, sizeof(T))));
    count_ = data_ ? static_cast<std::size_t>(count) : 0;
    return data_ != nullptr;
  }

  void release() noexcept {
    data_.reset();
    count_ = 0;
  }

  [[nodiscard]] std::span<T> span() const noexcept { return {data_.get(), count_}; }

 private:
  struct Free {
    void operator()(T* data) const noexcept { free_aligned(data); }
  };

  std::unique_ptr<T, Free> data_;
  std::size_t count_ = 0;
};

/// The first float at or after `memory` that begins a cache line. Skips fewer than kCacheLineFloats.
inline float* align_to_cache_line(float* memory) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(memory) / sizeof(float);
  return memory + (kCacheLineFloats - address % kCacheLineFloats) % kCacheLineFloats;
}

/// Where a piece of scratch memory begins, in floats from a cache line.
struct Offset {
  std::int64_t floats = 0;

  [[nodiscard]] float* in(float* memory) const noexcept { return memory + floats; }
};

/// Places pieces of the caller's scratch memory one after the other. It counts the floats while a pass is prepared and
/// gives the offset of each piece, which the run then uses. There is no second formula that must agree.
class ScratchLayout {
 public:
  [[gnu::noinline]] Offset take(CheckedInt floats) noexcept {
    if (floats.value_or(1) <= 0) return {};  // its cache line may begin past the end of the memory
    const CheckedInt first = next();
    end_ = first + floats;
    return {first.value_or(0)};
  }

  /// Floats up to the end of the last piece; overflowed when they cannot be counted.
  [[nodiscard]] CheckedInt floats() const noexcept { return end_; }
  /// The same, rounded up to a whole cache line: a second copy of the layout can begin there.
  [[nodiscard]] CheckedInt next() const noexcept {
    const CheckedInt beyond = end_ + (kCacheLineFloats - 1);
    return beyond.fits() ? CheckedInt(beyond.value() / kCacheLineFloats * kCacheLineFloats) : beyond;
  }

 private:
  CheckedInt end_ = 0;
};

/// The layout with more floats. A layout that cannot be counted is the largest.
inline const ScratchLayout& larger_of(const ScratchLayout& a, const ScratchLayout& b) noexcept {
  return a.floats().value_or(kMaxCount) < b.floats().value_or(kMaxCount) ? b : a;
}

}  // namespace conv2d
