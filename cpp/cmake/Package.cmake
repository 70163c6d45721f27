# What `cmake --install` installs: the library, its public headers, and what find_package and pkg-config read. The installed
# tree may be moved as a whole.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS conv2d EXPORT conv2d-targets INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cpp/include/conv2d" TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" TYPE DOC)

set(folder "${CMAKE_INSTALL_LIBDIR}/cmake/conv2d")
install(EXPORT conv2d-targets NAMESPACE conv2d:: DESTINATION "${folder}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/conv2d-config.cmake.in"
  "${PROJECT_BINARY_DIR}/package/conv2d-config.cmake" INSTALL_DESTINATION "${folder}" NO_SET_AND_CHECK_MACRO)
# While the first number is 0, the second one counts what breaks a caller.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/conv2d-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/conv2d-config.cmake" "${PROJECT_BINARY_DIR}/package/conv2d-config-version.cmake"
  DESTINATION "${folder}")

# From the file's own place, so that it need not know the prefix.
file(RELATIVE_PATH root "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" root "${root}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/conv2d.pc.in" "${PROJECT_BINARY_DIR}/package/conv2d.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/package/conv2d.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
