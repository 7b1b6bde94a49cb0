// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/broken_bundles.hpp"

#include <set>

#include <gmock/gmock.h>

#include "gs/bundle/read_bundle.hpp"
#include "gs/core/error.hpp"
#include "gs/core/testing/temp_dir.hpp"

namespace gs {

void PrintTo(const BrokenBundle& broken, std::ostream* out) { *out << broken.name; }

namespace {

class EveryBrokenBundle : public ::testing::TestWithParam<BrokenBundle> {};

TEST_P(EveryBrokenBundle, GivesItsFindingInItsFile) {
  const testing::TempDir dir;
  const BrokenBundle& broken = GetParam();
  writeBrokenBundle(broken, dir / "world");
  const ValidationReport report = validateBundle(dir / "world");

  std::vector<std::string> found;
  for (const Finding& finding : report.findings)
    found.push_back(std::string(finding.rule->id) + " in " + finding.file);
  EXPECT_THAT(found,
              ::testing::Contains(std::string(broken.rule_id) + " in " + std::string(broken.file)))
      << toText(report);
  // An error makes the bundle invalid, a warning does not.
  const bool is_error = ruleAt(broken.rule_id).severity == Severity::Error;
  EXPECT_EQ(report.isValid(), !is_error) << toText(report);
}

TEST_P(EveryBrokenBundle, IsRefusedByTheReaderExactlyWhenItIsInvalid) {
  const testing::TempDir dir;
  const BrokenBundle& broken = GetParam();
  writeBrokenBundle(broken, dir / "world");
  if (ruleAt(broken.rule_id).severity == Severity::Warning) {
    EXPECT_NO_THROW(readBundle(dir / "world"));
    return;
  }
  try {
    readBundle(dir / "world");
    FAIL() << "was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.report().code,
              broken.rule_id == "file.missing" ? ErrorCode::FileMissing : ErrorCode::BundleInvalid);
  }
}

std::string nameOf(const ::testing::TestParamInfo<BrokenBundle>& info) {
  return std::string(info.param.name);
}
INSTANTIATE_TEST_SUITE_P(Rules, EveryBrokenBundle,
                         ::testing::ValuesIn(brokenBundles().begin(), brokenBundles().end()),
                         nameOf);

TEST(Rules, EveryRuleHasABundleThatBreaksIt) {
  std::set<std::string_view> broken;
  for (const BrokenBundle& bundle : brokenBundles()) broken.insert(bundle.rule_id);
  for (const Rule& rule : allRules()) EXPECT_TRUE(broken.contains(rule.id)) << rule.id;
}

TEST(Rules, HaveUniqueIds) {
  std::set<std::string_view> ids;
  for (const Rule& rule : allRules()) EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
}

}  // namespace
}  // namespace gs
