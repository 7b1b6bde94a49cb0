// SPDX-License-Identifier: Apache-2.0
#include "gs/core/load_config.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/core/value_checks.hpp"

namespace gs {
namespace {

struct Radio {
  double volume = 0.5;
  int station = 1;
  std::string logo;
  static void fields(auto& self, auto&& visit) {
    visit("volume", self.volume);
    visit("station", self.station);
    visit("logo", self.logo);
  }
};
std::vector<Problem> problemsIn(const Radio& radio) {
  ValueChecks checks;
  checks.isBetween("volume", radio.volume, 0, 1);
  checks.isAtLeast("station", radio.station, 1);
  return checks.take();
}
void resolvePaths(Radio& radio, const std::filesystem::path& folder) {
  if (!radio.logo.empty()) radio.logo = (folder / radio.logo).string();
}
std::vector<Problem> missingFilesOf(const Radio& radio) {
  ValueChecks checks;
  if (!radio.logo.empty())
    checks.require(std::filesystem::exists(radio.logo), "logo", "there is no such file");
  return checks.take();
}

ErrorReport loadBad(const std::filesystem::path& file) {
  try {
    loadConfig<Radio>(file);
  } catch (const Error& error) {
    return error.report();
  }
  ADD_FAILURE() << file << " was accepted";
  return {};
}

TEST(LoadConfig, AbsentKeysKeepTheirDefaults) {
  const testing::TempDir dir;
  writeFileAtomically(dir / "radio.yaml", "station: 7\n");
  const Radio radio = loadConfig<Radio>(dir / "radio.yaml");
  EXPECT_EQ(radio.station, 7);
  EXPECT_EQ(radio.volume, 0.5);
}

TEST(LoadConfig, OneErrorHoldsEveryProblemInFileOrder) {
  const testing::TempDir dir;
  const auto file = dir / "radio.yaml";
  writeFileAtomically(file, "volum: 1\nvolume: 2\nstation: 0\nlogo: none.png\n");
  const ErrorReport report = loadBad(file);
  EXPECT_EQ(report.code, ErrorCode::ConfigInvalid);
  EXPECT_EQ(report.component, "config");
  EXPECT_EQ(report.message, "'" + file.string() + "' has 4 problems, see details");
  EXPECT_EQ(report.details.json()["file"], file.string());
  std::vector<int> lines;
  for (const auto& problem : report.details.json()["problems"]) lines.push_back(problem["line"]);
  EXPECT_THAT(lines, ::testing::ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(report.details.json()["problems"][0]["message"], "unknown key; did you mean 'volume'?");
}

TEST(LoadConfig, AValueThatCannotBeReadIsNotJudgedTwice) {
  ConfigDocument document = parseConfigDocument("volume: 3\nstation: [1]", "radio.yaml");
  std::vector<Problem> found = {{Problem::Kind::BadValue, "station", 0, "0 is less than 1"}};
  readConfig<Radio>(document);
  ASSERT_EQ(document.problems.size(), 2U);
  addFoundProblems(document.problems, *document.root, found);
  EXPECT_EQ(document.problems.size(), 2U);
}

TEST(LoadConfig, RelativePathsStartAtTheFolderOfTheFile) {
  const testing::TempDir dir;
  writeFileAtomically(dir / "logo.png", "x");
  writeFileAtomically(dir / "radio.yaml", "logo: logo.png\n");
  EXPECT_EQ(loadConfig<Radio>(dir / "radio.yaml").logo, (dir / "logo.png").string());
}

TEST(LoadConfig, NamedFilesAreNotLookedForWhenAFlagReplacesThem) {
  const testing::TempDir dir;
  writeFileAtomically(dir / "radio.yaml", "logo: none.png\n");
  EXPECT_THROW(loadConfig<Radio>(dir / "radio.yaml"), Error);
  EXPECT_NO_THROW(loadConfig<Radio>(dir / "radio.yaml", NamedFiles::AreNotChecked));
}

TEST(LoadConfig, WhatCannotBeReadIsAnInvalidConfigurationToo) {
  const testing::TempDir dir;
  writeFileAtomically(dir / "large.yaml", std::string(kMaxConfigBytes + 1, '#'));
  writeFileAtomically(dir / "broken.yaml", "a: [1\n");
  for (const char* name : {"missing.yaml", "large.yaml", "broken.yaml", "."})
    EXPECT_EQ(loadBad(dir / name).code, ErrorCode::ConfigInvalid) << name;
  EXPECT_THAT(loadBad(dir / "missing.yaml").message, ::testing::HasSubstr("does not exist"));
}

}  // namespace
}  // namespace gs
