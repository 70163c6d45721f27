# A source file named NAME_<isa>.cpp is compiled for that instruction set, and only for architectures that have it. The library
# chooses one at run time, so no other file may be compiled with these flags. The set "portable" needs no flags: it is that of
# all architectures without another.

set(CONV2D_FLAGS_sse2 -msse2)
set(CONV2D_FLAGS_avx2 -mavx2 -mfma)
set(CONV2D_FLAGS_avx512 -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl -mavx2 -mfma)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 warns about its own AVX-512 header.
  list(APPEND CONV2D_FLAGS_avx512 -Wno-uninitialized -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "MSVC")
  set(CONV2D_FLAGS_sse2 "")
  set(CONV2D_FLAGS_avx2 /arch:AVX2)
  set(CONV2D_FLAGS_avx512 /arch:AVX512)
endif()
set(CONV2D_FLAGS_neon "")
set(CONV2D_FLAGS_wasm "")
# GCC warns on 32-bit x86 that the ABI of a vector depends on -msse. No vector leaves the file.
set(CONV2D_FLAGS_portable $<$<NOT:$<CXX_COMPILER_ID:MSVC>>:-Wno-psabi>)
set(all_instruction_sets sse2 avx2 avx512 neon wasm portable)

set(processor "${CMAKE_SYSTEM_PROCESSOR}")
if(APPLE AND CMAKE_OSX_ARCHITECTURES)
  set(processor "${CMAKE_OSX_ARCHITECTURES}")
  if(processor MATCHES ";")
    message(FATAL_ERROR "CMAKE_OSX_ARCHITECTURES is \"${processor}\". Build for each processor, and join the libraries with lipo.")
  endif()
endif()
if(EMSCRIPTEN)
  set(CONV2D_INSTRUCTION_SETS wasm)
elseif(processor MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(CONV2D_INSTRUCTION_SETS sse2 avx2 avx512)
elseif(processor MATCHES "^(aarch64|arm64|ARM64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(CONV2D_INSTRUCTION_SETS neon)
else()
  set(CONV2D_INSTRUCTION_SETS portable)
endif()

# Removes the files of other architectures from the list variable, and sets the flags of the rest.
function(conv2d_keep_sources_of_architecture variable)
  set(kept "")
  foreach(source IN LISTS ${variable})
    if(source MATCHES "_([a-z0-9]+)\\.cpp$" AND CMAKE_MATCH_1 IN_LIST all_instruction_sets)
      set(isa ${CMAKE_MATCH_1})
      if(NOT isa IN_LIST CONV2D_INSTRUCTION_SETS)
        continue()
      endif()
      set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "${CONV2D_FLAGS_${isa}}")
    endif()
    list(APPEND kept "${source}")
  endforeach()
  set(${variable} ${kept} PARENT_SCOPE)
endfunction()

# conv2d_check_instruction_sets(TARGET ROOM ...): fails the build of TARGET when code compiled for one instruction set defines
# a function that another object of these OBJECT libraries, or of the library, also defines.
function(conv2d_check_instruction_sets target)
  list(LENGTH CONV2D_INSTRUCTION_SETS count)
  if(count GREATER 1 AND NOT MSVC)  # its objects name constants and strings, which are equal for all sets
    get_property(rooms GLOBAL PROPERTY conv2d_rooms)
    list(TRANSFORM rooms PREPEND conv2d_)
    set(objects "")
    foreach(library IN LISTS ARGN rooms ITEMS conv2d)
      list(APPEND objects "$<TARGET_OBJECTS:${library}>")
    endforeach()
    set(file "${CMAKE_CURRENT_BINARY_DIR}/${target}-objects.txt")
    file(GENERATE OUTPUT "${file}" CONTENT "$<JOIN:${objects},\n>\n")
    list(JOIN CONV2D_INSTRUCTION_SETS "|" sets)
    add_custom_command(TARGET ${target} POST_BUILD VERBATIM COMMAND "${CMAKE_COMMAND}"
      "-DNM=${CMAKE_NM}" "-DSETS=${sets}" "-DOBJECTS=${file}" -P "${PROJECT_SOURCE_DIR}/cpp/cmake/CheckInstructionSets.cmake")
  endif()
endfunction()
