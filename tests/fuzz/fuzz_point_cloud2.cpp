// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "gs/core/check.hpp"
#include "gs/core/error.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/point_cloud2.hpp"
#include "gs/msgs/sensor_msgs.hpp"

// A PointCloud2 message as it comes from the wire, to points and back into our own layout.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto message =
      gs::findCdr<gs::msgs::PointCloud2>({reinterpret_cast<const std::byte*>(data), size});
  if (!message) return 0;
  try {
    gs::decodePointCloud(gs::viewPointCloud(*message), "fuzz", gs::NonFinitePoints::Keep);
    const gs::LidarPoints points = gs::decodePointCloud(gs::viewPointCloud(*message), "fuzz");
    gs::msgs::PointCloud2 packed;
    gs::fillPointCloud(points, packed);
    const gs::LidarPoints again = gs::decodePointCloud(gs::viewPointCloud(packed), "packed");
    GS_CHECK((again.positions == points.positions) == true);
    GS_CHECK((again.ring == points.ring) == true);
  } catch (const gs::Error&) {
  }
  return 0;
}
