# Rooms: the folders of cpp/src, each an OBJECT library. Headers are included as "room/file.hpp"; tools/check-imports.mjs checks
# which room may include which.
add_library(conv2d_internal_headers INTERFACE)
target_include_directories(conv2d_internal_headers INTERFACE
  "${CMAKE_CURRENT_SOURCE_DIR}/src" "${CMAKE_CURRENT_SOURCE_DIR}/include")
target_link_libraries(conv2d_internal_headers INTERFACE conv2d_xsimd)

# The standard headers that most sources include, precompiled once for all rooms: they are three quarters of the time of a
# source. A file still includes what it uses; native-fuzz builds without precompiled headers
# (CMAKE_DISABLE_PRECOMPILE_HEADERS).
function(conv2d_precompile_standard_headers target)
  if(NOT TARGET conv2d_standard_headers)
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/standard-headers.cpp" CONTENT "")
    add_library(conv2d_standard_headers OBJECT "${PROJECT_BINARY_DIR}/standard-headers.cpp")
    target_link_libraries(conv2d_standard_headers PRIVATE conv2d_settings conv2d_library_settings)
    target_precompile_headers(conv2d_standard_headers PRIVATE
      <algorithm> <array> <cmath> <cstddef> <cstdint> <cstring> <limits> <memory> <optional> <span> <string> <string_view>
      <utility> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM conv2d_standard_headers)
endfunction()

# conv2d_rooms(engines algorithms ...): the objects of these folders, as parts of the library. WITHOUT_PRECOMPILED is for
# sources with their own compiler flags. LIBRARY makes a static library of them instead, which is built only for the programs that
# link it. INSTALLED: it is for users, with public headers, and always built where the library is installed.
function(conv2d_rooms)
  cmake_parse_arguments(ARG "WITHOUT_PRECOMPILED;INSTALLED" "LIBRARY" "" ${ARGN})
  set(library conv2d)
  if(ARG_LIBRARY)
    set(library ${ARG_LIBRARY})
  endif()
  if(NOT TARGET ${library})
    add_library(${library} STATIC EXCLUDE_FROM_ALL)
    set_target_properties(${library} PROPERTIES LINKER_LANGUAGE CXX)
    if(ARG_INSTALLED)
      if(CONV2D_INSTALL)
        set_target_properties(${library} PROPERTIES EXCLUDE_FROM_ALL OFF)
      endif()
      target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>)
      target_compile_features(${library} PUBLIC cxx_std_20)
    else()
      target_link_libraries(${library} PUBLIC conv2d_internal_headers)
    endif()
  endif()
  foreach(room IN LISTS ARG_UNPARSED_ARGUMENTS)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/src/${room}/*.cpp")
    conv2d_keep_sources_of_architecture(sources)
    add_library(conv2d_${room} OBJECT ${sources})
    if(ARG_LIBRARY AND NOT (ARG_INSTALLED AND CONV2D_INSTALL))
      set_target_properties(conv2d_${room} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
    target_link_libraries(conv2d_${room} PRIVATE
      conv2d_settings conv2d_library_settings conv2d_strict_warnings conv2d_internal_headers)
    if(NOT ARG_WITHOUT_PRECOMPILED)
      conv2d_precompile_standard_headers(conv2d_${room})
    endif()
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:conv2d_${room}>)
    set_property(GLOBAL APPEND PROPERTY ${library}_rooms ${room})
  endforeach()
endfunction()

# conv2d_relaxed: both libraries with relaxed SIMD, for programs that are linked with either. Only the rooms with SIMD code
# are compiled again. conv2d_relaxed_objects(TARGET) makes TARGET_relaxed from the sources and settings of an OBJECT library.
function(conv2d_relaxed_objects target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  list(TRANSFORM sources PREPEND "${folder}/" REGEX "^[^/]")
  add_library(${target}_relaxed OBJECT ${sources})
  foreach(property INCLUDE_DIRECTORIES COMPILE_OPTIONS COMPILE_DEFINITIONS LINK_LIBRARIES)
    get_target_property(value ${target} ${property})
    if(value)
      set_target_properties(${target}_relaxed PROPERTIES ${property} "${value}")
    endif()
  endforeach()
  target_compile_options(${target}_relaxed PRIVATE -mrelaxed-simd)
endfunction()

function(conv2d_relaxed_library)
  get_property(rooms GLOBAL PROPERTY conv2d_rooms)
  get_property(teach_rooms GLOBAL PROPERTY conv2d_teach_rooms)
  list(APPEND rooms ${teach_rooms})
  foreach(room micro_kernels layer_kernels)
    conv2d_relaxed_objects(conv2d_${room})
    list(TRANSFORM rooms REPLACE "^${room}$" "${room}_relaxed")
  endforeach()
  list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_OBJECTS:conv2d_\\1>")
  add_library(conv2d_relaxed STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:conv2d> ${rooms})
  set_target_properties(conv2d_relaxed PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(conv2d_relaxed PUBLIC include)
endfunction()
