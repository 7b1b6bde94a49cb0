// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/config.hpp"

#include <filesystem>

#include <gmock/gmock.h>

#include "gs/core/file.hpp"

namespace gs_builder {
namespace {

constexpr auto kKinds =
    std::to_array({ConfigKind::Pipeline, ConfigKind::Training, ConfigKind::Geometry});

gs::Node parsed(std::string_view yaml) {
  gs::ConfigDocument document = gs::parseConfigDocument(yaml, "x.yaml");
  EXPECT_TRUE(document.root) << yaml;
  return document.root.value_or(gs::Node{});
}

std::filesystem::path shippedFile(ConfigKind kind) {
  return std::filesystem::path(GS_BUILDER_CONFIG_DIR) / usualFileName(kind);
}

TEST(ShippedConfig, IsWhatTheProgramPrints) {
  for (const ConfigKind kind : kKinds)
    EXPECT_EQ(gs::readTextFile(shippedFile(kind), gs::kMaxConfigBytes), defaultConfigText(kind))
        << "write it anew: gs-world-builder print-default-config " << gs::wordOf(kind);
}

TEST(ShippedConfig, LoadsWithoutProblems) {
  EXPECT_NO_THROW(gs::loadConfig<PipelineConfig>(shippedFile(ConfigKind::Pipeline)));
  EXPECT_NO_THROW(gs::loadConfig<TrainingConfig>(shippedFile(ConfigKind::Training)));
  EXPECT_NO_THROW(gs::loadConfig<GeometryConfig>(shippedFile(ConfigKind::Geometry)));
}

TEST(DefaultConfigText, HoldsTheDefaultsAndNothingElse) {
  gs::ConfigDocument document = gs::parseConfigDocument(
      defaultConfigText(ConfigKind::Training, gs::YamlDetail::All), "x.yaml");
  EXPECT_EQ(gs::toJson(gs::readConfig<TrainingConfig>(document)), gs::toJson(TrainingConfig{}));
  EXPECT_TRUE(document.problems.empty());
}

// The examples are shown commented out; a person who takes the '#' away must not get an error.
TEST(DefaultConfigText, EveryExampleIsAcceptedOnceItsMarkIsRemoved) {
  for (const ConfigKind kind : kKinds) {
    std::string text = defaultConfigText(kind, gs::YamlDetail::All);
    const size_t body = text.find("version:");
    for (size_t at = body; (at = text.find("# ", at)) != std::string::npos; ++at) {
      const size_t line = text.rfind('\n', at) + 1;
      if (text.find_first_not_of(' ', line) == at) text.erase(at, 2);
    }
    gs::ConfigDocument document = gs::parseConfigDocument(text, "x.yaml");
    checkConfig(document, kind);
    std::erase_if(document.problems, [](const gs::Problem& problem) {
      return problem.path == "input.mcap_file" || problem.path == "input.extrinsics_file";
    });
    EXPECT_TRUE(document.problems.empty()) << gs::toString(document.problems.front()) << text;
  }
}

TEST(DefaultConfigText, NoLineIsTooLongToRead) {
  for (const ConfigKind kind : kKinds) {
    std::istringstream lines(defaultConfigText(kind, gs::YamlDetail::All));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(RecogniseKind, GoesByTheKeysFirst) {
  EXPECT_EQ(recogniseKind(parsed("topics:"), "a.yaml"), ConfigKind::Pipeline);
  EXPECT_EQ(recogniseKind(parsed("training: {seed: 1}"), "config.yaml"), ConfigKind::Training);
  EXPECT_EQ(recogniseKind(parsed("heightmap: {resolutoin: 1}"), "a.yaml"), ConfigKind::Geometry);
  EXPECT_EQ(recogniseKind(parsed("output: {scene_id: a}"), "a.yaml"), ConfigKind::Pipeline);
  EXPECT_EQ(recogniseKind(parsed("output: {save_iterations: [1]}"), "a.yaml"),
            ConfigKind::Training);
}

TEST(RecogniseKind, GoesByTheNameWhenTheKeysAreSilent) {
  EXPECT_EQ(recogniseKind(parsed("version: 1"), "a/geometry_config.yaml"), ConfigKind::Geometry);
  EXPECT_EQ(recogniseKind(parsed("output: {}"), "config.yaml"), ConfigKind::Pipeline);
  EXPECT_EQ(recogniseKind(parsed("version: 1"), "a.yaml"), std::nullopt);
  EXPECT_EQ(recogniseKind(parsed("[1, 2]"), "a.yaml"), std::nullopt);
}

TEST(CountKeys, EveryKeyIsSetOrDefault) {
  const KeyCount none = countKeys(parsed("{}"), ConfigKind::Geometry);
  EXPECT_EQ(none.set, 0);
  const KeyCount some =
      countKeys(parsed("version: 1\nheightmap:\n  filter: {median_kernel: 3}\n  margin:\n"),
                ConfigKind::Geometry);
  EXPECT_EQ(some.set, 2);
  EXPECT_EQ(some.set + some.defaults, none.defaults);
}

}  // namespace
}  // namespace gs_builder
