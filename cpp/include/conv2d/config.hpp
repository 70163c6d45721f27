#pragma once

// MSVC keeps the __cplusplus of C++98.
#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#error "conv2d needs C++20: compile with -std=c++20 or newer"
#endif

/// Marks the symbols that a shared library exports. Static builds define it as empty, so that a plugin that links
/// conv2d does not re-export it. A build of a DLL defines it as dllexport; its callers need no mark.
#ifndef CONV2D_API
#if defined(_WIN32)
#define CONV2D_API
#else
#define CONV2D_API __attribute__((visibility("default")))
#endif
#endif
