#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define CONV2D_TEST_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CONV2D_TEST_ASAN 1
#endif
#endif

#ifdef CONV2D_TEST_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace conv2d::test {

/// Floats between canaries, 4 bytes off every larger alignment. Under ASan the canaries are inaccessible. The contents
/// start as NaN to reveal reads of uninitialized memory.
class GuardedBuffer {
 public:
  explicit GuardedBuffer(std::size_t size) : storage_(kFront + size + kBack, kCanary), size_(size) {
    std::fill_n(storage_.begin() + kFront, size, std::numeric_limits<float>::quiet_NaN());
    forbid();
  }

  explicit GuardedBuffer(std::span<const float> contents) : GuardedBuffer(contents.size()) {
    std::copy(contents.begin(), contents.end(), span().begin());
  }

  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;
  ~GuardedBuffer() { permit(); }

  [[nodiscard]] std::span<float> span() noexcept { return {storage_.data() + kFront, size_}; }

  /// Whether the memory around the contents is unchanged.
  [[nodiscard]] bool intact() {
    permit();
    const auto untouched = [](float v) { return v == kCanary; };
    const bool ok = std::all_of(storage_.begin(), storage_.begin() + kFront, untouched) &&
                    std::all_of(storage_.end() - kBack, storage_.end(), untouched);
    forbid();
    return ok;
  }

 private:
  static constexpr std::ptrdiff_t kFront = 17;  // odd: the contents are never aligned for a vector
  static constexpr std::ptrdiff_t kBack = 16;
  static constexpr float kCanary = -1.2345e30f;

#ifdef CONV2D_TEST_ASAN
  void forbid() {
    __asan_poison_memory_region(storage_.data(), kFront * sizeof(float));
    __asan_poison_memory_region(storage_.data() + kFront + size_, kBack * sizeof(float));
  }
  void permit() { __asan_unpoison_memory_region(storage_.data(), storage_.size() * sizeof(float)); }
#else
  void forbid() {}
  void permit() {}
#endif

  std::vector<float> storage_;
  std::size_t size_;
};

}  // namespace conv2d::test
