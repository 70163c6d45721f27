# conv2d_xsimd: only the headers of xsimd. Taken from an installed package, else the folder of the set-up, else a pinned
# archive.
include("${CMAKE_CURRENT_LIST_DIR}/Sources.cmake")

set(xsimd_include "")
# By major version: a package of xsimd refuses a request for another one. NO_CMAKE_FIND_ROOT_PATH: the headers serve
# WebAssembly and the host.
foreach(major 14 13)
  find_package(xsimd ${major} QUIET CONFIG NO_CMAKE_FIND_ROOT_PATH)
  if(xsimd_FOUND)
    break()
  endif()
endforeach()
if(xsimd_FOUND)
  get_target_property(xsimd_include xsimd INTERFACE_INCLUDE_DIRECTORIES)
  list(GET xsimd_include 0 xsimd_include)
elseif(EXISTS "${conv2d_deps_dir}/include/xsimd/xsimd.hpp")
  set(xsimd_include "${conv2d_deps_dir}/include")
else()
  conv2d_download(xsimd VERSION 13.2.0
    URL https://github.com/xtensor-stack/xsimd/archive/refs/tags/13.2.0.tar.gz
    SHA256 edd8cd3d548c185adc70321c53c36df41abe64c1fe2c67bc6d93c3ecda82447a
    OR_ELSE "Install xsimd 13 or 14 (libxsimd-dev of Debian 13), or set CONV2D_DEPS_DIR to a folder with include/xsimd.")
  set(xsimd_include "${xsimd_source}/include")
endif()
message(STATUS "xsimd: ${xsimd_include}")

# Only this folder is on the include path: an installed xsimd is in /usr/include, which Emscripten must not see.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/xsimd-include")
file(CREATE_LINK "${xsimd_include}/xsimd" "${PROJECT_BINARY_DIR}/xsimd-include/xsimd" RESULT link_result SYMBOLIC)
if(NOT link_result EQUAL 0)  # Windows allows links to few users
  file(COPY "${xsimd_include}/xsimd" DESTINATION "${PROJECT_BINARY_DIR}/xsimd-include")
endif()
add_library(conv2d_xsimd INTERFACE)
target_include_directories(conv2d_xsimd SYSTEM INTERFACE "${PROJECT_BINARY_DIR}/xsimd-include")
