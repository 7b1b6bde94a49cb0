// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gs/bundle/calibration.hpp"
#include "gs/core/image.hpp"
#include "gs/core/time.hpp"
#include "gs/render/camera.hpp"
#include "gs_builder/moving_points.hpp"
#include "gs_builder/timeline.hpp"

// A LiDAR scan as a camera would see it.
namespace gs_builder {

using ScanPoints = std::vector<std::array<float, 3>>;  // in base_link at the scan's stamp

struct SeenPoint {
  gs::Vec2 px;
  double depth = 0;    // as Lens::depthOf says
  uint32_t index = 0;  // in its scan
};

// The points that fall into the image, at least half a pixel from its edge. `opencv_from_base` is
// the pose of the scan's base_link in the camera, axes of OpenCV.
std::vector<SeenPoint> pointsInImage(const gs::Lens& lens, gs::ImageSize size,
                                     const gs::Rigid3& opencv_from_base, const ScanPoints& scan);

// The LiDAR looks from another place than the camera: over a car's roof it sees road that the
// camera does not. Such a point has nearer points of its own scan on both sides, above and below or
// left and right, no farther than 1.5 * spacing_px; a point of the road itself only below.
std::vector<SeenPoint> withoutHidden(const std::vector<SeenPoint>& points, gs::ImageSize size,
                                     double spacing_px);

// Pixels between two lines of the LiDAR in the middle of the image.
double lineSpacing(const gs::Calibration& calibration, const std::string& lidar_name,
                   double focal_px);

// The scan of one LiDAR that is nearest in time, no farther than 0.11 s, then the one before and
// the one after it. `stamps` ascend.
std::vector<size_t> scansAround(const std::vector<gs::Stamp>& stamps, gs::Stamp stamp);

// The nearest scan of each LiDAR: its name and index.
using ScanKey = std::pair<std::string, size_t>;
std::vector<ScanKey> nearestScans(const Timeline& timeline, gs::Stamp stamp);

// A scan's points apart: on moving things, and not.
std::vector<uint32_t> movingIndices(const std::map<std::string, MovingPoints>& moving,
                                    const std::string& lidar, gs::Stamp stamp);
void removeIndices(std::vector<SeenPoint>& points, const std::vector<uint32_t>& indices);
void keepIndices(std::vector<SeenPoint>& points, const std::vector<uint32_t>& indices);

// 255, but 0 within 0.35 m of points on moving things, which is as far as such points are apart.
// The one answer to which pixels are static, for training and for measuring. Empty without points.
gs::Image8 maskOfMovers(gs::ImageSize size, const std::vector<SeenPoint>& points_on_movers,
                        double focal_px);

// Depth at a point of an image of depths, 0 where there is none. Between pixels 1/z is linear on
// planes, and a road seen at a grazing angle changes by metres from row to row; across an edge the
// nearest pixel counts.
double depthAt(const gs::ImageF& depth, const gs::Vec2& px);

}  // namespace gs_builder
