#pragma once

/// CONV2D_CHECK(condition): what a function may take for granted, because its caller sees to it. Debug and sanitized
/// builds look, and end the program with the condition when it does not hold; all others compile the condition, do
/// nothing about it and have none of its bytes. A mistake of a user is no matter for it: that is a Status.
///
/// A macro alone, which any room may use: the kernels are compiled for several instruction sets, and an inline function
/// here could be one set's copy in another's code.
#if defined(CONV2D_CHECKS)

namespace conv2d {

[[noreturn]] void check_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace conv2d

#define CONV2D_CHECK(...) \
  ((__VA_ARGS__) ? static_cast<void>(0) : ::conv2d::check_failed(#__VA_ARGS__, __FILE__, __LINE__))

#else

#define CONV2D_CHECK(...) static_cast<void>(sizeof((__VA_ARGS__) ? 1 : 0))

#endif
