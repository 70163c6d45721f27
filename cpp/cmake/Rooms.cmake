# Rooms: the folders of cpp/src. A room sees its own headers and those of the rooms it USES, so a forbidden include does not
# compile.

# Headers are included as "room/file.hpp". Each room has a link in a folder of its own: cpp/src as include path would show all
# rooms.
function(conv2d_room_headers room)
  set(view "${PROJECT_BINARY_DIR}/rooms/${room}")
  file(MAKE_DIRECTORY "${view}")
  file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}/src/${room}" "${view}/${room}" SYMBOLIC)
  add_library(conv2d_${room}_headers INTERFACE)
  target_include_directories(conv2d_${room}_headers INTERFACE "${view}")
  # Every room checks preconditions, in headers too.
  if(NOT room STREQUAL "check")
    target_link_libraries(conv2d_${room}_headers INTERFACE conv2d_check_headers)
  endif()
endfunction()

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

# conv2d_room(engines USES transforms micro_kernels): the objects of cpp/src/engines and its folders, as part of the library.
# `api` is the public headers; EXTERNAL names targets from outside; WITHOUT_PRECOMPILED is for sources with their own compiler
# flags. A SEPARATE room is not part of the library: a program that needs it links conv2d_ROOM_separate. IN_DOUBLE rooms
# compute in double on purpose.
function(conv2d_room room)
  cmake_parse_arguments(ARG "WITHOUT_PRECOMPILED;SEPARATE;IN_DOUBLE" "" "USES;EXTERNAL" ${ARGN})
  conv2d_room_headers(${room})
  target_link_libraries(conv2d_${room}_headers INTERFACE ${ARG_EXTERNAL})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/src/${room}/*.cpp")
  conv2d_keep_sources_of_architecture(sources)
  if(NOT sources)
    return()
  endif()
  add_library(conv2d_${room} OBJECT ${sources})
  target_link_libraries(conv2d_${room} PRIVATE conv2d_settings conv2d_library_settings conv2d_${room}_headers)
  target_link_libraries(conv2d_${room} PRIVATE conv2d_strict_warnings)
  set_target_properties(conv2d_${room} PROPERTIES CONV2D_IN_DOUBLE "${ARG_IN_DOUBLE}")
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(conv2d_${room} PRIVATE conv2d_${used}_headers)
  endforeach()
  if(NOT ARG_WITHOUT_PRECOMPILED)
    conv2d_precompile_standard_headers(conv2d_${room})
  endif()
  if(ARG_SEPARATE)
    add_library(conv2d_${room}_separate STATIC $<TARGET_OBJECTS:conv2d_${room}>)
    set_target_properties(conv2d_${room}_separate PROPERTIES LINKER_LANGUAGE CXX)
    # Built only for the programs that link it.
    set_target_properties(conv2d_${room} conv2d_${room}_separate PROPERTIES EXCLUDE_FROM_ALL ON)
    target_link_libraries(conv2d_${room}_separate PUBLIC conv2d_${room}_headers)
    return()
  endif()
  target_sources(conv2d PRIVATE $<TARGET_OBJECTS:conv2d_${room}>)
  set_property(GLOBAL APPEND PROPERTY CONV2D_ROOMS ${room})
endfunction()

# conv2d_relaxed: the library with relaxed SIMD, for tests that are linked with both. Only the rooms with SIMD code are
# compiled again. conv2d_relaxed_objects(TARGET) makes TARGET_relaxed from the sources and settings of an OBJECT library.
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
  get_property(rooms GLOBAL PROPERTY CONV2D_ROOMS)
  set(objects $<TARGET_OBJECTS:conv2d>)
  foreach(room IN LISTS rooms)
    if(room MATCHES "^(simd|micro_kernels)$")
      conv2d_relaxed_objects(conv2d_${room})
      list(APPEND objects $<TARGET_OBJECTS:conv2d_${room}_relaxed>)
    else()
      list(APPEND objects $<TARGET_OBJECTS:conv2d_${room}>)
    endif()
  endforeach()
  add_library(conv2d_relaxed STATIC ${objects})
  set_target_properties(conv2d_relaxed PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(conv2d_relaxed PUBLIC include)
endfunction()

# Fails for a folder that is not a room: it would be missing from the library.
function(conv2d_check_rooms)
  file(GLOB folders LIST_DIRECTORIES true CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/src/*")
  foreach(folder IN LISTS folders)
    get_filename_component(room "${folder}" NAME)
    if(IS_DIRECTORY "${folder}" AND NOT TARGET conv2d_${room}_headers)
      message(FATAL_ERROR "cpp/src/${room} is not a room. Add a conv2d_room line to cpp/CMakeLists.txt.")
    endif()
  endforeach()
endfunction()
