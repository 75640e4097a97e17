set(INSTALL_GTEST OFF CACHE BOOL "" FORCE)
set(BUILD_GMOCK OFF CACHE BOOL "" FORCE)
add_subdirectory(${LATCHSCOPE_GOOGLETEST_SOURCE} googletest EXCLUDE_FROM_ALL SYSTEM)
enable_testing()

# Most tests run on both platforms. Tests for one platform are in a folder with its name.
file(GLOB test_sources CONFIGURE_DEPENDS tests/*.cc tests/${LATCHSCOPE_PLATFORM}/*.cc)
# The files of the command line that use CLI11 have no tests here.
set(tested_command_line ${command_line_sources})
list(FILTER tested_command_line INCLUDE REGEX "cli/(host|host_native|output|run_spec|sliced_run|spec_file)\\.cc$")
add_executable(engine_tests ${test_sources} ${tested_command_line} wasm/c_abi.cc wasm/test_failures.cc)
target_link_libraries(engine_tests PRIVATE latchscope_engine GTest::gtest)
# Tests are compiled far more often than they run for long. The engine under test is optimized.
target_compile_options(engine_tests PRIVATE -O0)
if(LATCHSCOPE_FILES STREQUAL "together")
  compile_together(engine_tests 10)
else()
  target_precompile_headers(engine_tests PRIVATE <gtest/gtest.h> <algorithm> <functional> <memory> <string> <vector>)
endif()

if(LATCHSCOPE_SANITIZE STREQUAL "thread")
  # These tests use a single thread and take a minute in all, so ThreadSanitizer has nothing to
  # find. The other builds run them.
  set(tests_left_out TEST_FILTER "-PageReadLatches.*:ConfigAdvice.*")
endif()
# One ctest entry per test, discovered when the tests are run.
include(GoogleTest)
gtest_discover_tests(engine_tests ${tests_left_out} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 2400)
