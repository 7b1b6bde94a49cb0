// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/ros_args.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/testing/temp_dir.hpp"

namespace gs_ros2 {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const NodeName kNode{.ns = "/car", .name = "sim"};

std::vector<std::string> named(const RosArgs& args, const NodeName& node = kNode) {
  std::vector<std::string> lines;
  for (const auto& [name, value] : overridesFor(args, node))
    lines.push_back(name + "=" + value.scalar);
  return lines;
}

TEST(RosArgs, EverythingOutsideTheBlocksBelongsToTheProgram) {
  const auto [own, ros] = splitRosArgs({"run", "--world", "w", "--ros-args", "-r", "a:=b", "--",
                                        "--fast", "--ros-args", "-p", "x:=1", "--ros-args"});
  EXPECT_THAT(own, ElementsAre("run", "--world", "w", "--fast"));
  const RosArgs args = parseRosArgs(ros);
  EXPECT_THAT(args.remaps, ElementsAre(Remap{"", "a", "b"}));
  EXPECT_THAT(named(args), ElementsAre("x=1"));
  EXPECT_THAT(args.warnings, IsEmpty());
}

TEST(RosArgs, AProgramWithoutThemKeepsAllItsArguments) {
  EXPECT_THAT(splitRosArgs({"run", "-p", "--", "x"}).own, ElementsAre("run", "-p", "--", "x"));
  EXPECT_THAT(splitRosArgs({"run", "-p"}).ros, IsEmpty());
}

TEST(RosArgs, RemapsNameNodesAndNamespaces) {
  const RosArgs args = parseRosArgs({"--ros-args", "-r", "__node:=ego", "--remap", "__ns:=/lab",
                                     "-r", "sim:odom:=/ego/odom", "clock:=/c"});
  EXPECT_THAT(args.remaps,
              ElementsAre(Remap{"", "__node", "ego"}, Remap{"", "__ns", "/lab"},
                          Remap{"sim", "odom", "/ego/odom"}, Remap{"", "clock", "/c"}));
}

TEST(RosArgs, ParametersAreYamlAndTheLastOneWins) {
  const RosArgs args = parseRosArgs(
      {"--ros-args", "-p", "a:=1", "-p", "b:=text", "--param", "other:a:=2", "-p", "sim:a:=3.5"});
  EXPECT_THAT(named(args), ElementsAre("b=text", "a=3.5"));
  EXPECT_THAT(named(args, {.ns = "/", .name = "other"}), ElementsAre("b=text", "a=2"));
}

TEST(RosArgs, ParameterFilesReachTheNodesTheyName) {
  const gs::testing::TempDir folder;
  std::ofstream(folder / "p.yaml") << "/**:\n  ros__parameters:\n    a: 1\n    deep: {b: 2}\n"
                                      "/car:\n  sim:\n    ros__parameters: {a: 3}\n"
                                      "/lab/sim:\n  ros__parameters: {a: 4}\n"
                                      "sim:\n  ros__parameters: {c: 5}\n";
  const RosArgs args = parseRosArgs({"--ros-args", "--params-file", (folder / "p.yaml").string()});
  EXPECT_THAT(named(args), ElementsAre("deep.b=2", "a=3"));
  EXPECT_THAT(named(args, {.ns = "/", .name = "sim"}), ElementsAre("a=1", "deep.b=2", "c=5"));
}

TEST(RosArgs, PatternsMeanNodes) {
  for (const char* yes : {"", "/**", "/*/sim", "/**/sim", "/car/sim", "/car/*", "/car/**"})
    EXPECT_TRUE(concernsNode(yes, kNode)) << yes;
  for (const char* no : {"/sim", "/*", "/car", "/*/*/sim", "/bus/**"})
    EXPECT_FALSE(concernsNode(no, kNode)) << no;
  // Must not take for ever.
  std::string many;
  for (int i = 0; i < 200; ++i) many += "/**/a";
  EXPECT_FALSE(concernsNode(many, {.ns = "/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a", .name = "b"}));
}

TEST(RosArgs, LogLevelsAndSwitches) {
  const RosArgs args = parseRosArgs({"--ros-args", "--log-level", "sim:=DEBUG",
                                     "--disable-rosout-logs", "--enable-external-lib-logs"});
  EXPECT_EQ(args.log_level, gs::LogLevel::Debug);
  EXPECT_FALSE(args.log_to_rosout);
  EXPECT_TRUE(args.log_to_stdout);
  EXPECT_THAT(args.warnings, IsEmpty());
}

TEST(RosArgs, UnknownOnesAreNamedAndIgnored) {
  const RosArgs args = parseRosArgs({"--ros-args", "--frobnicate", "-e", "/x"});
  EXPECT_EQ(args.warnings.size(), 2u);
}

TEST(RosArgs, WhatMakesNoSenseIsRefused) {
  const std::vector<std::vector<std::string>> bad = {
      {"--ros-args", "-r"},
      {"--ros-args", "-r", "a"},
      {"--ros-args", "-r", "a:="},
      {"--ros-args", "-r", ":=b"},
      {"--ros-args", "-p", "a"},
      {"--ros-args", "-p", "a:=[1"},
      {"--ros-args", "--log-level"},
      {"--ros-args", "--log-level", "loud"},
      {"--ros-args", "--params-file", "/nonexistent/file.yaml"}};
  for (const auto& arguments : bad) EXPECT_THROW(parseRosArgs(arguments), gs::Error);
  for (const char* text : {"", "1", "a: 1", "ros__parameters: {a: 1}", "/**: {ros__parameters: 1}"})
    EXPECT_THROW(parseParameterFile(text, "file"), gs::Error) << text;
}

}  // namespace
}  // namespace gs_ros2
