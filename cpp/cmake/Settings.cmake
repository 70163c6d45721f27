# Compiler settings of this project. Targets link conv2d_settings PRIVATE; dependencies do not.

set(CMAKE_CXX_EXTENSIONS OFF)
# Sources of a room repeat names in their anonymous namespaces.
set(CMAKE_UNITY_BUILD OFF)

# For all objects, including dependencies: sanitizers and WebAssembly features must agree.
if(CONV2D_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
if(EMSCRIPTEN)
  # Every engine with SIMD has bulk memory. Without it, memcpy in a module linked with -Oz copies byte by byte.
  add_compile_options(-msimd128 -mbulk-memory)
  add_link_options(-mbulk-memory)
  if(CONV2D_THREADS)
    add_compile_options(-pthread -mrelaxed-simd)
    add_link_options(-pthread)
  endif()
endif()

add_library(conv2d_settings INTERFACE)
target_compile_features(conv2d_settings INTERFACE cxx_std_20)
# cpp/src/simd decides where a multiply and an add are fused, not the compiler: results would differ per target.
if(MSVC)  # also clang-cl
  target_compile_options(conv2d_settings INTERFACE /W3 /permissive- /utf-8 $<$<BOOL:${CONV2D_WARNINGS_AS_ERRORS}>:/WX>
    # Unknown pragmas and attributes: those of GCC.
    $<IF:$<CXX_COMPILER_ID:Clang>,/clang:-ffp-contract=off,/fp:precise;/wd4068;/wd5030>)
  target_compile_definitions(conv2d_settings INTERFACE _CRT_SECURE_NO_WARNINGS)
else()
  target_compile_options(conv2d_settings INTERFACE
    -Wall -Wextra -Wpedantic $<$<BOOL:${CONV2D_WARNINGS_AS_ERRORS}>:-Werror> -ffp-contract=off)
endif()
if(NOT PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  # A parent project without a build type compiles without optimization, unless it chose one itself.
  get_directory_property(inherited_options COMPILE_OPTIONS)
  if(NOT "${CMAKE_CXX_FLAGS};${inherited_options}" MATCHES "(^|[ ;])-O")
    target_compile_options(conv2d_settings INTERFACE -O3)
  endif()
endif()
# Preconditions (cpp/src/dcheck) are checked in builds that need not be fast.
target_compile_definitions(conv2d_settings INTERFACE
  $<$<OR:$<CONFIG:Debug>,$<BOOL:${CONV2D_SANITIZE}>>:CONV2D_DCHECKS>)

# Stricter warnings for the sources of the library. Not as a subproject: an unknown compiler may have new warnings. Not
# -Wnull-dereference: it found nothing, and its results depend on what the optimizer inlines.
add_library(conv2d_strict_warnings INTERFACE)
if(PROJECT_IS_TOP_LEVEL AND NOT MSVC)
  target_compile_options(conv2d_strict_warnings INTERFACE
    -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast -Wcast-qual -Wcast-align -Wformat=2 -Wundef -Wextra-semi
    -Wmissing-declarations
    # Integers, too: with 32-bit addresses it reports every 64-bit size that becomes an index.
    -Wconversion
    # GCC 12 only reports the bounds of arrays in templates (26 places in micro_kernels, simd and transforms), which are
    # constants. clang reports the real ones, and compiles every WebAssembly build.
    $<$<CXX_COMPILER_ID:Clang>:-Wsign-conversion>
    # Kernels must not compute in double by mistake. Rooms in double have the property.
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:CONV2D_IN_DOUBLE>>>:-Wdouble-promotion>)
endif()
