# Files of `cmake --install`: the libraries, their public headers, and the files of find_package and pkg-config. The installed tree
# can be moved as a whole.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(c_library "")
if(TARGET conv2d_c)
  set(c_library conv2d_c)
  install(FILES "${PROJECT_SOURCE_DIR}/cpp/include/conv2d.h" TYPE INCLUDE)
endif()
install(TARGETS conv2d conv2d_check ${c_library} EXPORT conv2d-targets INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cpp/include/conv2d" "${PROJECT_SOURCE_DIR}/cpp/include/conv2d_check" TYPE INCLUDE
  FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/THIRD_PARTY_NOTICES.txt"
  "${PROJECT_SOURCE_DIR}/CHANGELOG.md" TYPE DOC)

set(folder "${CMAKE_INSTALL_LIBDIR}/cmake/conv2d")
install(EXPORT conv2d-targets NAMESPACE conv2d:: DESTINATION "${folder}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/conv2d-config.cmake.in"
  "${PROJECT_BINARY_DIR}/package/conv2d-config.cmake" INSTALL_DESTINATION "${folder}" NO_SET_AND_CHECK_MACRO)
# Before version 1.0, a minor version may break callers.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/conv2d-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/conv2d-config.cmake" "${PROJECT_BINARY_DIR}/package/conv2d-config-version.cmake"
  DESTINATION "${folder}")

if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
  # Relative to the file, so that it does not contain the prefix.
  file(RELATIVE_PATH root "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
  string(REGEX REPLACE "/$" "" root "${root}")
  set(pc_prefix "\${pcfiledir}/${root}")
endif()
# A folder that is absolute stays as it is: cmake_path(APPEND) replaces what is before it.
foreach(folder INCLUDEDIR LIBDIR)
  set(pc_${folder} "\${prefix}")
  cmake_path(APPEND pc_${folder} "${CMAKE_INSTALL_${folder}}")
endforeach()
# The standard library, for a static link by a C compiler.
set(pc_private "")
foreach(library stdc++ c++ m)
  if(library IN_LIST CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
    string(APPEND pc_private "-l${library} ")
  endif()
endforeach()
# Callers of a static library also link the threads, with or without --static; in a shared library they are private.
set(public_thread_libs "${CMAKE_THREAD_LIBS_INIT}")
if(conv2d_type STREQUAL "SHARED_LIBRARY")
  set(public_thread_libs "")
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/conv2d.pc.in" "${PROJECT_BINARY_DIR}/package/conv2d.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/package/conv2d.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(TARGET conv2d_c)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/conv2d-c.pc.in" "${PROJECT_BINARY_DIR}/package/conv2d-c.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/package/conv2d-c.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()
