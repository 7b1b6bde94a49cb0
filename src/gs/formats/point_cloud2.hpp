// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gs/core/bytes.hpp"
#include "gs/core/time.hpp"

// LiDAR scans in the clothes of sensor_msgs/PointCloud2. Every driver has its own columns, types
// and padding; here they become plain points. The message struct itself lives in gs/msgs, which
// this room may not name, so the two templates at the end take any struct of its shape.
namespace gs {

// sensor_msgs/PointField::datatype.
enum class PointType : uint8_t { Int8 = 1, Uint8, Int16, Uint16, Int32, Uint32, Float32, Float64 };

struct PointColumn {
  std::string_view name;
  uint32_t offset = 0;  // bytes from the start of a point
  uint8_t datatype = 0;
  uint32_t count = 1;  // more than one value: the first counts
};

// Refers to the message, which must outlive it.
struct PointCloudView {
  uint32_t height = 0;
  uint32_t width = 0;
  std::vector<PointColumn> columns;
  bool is_bigendian = false;
  uint32_t point_step = 0;
  uint32_t row_step = 0;  // counts only when there is more than one row
  Bytes data;
  Stamp stamp;
};

// How the time column was understood (see decodePointCloud).
enum class PointTime { None, SinceStamp, Absolute, AbsoluteOfOtherClock };

struct LidarPoints {
  std::vector<std::array<float, 3>> positions;  // m, in the frame of the message
  std::vector<float> intensity;                 // each per point, or empty: no such column
  std::vector<uint16_t> ring;
  std::vector<float> time_offset;  // s after the stamp of the message; may be negative
  PointTime time = PointTime::None;
  double time_unit = 0;   // s per count of the time column, as detected
  size_t non_finite = 0;  // points with a NaN or infinite coordinate

  bool operator==(const LidarPoints&) const = default;
};

enum class NonFinitePoints { Keep, Drop };

// Columns are found by name: x, y, z (required); intensity, i or reflectivity; ring, channel or
// line; t, time, timestamp, time_stamp or offset_time. Each may have any of the eight datatypes.
//
// Times come in several dialects, and no field says which. In this order:
//  1. the earliest time is within 2 s of the stamp in s, ms, us or ns (and the stamp beyond 10 s):
//     absolute; the stamp is subtracted.
//  2. it is too large for a time since the stamp: absolute ns, us, ms or s of another clock; the
//     earliest point is taken to be at the stamp.
//  3. otherwise since the stamp: integers are ns when they exceed 1e6, else us (a sweep lasts less
//     than a second); floats are s up to 10, ms up to 1e3, us up to 1e6, then ns.
// A time that is not finite counts as 0.
//
// Throws gs::Error (INPUT_INVALID, component "point_cloud2") when x, y or z is missing, a column
// reaches beyond its point, a row beyond its step, or the points beyond the data.
LidarPoints decodePointCloud(const PointCloudView& cloud, const std::string& name,
                             NonFinitePoints non_finite = NonFinitePoints::Drop);
// Replaces what `points` holds and keeps its memory, so that a reader of many scans allocates once.
void decodePointCloudInto(const PointCloudView& cloud, const std::string& name, LidarPoints& points,
                          NonFinitePoints non_finite = NonFinitePoints::Drop);

// Our own layout, one row: x y z intensity float32, ring uint16, time float32 (s since the stamp).
// Columns that `points` lacks are left out.
struct PackedPoints {
  std::vector<PointColumn> columns;
  uint32_t point_step = 0;
  std::vector<uint8_t> data;
};
PackedPoints packPoints(const LidarPoints& points);

template <typename Message>
PointCloudView viewPointCloud(const Message& message) {
  PointCloudView view{
      .height = message.height,
      .width = message.width,
      .is_bigendian = message.is_bigendian,
      .point_step = message.point_step,
      .row_step = message.row_step,
      .data = std::as_bytes(std::span(message.data)),
      .stamp = fromSecNanosec({message.header.stamp.sec, message.header.stamp.nanosec})};
  for (const auto& field : message.point_fields)
    view.columns.push_back({field.name, field.offset, field.datatype, field.count});
  return view;
}

// Everything but the header.
template <typename Message>
void fillPointCloud(const LidarPoints& points, Message& message) {
  PackedPoints packed = packPoints(points);
  message.height = 1;
  message.width = static_cast<uint32_t>(points.positions.size());
  message.point_fields.clear();
  for (const PointColumn& column : packed.columns) {
    auto& field = message.point_fields.emplace_back();
    field.name = column.name;
    field.offset = column.offset;
    field.datatype = column.datatype;
    field.count = column.count;
  }
  message.is_bigendian = false;
  message.point_step = packed.point_step;
  message.row_step = packed.point_step * message.width;
  message.data = std::move(packed.data);
  message.is_dense = points.non_finite == 0;
}

}  // namespace gs
