# conv2d_catch2: Catch2 3 with its main. Taken from an installed package (native only: WebAssembly cannot link it), else the
# amalgamated files of the set-up, else a pinned archive. Tests include <catch2/...> in all cases.

include("${CMAKE_CURRENT_LIST_DIR}/Sources.cmake")
add_library(conv2d_catch2 INTERFACE)
if(NOT EMSCRIPTEN AND NOT CONV2D_SANITIZE)
  find_package(Catch2 3 QUIET CONFIG)
endif()
if(Catch2_FOUND)
  message(STATUS "Catch2: ${Catch2_DIR}")
  target_link_libraries(conv2d_catch2 INTERFACE Catch2::Catch2WithMain)
else()
  set(pair "${conv2d_deps_dir}/catch2")
  if(NOT EXISTS "${pair}/catch_amalgamated.cpp")
    conv2d_download(Catch2 VERSION 3.7.1
      URL https://github.com/catchorg/Catch2/archive/refs/tags/v3.7.1.tar.gz
      SHA256 c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c
      OR_ELSE "Set CONV2D_BUILD_TESTS to OFF, or CONV2D_DEPS_DIR to a folder with catch2/catch_amalgamated.cpp.")
    set(pair "${Catch2_source}/extras")
  endif()
  message(STATUS "Catch2: ${pair}")
  set(forwarding "${PROJECT_BINARY_DIR}/catch2-include")
  foreach(header
      catch_all catch_test_macros catch_template_test_macros catch_approx catch_message catch_tostring
      generators/catch_generators generators/catch_generators_all generators/catch_generators_range generators/catch_generators_random
      matchers/catch_matchers matchers/catch_matchers_all matchers/catch_matchers_floating_point matchers/catch_matchers_string
      reporters/catch_reporter_event_listener reporters/catch_reporter_registrars)
    file(CONFIGURE OUTPUT "${forwarding}/catch2/${header}.hpp" CONTENT "#include \"catch_amalgamated.hpp\"\n")
  endforeach()
  add_library(conv2d_catch2_amalgamated STATIC "${pair}/catch_amalgamated.cpp")
  target_compile_features(conv2d_catch2_amalgamated PUBLIC cxx_std_20)
  # Catch2 is not under test: optimization and sanitizers would make it the longest step of every build.
  if(NOT MSVC)
    target_compile_options(conv2d_catch2_amalgamated PRIVATE -O0 -g0 $<$<BOOL:${CONV2D_SANITIZE}>:-fno-sanitize=all>)
  endif()
  target_include_directories(conv2d_catch2_amalgamated SYSTEM PUBLIC "${pair}" "${forwarding}")
  target_link_libraries(conv2d_catch2 INTERFACE conv2d_catch2_amalgamated)
endif()
if(EMSCRIPTEN)
  # Catch2 reports a failed REQUIRE by an exception; the library under test is compiled without exceptions.
  target_compile_options(conv2d_catch2_amalgamated PUBLIC -fwasm-exceptions)
  target_link_options(conv2d_catch2 INTERFACE -fwasm-exceptions)
endif()
