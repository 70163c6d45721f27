# How everything of this project is compiled. Targets link conv2d_settings PRIVATE; dependencies do not.

set(CMAKE_CXX_EXTENSIONS OFF)

# For every object that is linked together, dependencies too: sanitizers and WebAssembly features must agree.
if(CONV2D_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
if(EMSCRIPTEN)
  # Every engine that has SIMD has bulk memory. Without it memcpy of a module that is linked with -Oz goes byte by byte.
  add_compile_options(-msimd128 -mbulk-memory $<$<BOOL:${CONV2D_RELAXED_SIMD}>:-mrelaxed-simd>)
  add_link_options(-mbulk-memory)
  if(CONV2D_THREADS)
    add_compile_options(-pthread)
    add_link_options(-pthread)
  endif()
endif()

add_library(conv2d_settings INTERFACE)
target_compile_features(conv2d_settings INTERFACE cxx_std_20)
target_compile_options(conv2d_settings INTERFACE
  -Wall -Wextra -Wpedantic $<$<BOOL:${CONV2D_WARNINGS_AS_ERRORS}>:-Werror>
  # Where a multiply and an add are fused is decided in cpp/src/simd, not by the compiler: results would differ per target.
  -ffp-contract=off)
# Preconditions are checked (cpp/src/check) where speed is not what a build is for.
target_compile_definitions(conv2d_settings INTERFACE
  $<$<OR:$<CONFIG:Debug>,$<BOOL:${CONV2D_SANITIZE}>>:CONV2D_CHECKS>)

# What the library's own sources are held to beyond that. Not where another project adds this one: its compiler may know
# something that nobody here has seen. Not -Wnull-dereference: it found nothing, and what it finds depends on what the
# optimiser has inlined.
add_library(conv2d_strict_warnings INTERFACE)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(conv2d_strict_warnings INTERFACE
    -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast -Wcast-qual -Wcast-align -Wformat=2 -Wundef -Wextra-semi
    -Wmissing-declarations
    # Of integers, too: on 32-bit addresses every 64-bit size that becomes an index says so.
    -Wconversion
    # What GCC 12 finds are the bounds of arrays in templates (26 places in micro_kernels, simd and transforms), which are
    # constants; clang finds the real ones, and every build for WebAssembly asks it.
    $<$<CXX_COMPILER_ID:Clang>:-Wsign-conversion>
    # Kernels must not compute in double by mistake. A room that does nothing else has the property.
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:CONV2D_IN_DOUBLE>>>:-Wdouble-promotion>)
endif()
