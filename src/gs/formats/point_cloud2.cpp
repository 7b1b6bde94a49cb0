// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/point_cloud2.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include "gs/core/error.hpp"
#include "gs/formats/point_time.hpp"

namespace gs {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw Error({.code = ErrorCode::InputInvalid,
               .component = "point_cloud2",
               .message = "the point cloud of '" + name + "' cannot be read: " + why,
               .details = {{"name", name}, {"problem", why}},
               .suggestion = "Check the fields, point_step and row_step that the driver sends."});
}

constexpr size_t sizeOf(uint8_t datatype) {
  constexpr std::array<size_t, 9> kSizes = {0, 1, 1, 2, 2, 4, 4, 4, 8};
  return datatype < kSizes.size() ? kSizes[datatype] : 0;
}

bool isType(const PointColumn& column, PointType type) {
  return column.datatype == static_cast<uint8_t>(type);
}

const PointColumn* findColumn(const PointCloudView& cloud, const std::string& name,
                              std::initializer_list<std::string_view> names) {
  for (const std::string_view wanted : names)
    for (const PointColumn& column : cloud.columns) {
      if (column.name != wanted) continue;
      const size_t size = sizeOf(column.datatype);
      if (size == 0)
        fail(name, "field " + std::string(wanted) + " has the unknown datatype " +
                       std::to_string(column.datatype));
      if (size > cloud.point_step || column.offset > cloud.point_step - size)
        fail(name, "field " + std::string(wanted) + " reaches beyond point_step");
      return &column;
    }
  return nullptr;
}

template <typename T, bool IsSwapped>
T valueAt(const std::byte* at) {
  T value;
  if constexpr (IsSwapped) {
    std::array<std::byte, sizeof(T)> bytes;
    std::reverse_copy(at, at + sizeof(T), bytes.begin());
    std::memcpy(&value, bytes.data(), sizeof value);
  } else {
    std::memcpy(&value, at, sizeof value);
  }
  return value;
}

// Points of one row that stand one behind the other, few enough for the cache.
struct PointBlock {
  const std::byte* data;
  size_t step;   // bytes from point to point
  size_t first;  // index of the first point in the cloud
  size_t count;
  bool is_bigendian;
};

template <typename Use>
void forEachBlock(const PointCloudView& cloud, const Use& use) {
  constexpr size_t kBlock = 512;
  for (size_t row = 0; row < cloud.height; ++row)
    for (size_t begin = 0; begin < cloud.width; begin += kBlock)
      use(PointBlock{cloud.data.data() + row * cloud.row_step + begin * cloud.point_step,
                     cloud.point_step, row * cloud.width + begin,
                     std::min<size_t>(kBlock, cloud.width - begin), cloud.is_bigendian});
}

// Calls use(index, value) for the column of each point; the bounds have been checked.
template <typename T, bool IsSwapped, typename Use>
void forEachValue(const PointBlock& block, size_t offset, const Use& use) {
  const std::byte* at = block.data + offset;
  for (size_t i = 0; i < block.count; ++i, at += block.step)
    use(block.first + i, valueAt<T, IsSwapped>(at));
}

template <typename T, typename Use>
void forEachValue(const PointBlock& block, const PointColumn& column, const Use& use) {
  if (block.is_bigendian) forEachValue<T, true>(block, column.offset, use);
  else forEachValue<T, false>(block, column.offset, use);
}

template <typename Use>
void readColumn(const PointBlock& block, const PointColumn& column, const Use& use) {
  switch (static_cast<PointType>(column.datatype)) {
    case PointType::Int8: return forEachValue<int8_t>(block, column, use);
    case PointType::Uint8: return forEachValue<uint8_t>(block, column, use);
    case PointType::Int16: return forEachValue<int16_t>(block, column, use);
    case PointType::Uint16: return forEachValue<uint16_t>(block, column, use);
    case PointType::Int32: return forEachValue<int32_t>(block, column, use);
    case PointType::Uint32: return forEachValue<uint32_t>(block, column, use);
    case PointType::Float32: return forEachValue<float>(block, column, use);
    case PointType::Float64: return forEachValue<double>(block, column, use);
  }
}

// Float32 is nearly always what it is; others go through double, which holds them all.
void readFloats(const PointBlock& block, const PointColumn& column, float* out, size_t stride) {
  readColumn(block, column, [out, stride]<typename T>(size_t i, T value) {
    if constexpr (std::is_same_v<T, float>) out[i * stride] = value;
    else out[i * stride] = toFloat(static_cast<double>(value));
  });
}

// A ring is a small number whatever its type; what does not fit is cut to what does.
uint16_t toRing(uint16_t value) { return value; }
uint16_t toRing(uint8_t value) { return value; }
uint16_t toRing(auto value) {
  constexpr double kMax = std::numeric_limits<uint16_t>::max();
  const auto number = static_cast<double>(value);
  return std::isnan(number) ? uint16_t{0} : static_cast<uint16_t>(std::clamp(number, 0.0, kMax));
}

// Times of any type but float32, which needs the whole column to be understood.
void readTimes(const PointCloudView& cloud, const PointColumn& column, size_t count,
               LidarPoints& points) {
  const auto read = [&]<typename T>(std::vector<T> times) {
    forEachBlock(cloud, [&](const PointBlock& block) {
      readColumn(block, column, [&](size_t i, auto value) { times[i] = static_cast<T>(value); });
    });
    setPointTimes(times, cloud.stamp, points);
  };
  if (isType(column, PointType::Float64)) read(std::vector<double>(count));
  else read(std::vector<int64_t>(count));
}

// Where each column of a cloud is; null when it has none.
struct Columns {
  std::array<const PointColumn*, 3> axes;
  const PointColumn *intensity, *ring, *time;

  Columns(const PointCloudView& cloud, const std::string& name)
      : axes{findColumn(cloud, name, {"x"}), findColumn(cloud, name, {"y"}),
             findColumn(cloud, name, {"z"})},
        intensity(findColumn(cloud, name, {"intensity", "i", "reflectivity"})),
        ring(findColumn(cloud, name, {"ring", "channel", "line"})),
        time(findColumn(cloud, name, {"t", "time", "timestamp", "time_stamp", "offset_time"})) {
    for (size_t axis = 0; axis < axes.size(); ++axis)
      if (!axes[axis]) fail(name, std::string("it has no field ") + "xyz"[axis]);
  }
  bool hasPlainTime() const { return time && isType(*time, PointType::Float32); }
  // x, y and z as three floats in a row, as nearly every driver sends them.
  bool hasPlainAxes(const PointCloudView& cloud) const {
    for (size_t axis = 0; axis < axes.size(); ++axis)
      if (!isType(*axes[axis], PointType::Float32) ||
          axes[axis]->offset != axes[0]->offset + uint64_t{4} * axis)
        return false;
    return !cloud.is_bigendian;
  }
};

void readPlainAxes(const PointBlock& block, size_t offset, std::array<float, 3>* out) {
  const std::byte* at = block.data + offset;
  for (size_t i = 0; i < block.count; ++i, at += block.step)
    std::memcpy(out[block.first + i].data(), at, sizeof *out);
}

bool isFinite(const std::array<float, 3>& p) {
  return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
}

// Scans with such points are rare: first all coordinates at once, as numbers without order.
size_t countNonFinite(std::span<const std::array<float, 3>> positions) {
  constexpr uint32_t kExponent = 0x7f80'0000;
  uint32_t found = 0;
  for (const auto& p : positions)
    for (const float value : p)
      found |= (std::bit_cast<uint32_t>(value) & kExponent) == kExponent ? 1U : 0U;
  if (found == 0) return 0;
  size_t count = 0;
  for (const auto& p : positions) count += isFinite(p) ? 0 : 1;
  return count;
}

void dropNonFinite(LidarPoints& points) {
  const std::vector<std::array<float, 3>> positions = points.positions;
  const auto compact = [&](auto& values) {
    if (values.empty()) return;
    size_t kept = 0;
    for (size_t i = 0; i < positions.size(); ++i)
      if (isFinite(positions[i])) values[kept++] = values[i];
    values.resize(kept);
  };
  compact(points.positions);
  compact(points.intensity);
  compact(points.ring);
  compact(points.time_offset);
}

// The number of points, once they are known to lie inside the data.
size_t checkedCount(const PointCloudView& cloud, const std::string& name) {
  const uint64_t row_bytes = uint64_t{cloud.width} * cloud.point_step;
  if (cloud.width == 0 || cloud.height == 0) return 0;
  if (cloud.point_step == 0) fail(name, "point_step is 0");
  if (cloud.height > 1 && cloud.row_step < row_bytes)
    fail(name, "row_step is less than width times point_step");
  if (row_bytes > cloud.data.size() ||
      uint64_t{cloud.height - 1} * cloud.row_step > cloud.data.size() - row_bytes)
    fail(name, "the data is too short for " + std::to_string(cloud.width) + " x " +
                   std::to_string(cloud.height) + " points");
  return size_t{cloud.width} * cloud.height;
}

}  // namespace

LidarPoints decodePointCloud(const PointCloudView& cloud, const std::string& name,
                             NonFinitePoints non_finite) {
  LidarPoints points;
  decodePointCloudInto(cloud, name, points, non_finite);
  return points;
}

void decodePointCloudInto(const PointCloudView& cloud, const std::string& name, LidarPoints& points,
                          NonFinitePoints non_finite) {
  const size_t count = checkedCount(cloud, name);
  points.positions.resize(count);
  points.intensity.clear();
  points.ring.clear();
  points.time_offset.clear();
  points.time = PointTime::None;
  points.time_unit = 0;
  points.non_finite = 0;
  if (count == 0) return;

  const Columns columns(cloud, name);
  const bool has_plain_axes = columns.hasPlainAxes(cloud);
  if (columns.intensity) points.intensity.resize(count);
  if (columns.ring) points.ring.resize(count);
  if (columns.hasPlainTime()) points.time_offset.resize(count);
  // Block by block: every column of a point lies in the same few lines of the cache.
  forEachBlock(cloud, [&](const PointBlock& block) {
    if (has_plain_axes) readPlainAxes(block, columns.axes[0]->offset, points.positions.data());
    for (size_t axis = 0; axis < 3 && !has_plain_axes; ++axis)
      readFloats(block, *columns.axes[axis], points.positions[0].data() + axis, 3);
    points.non_finite +=
        countNonFinite(std::span(points.positions).subspan(block.first, block.count));
    if (columns.intensity) readFloats(block, *columns.intensity, points.intensity.data(), 1);
    if (columns.hasPlainTime()) readFloats(block, *columns.time, points.time_offset.data(), 1);
    if (columns.ring)
      readColumn(block, *columns.ring,
                 [ring = points.ring.data()](size_t i, auto value) { ring[i] = toRing(value); });
  });
  if (columns.hasPlainTime()) setPointTimesInPlace(cloud.stamp, points);
  else if (columns.time) readTimes(cloud, *columns.time, count, points);
  if (points.non_finite > 0 && non_finite == NonFinitePoints::Drop) dropNonFinite(points);
}

PackedPoints packPoints(const LidarPoints& points) {
  PackedPoints packed;
  const size_t count = points.positions.size();
  uint32_t step = 0;
  const auto place = [&](std::string_view name, PointType type) {
    const auto size = static_cast<uint32_t>(sizeOf(static_cast<uint8_t>(type)));
    const uint32_t offset = (step + size - 1) / size * size;
    packed.columns.push_back({name, offset, static_cast<uint8_t>(type), 1});
    step = offset + size;
    return offset;
  };
  for (const char* axis : {"x", "y", "z"}) place(axis, PointType::Float32);
  const bool has_intensity = points.intensity.size() == count;
  const bool has_ring = points.ring.size() == count;
  const bool has_time = points.time_offset.size() == count;
  const uint32_t intensity_at = has_intensity ? place("intensity", PointType::Float32) : 0;
  const uint32_t ring_at = has_ring ? place("ring", PointType::Uint16) : 0;
  const uint32_t time_at = has_time ? place("time", PointType::Float32) : 0;
  packed.point_step = (step + 3) / 4 * 4;

  packed.data.resize(count * packed.point_step);
  uint8_t* at = packed.data.data();
  for (size_t i = 0; i < count; ++i, at += packed.point_step) {
    std::memcpy(at, points.positions[i].data(), 12);
    if (has_intensity) std::memcpy(at + intensity_at, &points.intensity[i], 4);
    if (has_ring) std::memcpy(at + ring_at, &points.ring[i], 2);
    if (has_time) std::memcpy(at + time_at, &points.time_offset[i], 4);
  }
  return packed;
}

}  // namespace gs
