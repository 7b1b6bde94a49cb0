// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/environment.hpp"

#include <map>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"

namespace gs_ros2 {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

WireSettings with(const std::map<std::string, std::string>& variables) {
  return wireSettingsFrom([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(Environment, SaysWhichDomain) {
  EXPECT_EQ(with({}).domain, 0u);
  EXPECT_EQ(with({{"ROS_DOMAIN_ID", "42"}}).domain, 42u);
  for (const char* bad : {"x", "-1", "4x", "99999999999"})
    EXPECT_THROW(with({{"ROS_DOMAIN_ID", bad}}), gs::Error) << bad;
}

TEST(Environment, SaysHowFarDiscoveryGoes) {
  EXPECT_EQ(with({}).range, DiscoveryRange::Subnet);
  EXPECT_EQ(with({{"ROS_LOCALHOST_ONLY", "1"}}).range, DiscoveryRange::Localhost);
  EXPECT_EQ(with({{"ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST"}}).range,
            DiscoveryRange::Localhost);
  EXPECT_EQ(with({{"ROS_AUTOMATIC_DISCOVERY_RANGE", "far"}}).range, DiscoveryRange::Localhost);
  EXPECT_EQ(with({{"ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF"}}).range, DiscoveryRange::Off);
  const WireSettings both =
      with({{"ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF"}, {"ROS_LOCALHOST_ONLY", "1"}});
  EXPECT_EQ(both.range, DiscoveryRange::Localhost);
}

TEST(Environment, SaysWhichStandardInterfacesPeersHave) {
  const auto of = [](const std::optional<std::string>& distro) {
    return standardInterfacesFrom([&](const char*) { return distro; });
  };
  for (const char* first : {"humble", "iron", "jazzy", "kilted"})
    EXPECT_EQ(of(first), StandardInterfaces::V1) << first;
  for (const char* second : {"lyrical", "rolling"})
    EXPECT_EQ(of(second), StandardInterfaces::V2) << second;
  EXPECT_EQ(of(std::nullopt), StandardInterfaces::V2);
}

TEST(Environment, NamesStaticPeers) {
  EXPECT_THAT(with({{"ROS_STATIC_PEERS", "10.0.0.2;;lab-pc"}}).static_peers,
              ElementsAre("10.0.0.2", "lab-pc"));
  EXPECT_THAT(
      with({{"ROS_STATIC_PEERS", "a"}, {"ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF"}}).static_peers,
      IsEmpty());
}

TEST(Environment, TheDistributionSaysHowWideAGidIs) {
  EXPECT_EQ(with({}).gid_bytes, std::nullopt);
  for (const char* old : {"foxy", "galactic", "humble"})
    EXPECT_EQ(with({{"ROS_DISTRO", old}}).gid_bytes, 24) << old;
  for (const char* recent : {"iron", "jazzy", "kilted", "lyrical", "rolling"})
    EXPECT_EQ(with({{"ROS_DISTRO", recent}}).gid_bytes, 16) << recent;
}

}  // namespace
}  // namespace gs_ros2
