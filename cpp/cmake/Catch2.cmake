# conv2d_catch2: Catch2 3 with its main. An installed one first (native only: WebAssembly cannot link it), then the set-up's
# amalgamated pair, then a pinned tag. Tests include <catch2/...> either way.

add_library(conv2d_catch2 INTERFACE)
if(NOT EMSCRIPTEN AND NOT CONV2D_SANITIZE)
  find_package(Catch2 3 QUIET CONFIG)
endif()
if(Catch2_FOUND)
  message(STATUS "Catch2: ${Catch2_DIR}")
  target_link_libraries(conv2d_catch2 INTERFACE Catch2::Catch2WithMain)
elseif(CONV2D_DEPS_DIR AND EXISTS "${CONV2D_DEPS_DIR}/catch2/catch_amalgamated.cpp")
  message(STATUS "Catch2: ${CONV2D_DEPS_DIR}/catch2")
  set(forwarding "${PROJECT_BINARY_DIR}/catch2-include")
  foreach(header
      catch_all catch_test_macros catch_template_test_macros catch_approx catch_message catch_tostring
      generators/catch_generators generators/catch_generators_all generators/catch_generators_range generators/catch_generators_random
      matchers/catch_matchers matchers/catch_matchers_all matchers/catch_matchers_floating_point matchers/catch_matchers_string
      reporters/catch_reporter_event_listener reporters/catch_reporter_registrars)
    file(CONFIGURE OUTPUT "${forwarding}/catch2/${header}.hpp" CONTENT "#include \"catch_amalgamated.hpp\"\n")
  endforeach()
  add_library(conv2d_catch2_amalgamated STATIC "${CONV2D_DEPS_DIR}/catch2/catch_amalgamated.cpp")
  target_compile_features(conv2d_catch2_amalgamated PUBLIC cxx_std_20)
  # Not what is tested: full optimisation and sanitizers would make it the longest step of every build.
  target_compile_options(conv2d_catch2_amalgamated PRIVATE -O0 -g0 $<$<BOOL:${CONV2D_SANITIZE}>:-fno-sanitize=all>)
  target_include_directories(conv2d_catch2_amalgamated SYSTEM PUBLIC "${CONV2D_DEPS_DIR}/catch2" "${forwarding}")
  target_link_libraries(conv2d_catch2 INTERFACE conv2d_catch2_amalgamated)
  set(catch2_target conv2d_catch2_amalgamated)
else()
  include(FetchContent)
  message(STATUS "fetching Catch2 3.7.1")
  FetchContent_Declare(Catch2 GIT_REPOSITORY https://github.com/catchorg/Catch2.git GIT_TAG v3.7.1 GIT_SHALLOW ON SYSTEM)
  FetchContent_MakeAvailable(Catch2)
  target_link_libraries(conv2d_catch2 INTERFACE Catch2::Catch2WithMain)
  set(catch2_target Catch2)
endif()
if(EMSCRIPTEN)
  # Catch2 reports a failed REQUIRE by an exception; the library under test is compiled without them.
  target_compile_options(${catch2_target} PUBLIC -fwasm-exceptions)
  target_link_options(conv2d_catch2 INTERFACE -fwasm-exceptions)
endif()
