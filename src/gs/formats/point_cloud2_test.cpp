// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/point_cloud2.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "gs/core/error.hpp"
#include "gs/msgs/sensor_msgs.hpp"

namespace gs {
namespace {

constexpr uint8_t kF32 = 7, kF64 = 8, kU8 = 2, kU32 = 6;
constexpr Stamp kStamp{1'700'000'000'250'000'000};

// Points as a driver would pack them: any columns, any padding.
struct Packer {
  std::vector<std::byte> bytes;
  bool is_bigendian = false;

  template <typename T>
  void add(T value) {
    const size_t at = bytes.size();
    appendBytes(bytes, value);
    if (is_bigendian) std::reverse(bytes.begin() + at, bytes.end());
  }
  void pad(size_t count) { bytes.resize(bytes.size() + count, std::byte{0xee}); }
};

std::vector<PointColumn> withXyz(std::vector<PointColumn> more) {
  std::vector<PointColumn> columns = {{"x", 0, kF32, 1}, {"y", 4, kF32, 1}, {"z", 8, kF32, 1}};
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

TEST(PointCloud2, ReadsOrganisedCloudsWithPaddedPointsAndRows) {
  for (const bool is_bigendian : {false, true}) {
    Packer packer{.is_bigendian = is_bigendian};
    for (int row = 0; row < 2; ++row) {
      for (int i = 0; i < 3; ++i) {
        packer.add(static_cast<uint8_t>(10 * row + i));  // reflectivity
        packer.pad(3);
        packer.add(1.0 * row);  // z before x: order is free
        packer.add(2.0f * static_cast<float>(i));
        packer.add(-1.0f);
        packer.add(static_cast<int32_t>(row));
        packer.pad(5);
      }
      packer.pad(7);
    }
    const LidarPoints points = decodePointCloud({.height = 2,
                                                 .width = 3,
                                                 .columns = {{"reflectivity", 0, kU8, 1},
                                                             {"z", 4, kF64, 1},
                                                             {"x", 12, kF32, 1},
                                                             {"y", 16, kF32, 1},
                                                             {"line", 20, 5, 1}},
                                                 .is_bigendian = is_bigendian,
                                                 .point_step = 29,
                                                 .row_step = 94,
                                                 .data = packer.bytes},
                                                "/lidar");
    ASSERT_EQ(points.positions.size(), 6u);
    EXPECT_EQ(points.positions[5], (std::array<float, 3>{4, -1, 1}));
    EXPECT_EQ(points.intensity, (std::vector<float>{0, 1, 2, 10, 11, 12}));
    EXPECT_EQ(points.ring, (std::vector<uint16_t>{0, 0, 0, 1, 1, 1}));
    EXPECT_TRUE(points.time_offset.empty());
  }
}

TEST(PointCloud2, DropsNonFinitePointsFromEveryColumnOnRequest) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Packer packer;
  for (const float x : {1.0f, nan, 3.0f}) {
    for (const float value : {x, 0.0f, 0.0f, std::isnan(x) ? 9.0f : x}) packer.add(value);
  }
  const PointCloudView view{.height = 1,
                            .width = 3,
                            .columns = withXyz({{"i", 12, kF32, 1}}),
                            .point_step = 16,
                            .data = packer.bytes};
  const LidarPoints dropped = decodePointCloud(view, "/lidar");
  EXPECT_EQ(dropped.positions.size(), 2u);
  EXPECT_EQ(dropped.intensity, (std::vector<float>{1, 3}));
  EXPECT_EQ(dropped.non_finite, 1u);
  const LidarPoints kept = decodePointCloud(view, "/lidar", NonFinitePoints::Keep);
  EXPECT_EQ(kept.positions.size(), 3u);
  EXPECT_EQ(kept.non_finite, 1u);
}

// Two points whose times are `first` and `second` in the given column.
template <typename T>
LidarPoints withTimes(const char* name, uint8_t datatype, T first, T second, Stamp stamp = kStamp) {
  Packer packer;
  for (const T time : {first, second}) {
    for (int i = 0; i < 3; ++i) packer.add(1.0f);
    packer.add(time);
  }
  return decodePointCloud({.height = 1,
                           .width = 2,
                           .columns = withXyz({{name, 12, datatype, 1}}),
                           .point_step = 12 + sizeof(T),
                           .data = packer.bytes,
                           .stamp = stamp},
                          "/lidar");
}

TEST(PointCloud2, UnderstandsTheTimesOfCommonDrivers) {
  struct Case {
    LidarPoints points;
    PointTime kind;
    float first, second;
  };
  const double stamp_s = toSeconds(kStamp);
  const Case cases[] = {
      {withTimes("t", kU32, uint32_t{0}, uint32_t{99'000'000}), PointTime::SinceStamp, 0, 0.099f},
      {withTimes("time_stamp", kU32, 0u, 99'000u), PointTime::SinceStamp, 0, 0.099f},
      {withTimes("time", kF32, -0.05f, 0.05f), PointTime::SinceStamp, -0.05f, 0.05f},
      {withTimes("timestamp", kF64, stamp_s, stamp_s + 0.1), PointTime::Absolute, 0, 0.1f},
      {withTimes("timestamp", kF64, stamp_s * 1e9, stamp_s * 1e9 + 1e8), PointTime::Absolute, 0,
       0.1f},
      {withTimes("timestamp", kF64, 1.2e9, 1.2e9 + 0.1), PointTime::AbsoluteOfOtherClock, 0, 0.1f},
      {withTimes("time", kF64, 20.0, 20.1, Stamp{20'050'000'000}), PointTime::Absolute, -0.05f,
       0.05f},
      {withTimes("offset_time", kF64, 0.0, 99.0), PointTime::SinceStamp, 0, 0.099f},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(c.points.time, c.kind) << &c - cases;
    ASSERT_EQ(c.points.time_offset.size(), 2u);
    EXPECT_NEAR(c.points.time_offset[0], c.first, 1e-6) << &c - cases;
    EXPECT_NEAR(c.points.time_offset[1], c.second, 1e-6) << &c - cases;
  }
}

TEST(PointCloud2, ATimeThatIsNoNumberIsTheStamp) {
  const LidarPoints points =
      withTimes("time", kF32, std::numeric_limits<float>::quiet_NaN(), 0.05f);
  EXPECT_EQ(points.time_offset, (std::vector<float>{0, 0.05f}));
}

std::string whyNot(PointCloudView view) {
  try {
    decodePointCloud(view, "/lidar");
    return "";
  } catch (const Error& error) {
    return error.report().details.text("problem");
  }
}

TEST(PointCloud2, RefusesWhatReachesBeyondItsBounds) {
  const std::vector<std::byte> data(48);
  const PointCloudView good{.height = 2,
                            .width = 2,
                            .columns = withXyz({}),
                            .point_step = 12,
                            .row_step = 24,
                            .data = data};
  EXPECT_EQ(whyNot(good), "");
  auto bad = good;
  bad.width = 3;
  EXPECT_EQ(whyNot(bad), "row_step is less than width times point_step");
  bad = good;
  bad.height = 3;
  EXPECT_EQ(whyNot(bad), "the data is too short for 2 x 3 points");
  bad = good;
  bad.height = bad.width = bad.point_step = bad.row_step = 0xffffffff;
  EXPECT_NE(whyNot(bad), "");
  bad = good;
  bad.point_step = 0;
  EXPECT_EQ(whyNot(bad), "point_step is 0");
  bad = good;
  bad.columns[2].offset = 9;
  EXPECT_EQ(whyNot(bad), "field z reaches beyond point_step");
  bad.columns[2].offset = 0xffffffff;
  EXPECT_EQ(whyNot(bad), "field z reaches beyond point_step");
  bad = good;
  bad.columns[0].datatype = 9;
  EXPECT_EQ(whyNot(bad), "field x has the unknown datatype 9");
  bad = good;
  bad.columns.pop_back();
  EXPECT_EQ(whyNot(bad), "it has no field z");
}

TEST(PointCloud2, AnEmptyCloudHasNoPointsWhateverItsFields) {
  EXPECT_TRUE(decodePointCloud({.height = 1}, "/lidar").positions.empty());
}

TEST(PointCloud2, OurOwnLayoutComesBackAsItWas) {
  LidarPoints points{.positions = {{1, 2, 3}, {4, 5, 6}},
                     .intensity = {0.5f, 1},
                     .ring = {0, 31},
                     .time_offset = {0, 0.05f},
                     .time = PointTime::SinceStamp,
                     .time_unit = 1};
  msgs::PointCloud2 message;
  message.header.stamp = {100, 0};
  fillPointCloud(points, message);
  EXPECT_EQ(message.point_step, 24u);
  EXPECT_EQ(message.point_fields.back().offset, 20u);
  EXPECT_EQ(decodePointCloud(viewPointCloud(message), "/lidar"), points);

  points = {.positions = {{1, 2, 3}}, .intensity = {7}, .ring = {4}};
  fillPointCloud(points, message);
  EXPECT_EQ(message.point_step, 20u);
  EXPECT_EQ(decodePointCloud(viewPointCloud(message), "/lidar"), points);
}

}  // namespace
}  // namespace gs
