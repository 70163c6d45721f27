#pragma once

/// CONV2D_DCHECK(condition): a precondition of a function, which its caller inside the library must ensure. Debug and
/// sanitized builds check it and end the program with the condition when it is false. All other builds compile the
/// condition and generate no code for it. Errors of users are not checked with it: they are a Status.
///
/// A macro and not an inline function: the kernels are compiled for several instruction sets, and the linker could keep
/// one set's copy of an inline function for all.
#if defined(CONV2D_DCHECKS)

namespace conv2d {

[[noreturn]] void check_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace conv2d

#define CONV2D_DCHECK(...) \
  ((__VA_ARGS__) ? static_cast<void>(0) : ::conv2d::check_failed(#__VA_ARGS__, __FILE__, __LINE__))

#else

#define CONV2D_DCHECK(...) static_cast<void>(sizeof((__VA_ARGS__) ? 1 : 0))

#endif
