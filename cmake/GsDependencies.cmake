# Every third-party library once, with the version Debian 12 ships.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)           # libeigen3-dev 3.4.0
find_package(nlohmann_json 3.11 REQUIRED)             # nlohmann-json3-dev 3.11.2
find_package(yaml-cpp 0.7 REQUIRED)                   # libyaml-cpp-dev 0.7.0
find_package(spdlog 1.10 REQUIRED)                    # libspdlog-dev 1.10.0
find_package(fmt 9 REQUIRED)                              # libfmt-dev 9.1
find_package(TBB 2021 REQUIRED)                       # libtbb-dev 2021.8
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto)    # libssl-dev 3.0
find_package(GEOS 3.11 REQUIRED)                      # libgeos-dev 3.11.1
find_package(PNG 1.6 REQUIRED)                        # libpng-dev 1.6.39
find_package(ZLIB 1.2 REQUIRED)                       # zlib1g-dev 1.2.13
find_package(zstd 1.5 REQUIRED)                       # libzstd-dev 1.5.4
find_package(PkgConfig REQUIRED)
pkg_check_modules(lz4 REQUIRED IMPORTED_TARGET GLOBAL liblz4)         # liblz4-dev 1.9.4
pkg_check_modules(turbojpeg REQUIRED IMPORTED_TARGET GLOBAL libturbojpeg)  # libturbojpeg0-dev 2.1.5
pkg_check_modules(geographiclib REQUIRED IMPORTED_TARGET GLOBAL geographiclib)  # libgeographiclib-dev 2.1.2
find_package(embree 3.13 REQUIRED)                    # libembree-dev 3.13.5
find_package(hwy 1.0 REQUIRED)                       # libhwy-dev 1.0.3
# libopenvdb-dev 10.0.1. Its own find module asks for libraries that only its file formats need.
find_library(GS_OPENVDB openvdb REQUIRED)
find_library(GS_IMATH Imath REQUIRED)
add_library(openvdb INTERFACE IMPORTED GLOBAL)
target_link_libraries(openvdb INTERFACE ${GS_OPENVDB} ${GS_IMATH} TBB::tbb)
find_package(Boost 1.74 REQUIRED)                     # libboost-dev 1.74; headers only
find_package(CLI11 2.1 REQUIRED)                      # libcli11-dev 2.1.2
find_package(fastrtps 2.9 REQUIRED)                   # libfastrtps-dev 2.9.1
find_package(TinyGLTF REQUIRED)                       # libtinygltf-dev 2.7.0
if(GS_BUILD_TESTS)
  find_package(GTest 1.12 REQUIRED)                   # libgtest-dev, libgmock-dev 1.12.1
  find_package(CycloneDDS 0.10 REQUIRED GLOBAL)       # cyclonedds-dev, cyclonedds-tools 0.10.2
endif()
if(GS_BUILD_BENCHMARKS)
  find_package(benchmark 1.7 REQUIRED)                # libbenchmark-dev 1.7.1
endif()
