# What the three colcon packages ("doors") share. A door is a folder that ROS tools know by name and
# that holds no C++ of its own: it lets the rooms under src/ be built, and installs a part of them.

# Called only when colcon (or `cmake -S <door>`) entered through this door and not by the root.
# Without tests only the programs that the door installs are built.
function(gs_enter_rooms)
  set(excluded EXCLUDE_FROM_ALL)
  if(NOT DEFINED GS_BUILD_TESTS OR GS_BUILD_TESTS)
    set(excluded)
  endif()
  add_subdirectory(${PROJECT_SOURCE_DIR}/../src ${CMAKE_BINARY_DIR}/src ${excluded})
endfunction()

# Installs package.xml, the ament index marker by which ROS finds the package, the folders that
# exist, and the programs that exist.
function(gs_install_door)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "PROGRAMS;DIRECTORIES")
  set(share share/${PROJECT_NAME})
  install(FILES package.xml DESTINATION ${share})
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/marker "")
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/marker RENAME ${PROJECT_NAME}
          DESTINATION share/ament_index/resource_index/packages)
  # colcon itself puts a plain CMake package on no path that ROS looks at; colcon.pkg names this hook.
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/ament_prefix_path.dsv
       "prepend-non-duplicate;AMENT_PREFIX_PATH;\n")
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ament_prefix_path.dsv DESTINATION ${share}/environment)
  foreach(directory IN LISTS arg_DIRECTORIES)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${directory})
      install(DIRECTORY ${directory} DESTINATION ${share})
    endif()
  endforeach()
  foreach(program IN LISTS arg_PROGRAMS)
    if(TARGET ${program})
      install(TARGETS ${program} DESTINATION bin)
      # `ros2 run` looks for programs here.
      file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/link_${program}.cmake
           "file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/${PROJECT_NAME}\")\n"
           "file(CREATE_LINK ../../bin/${program} "
           "\"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/${PROJECT_NAME}/${program}\" SYMBOLIC)\n")
      install(SCRIPT ${CMAKE_CURRENT_BINARY_DIR}/link_${program}.cmake)
      add_custom_target(${PROJECT_NAME}-${program} ALL DEPENDS ${program})
    endif()
  endforeach()
endfunction()
