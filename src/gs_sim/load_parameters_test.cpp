// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/load_parameters.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"

namespace gs_sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr ParameterFile kFiles[] = {ParameterFile::Vehicle, ParameterFile::Sim,
                                    ParameterFile::Sensors};

std::string problemWith(const ParameterSources& sources) {
  try {
    loadParameters(sources);
  } catch (const gs::Error& error) {
    EXPECT_EQ(error.report().code, gs::ErrorCode::ConfigInvalid);
    return error.what();
  }
  return "no problem";
}

TEST(Parameters, TheDefaultsAreUsableAndThoseOfTheContract) {
  const SimulationParameters p;
  EXPECT_THAT(problemsIn(p), IsEmpty());
  EXPECT_EQ(p.vehicle.wheelbase, 2.8);
  EXPECT_EQ(p.vehicle.max_steering_angle, 0.52);
  EXPECT_EQ(p.vehicle.tire.cornering_stiffness_rear, 80000);
  EXPECT_EQ(p.simulation.control_timeout_sec, 1.0);
  EXPECT_EQ(p.simulation.max_step_time, 0.1);
  EXPECT_TRUE(p.sensors.lidar.raycast.use_heightmap);
  EXPECT_EQ(p.sensors.lidar.raycast.use_static_mesh, UseMesh::Auto);
}

TEST(Parameters, TheShippedFilesAreWhatTheProgramPrints) {
  for (const ParameterFile file : kFiles)
    EXPECT_EQ(
        gs::readTextFile(std::filesystem::path(GS_SIM_CONFIG_DIR) / usualFileName(file), 1 << 20),
        defaultParametersText(file))
        << "write it anew: gs-simulator print-default-config " << gs::wordOf(file);
}

TEST(Parameters, EverythingPrintedReadsBack) {
  gs::testing::TempDir dir;
  for (const ParameterFile file : kFiles) {
    gs::writeFile(dir / "all.yaml", std::string_view(defaultParametersText(file, true)));
    EXPECT_EQ(problemWith({.files = {dir / "all.yaml"}}), "no problem");
  }
}

TEST(Parameters, AFileMaySayItsFormatVersion) {
  gs::testing::TempDir dir;
  const auto problemOf = [&](std::string_view text) {
    gs::writeFile(dir / "file.yaml", text);
    return problemWith({.files = {dir / "file.yaml"}});
  };
  EXPECT_EQ(problemOf("version: \"1.0.0\"\nvehicle: {wheelbase: 3}\n"), "no problem");
  EXPECT_EQ(problemOf("version: \"1.7.0\"\n"), "no problem");
  EXPECT_EQ(problemOf("/**:\n  ros__parameters:\n    version: \"1.0.0\"\n"), "no problem");
  EXPECT_THAT(problemOf("vehicle: {}\nversion: \"2.0.0\"\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("version")));
  EXPECT_THAT(problemOf("version: [1]\n"), HasSubstr("version"));
  // It is said of a file, not of a simulation.
  EXPECT_THAT(problemWith({.assignments = {"version=1.0.0"}}), HasSubstr("unknown"));
}

TEST(Parameters, LaterSourcesWinAndEachSetsOnlyWhatItNames) {
  gs::testing::TempDir dir;
  gs::writeFile(dir / "a.yaml", std::string_view("vehicle: {max_speed: 10, mass: 900}\n"));
  gs::writeFile(dir / "b.yaml", std::string_view("vehicle: {max_speed: 12}\n"));
  const SimulationParameters p =
      loadParameters({.files = {dir / "a.yaml", dir / "b.yaml"},
                      .assignments = {"vehicle.wheelbase=3", "sensors.camera.cameras=[front]",
                                      "simulation.control_mode=twist"}});
  EXPECT_EQ(p.vehicle.max_speed, 12);
  EXPECT_EQ(p.vehicle.mass, 900);
  EXPECT_EQ(p.vehicle.wheelbase, 3);
  EXPECT_THAT(p.sensors.camera.choice.ids, ElementsAre("front"));
  EXPECT_EQ(p.simulation.control_mode, ControlMode::Twist);
}

TEST(Parameters, AnInitialPoseIsGivenValueByValue) {
  gs::testing::TempDir dir;
  gs::writeFile(dir / "x.yaml", std::string_view("simulation: {initial_pose: {x: 3, yaw: 1}}\n"));
  const auto pose = loadParameters({.files = {dir / "x.yaml"},
                                    .assignments = {"simulation.initial_pose.y=4",
                                                    "simulation.initial_pose.yaw=2"}})
                        .simulation.initial_pose;
  ASSERT_TRUE(pose);
  EXPECT_EQ(pose->x, 3);
  EXPECT_EQ(pose->y, 4);
  EXPECT_EQ(pose->yaw, 2);
  EXPECT_EQ(pose->z, std::nullopt);
  // Nobody's again.
  EXPECT_FALSE(
      loadParameters({.files = {dir / "x.yaml"}, .assignments = {"simulation.initial_pose=null"}})
          .simulation.initial_pose);
  EXPECT_THAT(problemWith({.assignments = {"simulation.initial_pose.pitch=.inf"}}),
              HasSubstr("simulation.initial_pose.pitch"));
}

TEST(Parameters, TheMeshIsForTheWorldToSayUnlessSomebodyDoes) {
  gs::testing::TempDir dir;
  gs::writeFile(dir / "ros.yaml",
                std::string_view("sensors: {lidar: {raycast: {use_static_mesh: false}}}\n"));
  const auto use = [](const ParameterSources& sources) {
    return loadParameters(sources).sensors.lidar.raycast.use_static_mesh;
  };
  const std::string key = "sensors.lidar.raycast.use_static_mesh=";
  EXPECT_EQ(use({.files = {dir / "ros.yaml"}}), UseMesh::No);
  EXPECT_EQ(use({.files = {dir / "ros.yaml"}, .assignments = {key + "true"}}), UseMesh::Yes);
  EXPECT_EQ(use({.files = {dir / "ros.yaml"}, .assignments = {key + "auto"}}), UseMesh::Auto);
  EXPECT_THAT(problemWith({.assignments = {key + "maybe"}}), HasSubstr("auto"));
}

TEST(Parameters, FilesOfRosParametersAreReadToo) {
  gs::testing::TempDir dir;
  gs::writeFile(dir / "ros.yaml",
                std::string_view("/**:\n  ros__parameters:\n    vehicle: {max_speed: 11}\n"));
  EXPECT_EQ(loadParameters({.files = {dir / "ros.yaml"}}).vehicle.max_speed, 11);
}

TEST(Parameters, PathsInAFileAreRelativeToIt) {
  gs::testing::TempDir dir;
  gs::writeFile(dir / "p.yaml",
                std::string_view("world: town\nsimulation: {replay_control: a.mcap}\n"));
  const SimulationParameters p = loadParameters({.files = {dir / "p.yaml"}});
  EXPECT_EQ(p.world, (dir / "town").string());
  EXPECT_EQ(p.simulation.replay_control, (dir / "a.mcap").string());
}

TEST(Parameters, AnEmptyNameOfALogIsNone) {
  gs::testing::TempDir dir;
  gs::writeFile(dir / "log.yaml", std::string_view("simulation: {replay_control: drive.mcap}\n"));
  gs::writeFile(dir / "none.yaml", std::string_view("simulation: {replay_control: ''}\n"));
  const auto replay = [&](const ParameterSources& sources) {
    return loadParameters(sources).simulation.replay_control;
  };
  EXPECT_FALSE(replay({.files = {dir / "none.yaml"}}));
  EXPECT_FALSE(replay({.files = {dir / "log.yaml", dir / "none.yaml"}}));
  EXPECT_FALSE(
      replay({.files = {dir / "log.yaml"}, .assignments = {"simulation.replay_control=''"}}));
  EXPECT_TRUE(replay({.files = {dir / "none.yaml", dir / "log.yaml"}}));
}

TEST(Parameters, MistakesAreNamedWithWhatWasMeant) {
  EXPECT_THAT(problemWith({.assignments = {"vehicle.wheelbse=3"}}),
              AllOf(HasSubstr("vehicle.wheelbse"), HasSubstr("did you mean 'wheelbase'?")));
  EXPECT_THAT(problemWith({.assignments = {"vehicle.wheelbase=-1"}}),
              AllOf(HasSubstr("--set vehicle.wheelbase=-1"), HasSubstr("0.1")));
  EXPECT_THAT(problemWith({.assignments = {"vehicle.mass=heavy"}}), HasSubstr("a number"));
  EXPECT_THAT(problemWith({.assignments = {"simulation.on_collision=explode"}}),
              HasSubstr("'report', 'stop'"));
  EXPECT_THAT(problemWith({.assignments = {"vehicle"}}), HasSubstr("sets nothing"));
  EXPECT_THAT(problemWith({.assignments = {"vehicle.mass=[1"}}), HasSubstr("not YAML"));
  EXPECT_THAT(problemWith({.files = {"nowhere.yaml"}}), HasSubstr("does not exist"));
}

TEST(Parameters, AValueOutOfRangeIsTheFaultOfTheFileThatSetIt) {
  gs::testing::TempDir dir;
  gs::writeFile(dir / "bad.yaml", std::string_view("vehicle:\n  mass: 900\n  max_speed: .nan\n"));
  gs::writeFile(dir / "good.yaml", std::string_view("vehicle: {mass: 901}\n"));
  EXPECT_THAT(problemWith({.files = {dir / "bad.yaml", dir / "good.yaml"}}),
              AllOf(HasSubstr("bad.yaml"), HasSubstr("line 3: vehicle.max_speed")));
}

}  // namespace
}  // namespace gs_sim
