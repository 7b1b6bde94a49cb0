// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/geometry_config.hpp"

#include <gmock/gmock.h>

#include "gs_builder/config_testing.hpp"

namespace gs_builder {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> problemsOf(const std::string& yaml) {
  return testing::problemTexts<GeometryConfig>("version: \"1.0.0\"\n" + yaml);
}

TEST(GeometryConfig, TheDefaultsAreUsable) { EXPECT_THAT(problemsIn({}), IsEmpty()); }

TEST(GeometryConfig, TheExtentIsCompleteAndNotEmpty) {
  EXPECT_THAT(problemsOf("heightmap:\n  extent: {x_min: 0, x_max: 1, y_min: 0}\n"),
              ElementsAre(HasSubstr("line 3: heightmap.extent: x_min, x_max, y_min and y_max")));
  EXPECT_THAT(problemsOf("heightmap: {extent: {x_min: 0, x_max: 0, y_min: -1, y_max: .nan}}\n"),
              ElementsAre(HasSubstr("x_max: 0 is not greater than x_min (0)"),
                          HasSubstr("y_max: nan is not a finite number")));
  EXPECT_THAT(problemsOf("heightmap: {extent: {x_min: -5, x_max: 5, y_min: -1, y_max: 1}}\n"),
              IsEmpty());
}

TEST(GeometryConfig, TheMedianKernelIsOdd) {
  for (const char* bad : {"4", "0", "-1", "101"})
    EXPECT_THAT(problemsOf(std::string("heightmap: {filter: {median_kernel: ") + bad + "}}"),
                ElementsAre(HasSubstr("odd number between 1 and 99")));
}

TEST(GeometryConfig, NumbersOutOfRangeAreAllNamed) {
  EXPECT_THAT(problemsOf("heightmap: {resolution: 0, margin: -1, filter: {outlier_threshold: 0}}\n"
                         "drivable: {buffer_width: 0, simplify_tolerance: -1}\n"
                         "static_mesh: {voxel_size: .inf}\n"),
              ElementsAre(HasSubstr("resolution"), HasSubstr("margin"), HasSubstr("outlier"),
                          HasSubstr("buffer_width"), HasSubstr("simplify_tolerance"),
                          HasSubstr("voxel_size")));
}

TEST(GeometryConfig, GroundFromTheMeshNeedsTheMesh) {
  EXPECT_THAT(problemsOf("heightmap: {method: mesh_rasterization}\nstatic_mesh: {enable: false}\n"),
              ElementsAre(HasSubstr("needs static_mesh.enable")));
  EXPECT_THAT(problemsOf("heightmap: {method: mesh_rasterization}\n"), IsEmpty());
}

}  // namespace
}  // namespace gs_builder
