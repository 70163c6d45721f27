#pragma once

#if __cplusplus < 202002L
#error "conv2d needs C++20: compile with -std=c++20 or newer"
#endif

/// Marks the symbols that a shared library exports. Static builds define it as empty, so that a plugin that links
/// conv2d does not re-export it.
#ifndef CONV2D_API
#define CONV2D_API __attribute__((visibility("default")))
#endif
