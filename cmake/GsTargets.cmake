# What every target shares, and the three helpers that make targets.

add_library(gs_flags INTERFACE)
target_compile_features(gs_flags INTERFACE cxx_std_20)
target_compile_options(gs_flags INTERFACE -Wall -Wextra -Wconversion -Wno-sign-conversion
                       -Wno-missing-field-initializers)  # designated initialisers are our idiom
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # g++ 12 warns about std::string concatenation that is fine (GCC bug 105651).
  target_compile_options(gs_flags INTERFACE -Wno-restrict)
endif()
# Same input, same bytes: never let the compiler fuse a*b+c on one machine and not on another.
target_compile_options(gs_flags INTERFACE -ffp-contract=off)
if(GS_WARNINGS_ARE_ERRORS)
  target_compile_options(gs_flags INTERFACE -Werror)
endif()
if(GS_SANITIZE)
  set(sanitize -fsanitize=${GS_SANITIZE} -fno-sanitize-recover=all)
  target_compile_options(gs_flags INTERFACE ${sanitize} -fno-omit-frame-pointer)
  target_link_options(gs_flags INTERFACE ${sanitize})
endif()
if(GS_LIBFUZZER)
  target_compile_options(gs_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

include(${GS_ROOT}/cmake/GsPrecompiled.cmake)
gs_precompile(library)
# gtest's macros take long to optimise, instrumented ones twice as long, for nothing.
add_library(gs_test_flags INTERFACE)
if(GS_SANITIZE)
  target_compile_options(gs_test_flags INTERFACE -O0)
else()
  target_compile_options(gs_test_flags INTERFACE -O1)
endif()
if(GS_BUILD_TESTS)
  gs_precompile(test "$<TARGET_PROPERTY:gs_test_flags,INTERFACE_COMPILE_OPTIONS>"
                -DGTEST_HAS_PTHREAD=1)  # as GTest::gtest has it
endif()

# What runs under the sanitizers: the unit tests and the fuzz targets, without the programs.
if(NOT TARGET gs_checked_tests)
  add_custom_target(gs_checked_tests)
endif()

# A test program made of *_test.cpp files; `name` prefixes its tests in ctest (`ctest -R bundle/`).
# NETWORK: a regular expression for the tests that talk to peers, see gs_network_tests.
function(gs_test_program target name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "LABEL;NETWORK" "SOURCES;LINK")
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_LINK} gs::test_main gs_flags gs_test_flags)
  gs_use_precompiled(${target} test)
  if(arg_LABEL STREQUAL unit)
    add_dependencies(gs_checked_tests ${target})
  endif()
  gtest_discover_tests(${target} TEST_PREFIX ${name}/ DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS ${arg_LABEL} TIMEOUT 300)
  if(arg_NETWORK)
    gs_network_tests(${target} ${arg_LABEL} ${arg_NETWORK})
  endif()
endfunction()

# Gives the tests of a program whose names match the label "network" too: they talk to peers on a
# network, which find each other late, once in a while, and are the only ones that `./dev test` tries
# again. ctest itself runs this: only then are the names known.
function(gs_network_tests target label pattern)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}_network.cmake)
  file(WRITE ${script} "set(found \${${target}_TESTS})
list(FILTER found INCLUDE REGEX [==[${pattern}]==])
set_tests_properties(\${found} PROPERTIES LABELS \"${label};network\")
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()

# One room of the house: the library gs::<name> (or <name> for the upper storeys), plus one test
# program and one benchmark program made of the *_test.cpp and *_bench.cpp files beside it. A
# benchmark may need a room further up for its input: BENCH_LINK.
function(gs_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NETWORK" "SOURCES;TESTS;BENCHES;BENCH_LINK;PUBLIC;PRIVATE")
  set(target gs_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(gs::${name} ALIAS ${target})
  target_include_directories(${target} PUBLIC ${GS_ROOT}/src)
  target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} gs_flags)
  gs_use_precompiled(${target} library)
  if(GS_BUILD_TESTS AND arg_TESTS)
    gs_test_program(${target}_test ${name} LABEL unit NETWORK ${arg_NETWORK}
                    SOURCES ${arg_TESTS} LINK gs::${name})
  endif()
  if(GS_BUILD_BENCHMARKS AND arg_BENCHES)
    add_executable(${target}_bench ${arg_BENCHES})
    target_link_libraries(${target}_bench PRIVATE gs::${name} gs::testing ${arg_BENCH_LINK}
                          benchmark::benchmark_main gs_flags)
    gs_use_precompiled(${target}_bench library)
  endif()
endfunction()

# A program of src/apps/, in build/bin/.
function(gs_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} CLI11::CLI11 gs_flags)
  gs_use_precompiled(${name} library)
  set_property(GLOBAL APPEND PROPERTY GS_PROGRAMS ${name})  # tests/ checks that each is installed
endfunction()
