// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/town_bundle.hpp"

#include <gmock/gmock.h>

#include "gs/bundle/read_bundle.hpp"
#include "gs/bundle/write_bundle.hpp"
#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"

namespace gs {
namespace {

TEST(TownBundle, KindsAreWhatTheAcceptancePageDefines) {
  const TownBundleOptions standard = optionsOf(TownBundleKind::Standard);
  EXPECT_EQ(standard.splats, 1'000'000u);
  EXPECT_EQ(standard.cameras, 3);
  EXPECT_EQ(standard.channels, 128);
  const TownBundleOptions largest = optionsOf(TownBundleKind::Largest);
  EXPECT_EQ(largest.splats, 5'000'000u);
  EXPECT_EQ(largest.heightmap_side, 4096);
  EXPECT_EQ(largest.cameras, 4);
  EXPECT_EQ(largest.lidars, 2);
}

// A small one of the same making: as sound as any world, and without a warning.
TEST(TownBundle, IsAWorldWithoutFault) {
  TownBundleOptions options = optionsOf(TownBundleKind::Largest);
  options.splats = 3000;
  options.heightmap_side = 256;
  const TownBundle made = makeTownBundle(options);
  EXPECT_EQ(made.bundle.gaussians.size(), 3000u);
  const testing::TempDir dir;
  writeBundle(dir / "world", made.bundle);
  writeFile(dir / "world/sim/trajectory.csv", std::string_view(made.trajectory));
  const ValidationReport report = validateBundle(dir / "world");
  EXPECT_TRUE(report.isValid());
  EXPECT_THAT(report.findings, ::testing::IsEmpty()) << toText(report);
  EXPECT_EQ(made.bundle.calibration.cameras.size(), 4u);
  EXPECT_EQ(made.bundle.calibration.lidars.size(), 2u);
}

}  // namespace
}  // namespace gs
