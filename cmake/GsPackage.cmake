# `./dev package`: one Debian package with the programs and the three ROS packages' files.
install(FILES LICENSE DESTINATION share/doc/gs-ros2-simulator RENAME copyright)

set(CPACK_PACKAGE_NAME gs-ros2-simulator)
set(CPACK_PACKAGE_VENDOR "GS-ROS2 Simulator developers")
set(CPACK_PACKAGE_CONTACT "GS-ROS2 Simulator developers <maintainers@gs-ros2.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "drive log to Gaussian Splatting world to closed-loop simulator")
set(CPACK_PACKAGE_DESCRIPTION "Builds world bundles (Gaussian splats, ground, drivable area, \
calibration) from recorded drives and simulates a vehicle and its sensors in them.")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)  # gs-ros2-simulator_0.1.0_amd64.deb
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)   # the libraries the programs really link
include(CPack)
