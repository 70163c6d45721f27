#pragma once

/// The language of the compiler and the processor that it compiles for. Attributes ([[gnu::noinline]]) and
/// `#pragma GCC unroll` stand where they are used: a compiler that lacks them ignores them.

/// 1 where the compiler has the vector types, builtins and inline assembly of GCC and clang, also as clang-cl; 0 for
/// MSVC. Set to 0, it compiles what MSVC gets with any compiler, so that the tests can run it.
#ifndef CONV2D_GNU_LANGUAGE
#if defined(__GNUC__) || defined(__clang__)
#define CONV2D_GNU_LANGUAGE 1
#else
#define CONV2D_GNU_LANGUAGE 0
#endif
#endif

/// Defined where the processor has 64 bits and is of the family x86 or Arm. The second names are those of MSVC.
#if defined(__x86_64__) || defined(_M_X64)
#define CONV2D_X86_64
#elif defined(__aarch64__) || defined(_M_ARM64)
#define CONV2D_AARCH64
#endif

/// Hides from the optimizer how `pointer` was computed. Without effect where there is no inline assembly: it only
/// prevents slower code.
#if CONV2D_GNU_LANGUAGE
#define CONV2D_OPAQUE(pointer) asm volatile("" : "+r"(pointer))
#else
#define CONV2D_OPAQUE(pointer) static_cast<void>(pointer)
#endif
