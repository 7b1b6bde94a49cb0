// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "gs/core/hash.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "shared_data.hpp"

// Logs of real drives, written by programs of others.
namespace gs {
namespace {

namespace fs = std::filesystem;

using Seen = std::tuple<std::string, std::string, int64_t, int64_t, std::string>;

std::vector<Seen> messagesOf(const fs::path& log) {
  const LogReader reader(log, {.is_strict = true});
  std::vector<Seen> messages;
  reader.read({}, [&messages](const LogMessage& message) {
    messages.emplace_back(message.topic.name, message.topic.type, message.log_time.ns,
                          message.publish_time.ns, hexDigest(HashKind::Md5, message.data));
  });
  EXPECT_EQ(messages.size(), reader.summary().message_count);
  return messages;
}

TEST(RealLogs, FourContainersOfOneDriveHoldTheSameMessages) {
  const fs::path folder = testing::sharedData() / "mcap";
  if (!fs::is_directory(folder)) GTEST_SKIP() << folder << " is not on this machine";
  const auto expected = messagesOf(folder / "kitti_0005_mini_none.mcap");
  EXPECT_GT(expected.size(), 10U);
  for (const char* kind : {"zstd", "lz4", "nochunk"})
    EXPECT_EQ(messagesOf(folder / ("kitti_0005_mini_" + std::string(kind) + ".mcap")), expected)
        << kind;
}

TEST(RealLogs, ACityDriveIsReadInOrderWithoutAProblem) {
  const fs::path log = testing::sharedData() / "mcap/nuscenes_scene-0006.mcap";
  if (!fs::exists(log)) GTEST_SKIP() << log << " is not on this machine";
  const LogReader reader(log, {.is_strict = true});
  EXPECT_TRUE(reader.summary().is_indexed);
  std::map<std::string, uint64_t> counts;
  Stamp last = reader.summary().start;
  reader.read({}, [&](const LogMessage& message) {
    EXPECT_LE(last, message.log_time);
    last = message.log_time;
    ++counts[message.topic.name];
  });
  EXPECT_EQ(last, reader.summary().end);
  for (const LogTopic& topic : reader.summary().topics)
    EXPECT_EQ(counts[topic.name], topic.message_count) << topic.name;
  EXPECT_GT(counts["/lidar/LIDAR_TOP/points"], 300U);
}

}  // namespace
}  // namespace gs
