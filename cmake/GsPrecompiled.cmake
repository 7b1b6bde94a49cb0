# Headers that most files include, parsed once per kind of target: a third of the time of a library's
# file, half of a test's. The release build has them for its tests only: g++ 12 takes what it read
# from such a file for ours, and suspects the standard library of much, where warnings are errors.
set(GS_PRECOMPILE "" CACHE STRING "Parse the most included headers once for: library;test")
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(GS_PRECOMPILE "" CACHE STRING "" FORCE)
endif()

# The header cmake/precompiled/<kind>.hxx, for gs_use_precompiled(<target> <kind>).
function(gs_precompile kind)
  if(NOT kind IN_LIST GS_PRECOMPILE)
    return()
  endif()
  set(folder ${CMAKE_BINARY_DIR}/precompiled/${kind})
  set(header ${folder}/${kind}.hxx)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  foreach(file IN ITEMS library test)
    configure_file(${GS_ROOT}/cmake/precompiled/${file}.hxx ${folder}/${file}.hxx COPYONLY)
  endforeach()
  add_custom_command(
    OUTPUT ${header}.gch
    COMMAND ${CMAKE_CXX_COMPILER} ${flags} "$<TARGET_PROPERTY:gs_flags,INTERFACE_COMPILE_OPTIONS>"
            ${ARGN} -std=c++20 -DFMT_SHARED
            -isystem "$<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>"
            -x c++-header -c ${header} -o ${header}.gch
    DEPENDS ${header} ${folder}/library.hxx
    COMMENT "Precompiling headers: ${kind}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(gs_precompiled_${kind} DEPENDS ${header}.gch)
endfunction()

function(gs_use_precompiled target kind)
  if(NOT kind IN_LIST GS_PRECOMPILE)
    return()
  endif()
  set(header ${CMAKE_BINARY_DIR}/precompiled/${kind}/${kind}.hxx)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${header}>")
  add_dependencies(${target} gs_precompiled_${kind})
endfunction()
