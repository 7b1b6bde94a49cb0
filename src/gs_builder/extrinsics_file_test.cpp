// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/extrinsics_file.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"

namespace gs_builder {
namespace {

TEST(ExtrinsicsFile, SuppliesMountsAndWinsOverTheLog) {
  const gs::testing::TempDir dir;
  gs::writeFileAtomically(dir / "mounts.yaml",
                          "version: \"1.0.0\"\n"
                          "mounts:\n"
                          "  lidar: {translation: [1, 0, 1.8]}\n"
                          "  camera: {parent: lidar, translation: [0, 0.5, 0],\n"
                          "           rotation_quat: [0, 0, 1, 0]}\n");
  TfTree tf;
  tf.add("base_link", "lidar", true, {}, {}, {9, 9, 9}, {0, 0, 0, 1});
  addExtrinsics(dir / "mounts.yaml", tf);
  tf.settle();
  EXPECT_EQ(tf.find("base_link", "camera", {})->translation, gs::Vec3(1, 0.5, 1.8));
}

TEST(ExtrinsicsFile, NamesWhatIsWrongWithIt) {
  const gs::testing::TempDir dir;
  gs::writeFileAtomically(dir / "mounts.yaml",
                          "version: \"1.0.0\"\n"
                          "mounts:\n"
                          "  lidar: {parent: lidar, translation: [.nan, 0, 0],\n"
                          "          rotation_quat: [0, 0, 0, 0]}\n");
  TfTree tf;
  try {
    addExtrinsics(dir / "mounts.yaml", tf);
    FAIL();
  } catch (const gs::Error& error) {
    EXPECT_EQ(error.report().code, gs::ErrorCode::ConfigInvalid);
    EXPECT_EQ(error.report().details.json()["problems"].size(), 3u);
  }
}

}  // namespace
}  // namespace gs_builder
