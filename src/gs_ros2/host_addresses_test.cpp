// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/host_addresses.hpp"

#include <algorithm>

#include <gmock/gmock.h>

namespace gs_ros2 {
namespace {

TEST(HostAddresses, LoopbackIsTheFirstAndNoneIsThereTwice) {
  const std::vector<Ipv4> own = ownAddresses();
  ASSERT_FALSE(own.empty());
  EXPECT_EQ(own.front(), kLoopback);
  for (const Ipv4& address : own) EXPECT_EQ(std::count(own.begin(), own.end(), address), 1);
}

TEST(HostAddresses, ThisHostAndThoseNamedAreAllowed) {
  AllowedHosts allowed({{192, 0, 2, 7}});
  for (const Ipv4& address : ownAddresses()) EXPECT_TRUE(allowed.contains(address));
  EXPECT_TRUE(allowed.contains({127, 0, 0, 9}));
  EXPECT_TRUE(allowed.contains({192, 0, 2, 7}));
  EXPECT_FALSE(allowed.contains({192, 0, 2, 8}));
  EXPECT_FALSE(allowed.contains({239, 255, 0, 1}));
}

}  // namespace
}  // namespace gs_ros2
