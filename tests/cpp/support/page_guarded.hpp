#pragma once

namespace conv2d::test {

/// Which end of the memory touches an unreadable page.
enum class Guard { behind, in_front };

}  // namespace conv2d::test

// Native Linux only: WebAssembly memory has no pages to protect.
#if defined(__linux__) && !defined(__EMSCRIPTEN__)
#define CONV2D_TEST_PAGES 1

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <vector>

namespace conv2d::test {

/// Floats that touch an unreadable page at one end. A read one float too far, which canaries do not detect, ends the
/// process.
class PageGuarded {
 public:
  PageGuarded(std::size_t size, Guard guard) : size_(size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inner = (size * sizeof(float) + page - 1) / page * page;
    bytes_ = inner + 2 * page;
    void* mapped = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<char*>(mapped);
    if (inner > 0 && mprotect(base_ + page, inner, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    char* first = guard == Guard::behind ? base_ + page + inner - size * sizeof(float) : base_ + page;
    data_ = reinterpret_cast<float*>(first);
  }
  PageGuarded(std::span<const float> contents, Guard guard) : PageGuarded(contents.size(), guard) {
    if (!contents.empty()) std::memcpy(data_, contents.data(), contents.size() * sizeof(float));
  }
  PageGuarded(const PageGuarded&) = delete;
  PageGuarded& operator=(const PageGuarded&) = delete;
  ~PageGuarded() { munmap(base_, bytes_); }

  [[nodiscard]] std::span<float> span() const noexcept { return {data_, size_}; }

 private:
  char* base_ = nullptr;
  std::size_t bytes_ = 0;
  float* data_ = nullptr;
  std::size_t size_;
};

}  // namespace conv2d::test

#endif
