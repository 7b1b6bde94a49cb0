// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/gaussian_cloud.hpp"

#include <gtest/gtest.h>

namespace gs {
namespace {

TEST(GaussianCloud, HasRoomForTheCoefficientsOfItsDegree) {
  for (int degree = 0; degree <= kMaxShDegree; ++degree) {
    GaussianCloud cloud;
    cloud.sh_degree = degree;
    cloud.resize(3);
    EXPECT_EQ(cloud.size(), 3u);
    EXPECT_EQ(cloud.sh_rest.size(), 3 * restCount(degree));
  }
  EXPECT_EQ(restCount(3), 45u);
}

}  // namespace
}  // namespace gs
