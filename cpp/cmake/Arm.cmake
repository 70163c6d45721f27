# Toolchain file: 64-bit Arm Linux with the cross compiler of Debian. On an Arm machine it changes nothing.

if(NOT CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR aarch64)
  set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
  # The emulator then needs no Arm loader and no Arm libraries.
  set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
  find_program(CMAKE_CROSSCOMPILING_EMULATOR NAMES qemu-aarch64 qemu-aarch64-static)
  # Packages of this machine cannot be linked.
  set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
  set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
  set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
  set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
  set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
endif()
