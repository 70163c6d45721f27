# conv2d_xsimd: xsimd's headers and nothing else. An installed one first, then the set-up's folder, then a pinned tag.

set(xsimd_include "")
# NO_CMAKE_FIND_ROOT_PATH: the headers serve WebAssembly as well as the host that they are installed on.
find_package(xsimd 13 QUIET CONFIG NO_CMAKE_FIND_ROOT_PATH)
if(xsimd_FOUND)
  get_target_property(xsimd_include xsimd INTERFACE_INCLUDE_DIRECTORIES)
  list(GET xsimd_include 0 xsimd_include)
elseif(CONV2D_DEPS_DIR AND EXISTS "${CONV2D_DEPS_DIR}/include/xsimd/xsimd.hpp")
  set(xsimd_include "${CONV2D_DEPS_DIR}/include")
else()
  include(FetchContent)
  message(STATUS "fetching xsimd 13.2.0")
  FetchContent_Declare(xsimd GIT_REPOSITORY https://github.com/xtensor-stack/xsimd.git GIT_TAG 13.2.0 GIT_SHALLOW ON
    SOURCE_SUBDIR include)  # the headers alone: its CMakeLists.txt would install them with whoever builds this
  FetchContent_MakeAvailable(xsimd)
  set(xsimd_include "${xsimd_SOURCE_DIR}/include")
endif()
message(STATUS "xsimd: ${xsimd_include}")

# Only this folder goes on the include path: an installed xsimd lies in /usr/include, which must not reach Emscripten.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/xsimd-include")
file(CREATE_LINK "${xsimd_include}/xsimd" "${PROJECT_BINARY_DIR}/xsimd-include/xsimd" SYMBOLIC)
add_library(conv2d_xsimd INTERFACE)
target_include_directories(conv2d_xsimd SYSTEM INTERFACE "${PROJECT_BINARY_DIR}/xsimd-include")
