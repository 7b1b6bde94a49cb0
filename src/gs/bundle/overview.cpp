// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/overview.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "gs/core/check.hpp"

namespace gs {
namespace {

using Color = std::array<double, 3>;  // 0 to 1

constexpr Color kUnknown{0.09, 0.10, 0.13}, kGreen{0.25, 0.85, 0.45}, kRed{0.95, 0.25, 0.20};

// A picture of the map plane with metres on its axes.
class MapCanvas {
 public:
  MapCanvas(const Heightmap& map, int size) {
    const double width = std::max(map.resolution, (map.width - 1) * map.resolution);
    const double height = std::max(map.resolution, (map.height - 1) * map.resolution);
    meters_per_pixel_ = std::max(width, height) / size;
    left_ = map.origin_x;
    top_ = map.origin_y + height;
    image_ =
        Image8(std::clamp(static_cast<int>(std::lround(width / meters_per_pixel_)), 1, size),
               std::clamp(static_cast<int>(std::lround(height / meters_per_pixel_)), 1, size), 3);
  }

  double xAt(int column) const { return left_ + (column + 0.5) * meters_per_pixel_; }
  double yAt(int row) const { return top_ - (row + 0.5) * meters_per_pixel_; }
  int width() const { return image_.width; }
  int height() const { return image_.height; }
  double metersPerPixel() const { return meters_per_pixel_; }

  void paint(int column, int row, const Color& color, double opacity) {
    if (column < 0 || row < 0 || column >= image_.width || row >= image_.height) return;
    uint8_t* pixel = image_.at(column, row);
    for (size_t c = 0; c < 3; ++c) {
      const double mixed = pixel[c] / 255.0 * (1 - opacity) + color[c] * opacity;
      pixel[c] = static_cast<uint8_t>(std::lround(255 * std::clamp(mixed, 0.0, 1.0)));
    }
  }

  void paintAt(double x, double y, const Color& color, double opacity) {
    const double column = std::floor((x - left_) / meters_per_pixel_);
    const double row = std::floor((top_ - y) / meters_per_pixel_);
    if (column >= 0 && column < image_.width && row >= 0 && row < image_.height)
      paint(static_cast<int>(column), static_cast<int>(row), color, opacity);
  }

  void line(const Point2& a, const Point2& b, const Color& color) {
    const double length = std::hypot(b[0] - a[0], b[1] - a[1]) / meters_per_pixel_;
    // A line far longer than the picture shows nothing more for being drawn finer.
    const int steps = static_cast<int>(std::clamp(length * 2, 1.0, 1e5));
    for (int i = 0; i <= steps; ++i) {
      const double f = static_cast<double>(i) / steps;
      paintAt(a[0] + f * (b[0] - a[0]), a[1] + f * (b[1] - a[1]), color, 0.9);
    }
  }

  Image8 take() { return std::move(image_); }

 private:
  Image8 image_;
  double left_ = 0, top_ = 0, meters_per_pixel_ = 1;
};

// Grey by height, lit from the north-west so that slopes and kerbs show.
Color groundColor(const Heightmap& map, const HeightRange& range, double x, double y) {
  const double h = heightAt(map, x, y);
  if (std::isnan(h)) return kUnknown;
  const double east = heightAt(map, x + map.resolution, y);
  const double north = heightAt(map, x, y + map.resolution);
  const double slope_x = std::isnan(east) ? 0 : (east - h) / map.resolution;
  const double slope_y = std::isnan(north) ? 0 : (north - h) / map.resolution;
  const double light = std::clamp((slope_x - slope_y) * 1.5, -0.25, 0.25);
  const double span = std::max(1e-3, static_cast<double>(range.max) - range.min);
  const double base = 0.34 + 0.22 * (h - range.min) / span + light;
  return {base, base, base * 1.04};
}

void drawGround(MapCanvas& canvas, const Heightmap& map) {
  const HeightRange range = rangeOf(map);
  for (int row = 0; row < canvas.height(); ++row)
    for (int column = 0; column < canvas.width(); ++column)
      canvas.paint(column, row, groundColor(map, range, canvas.xAt(column), canvas.yAt(row)), 1.0);
}

// A splat as it lies on the map plane: variances and covariance along the map's axes.
struct Footprint {
  double xx, xy, yy;

  Footprint(const GaussianCloud& cloud, size_t i) {
    const Quat turn(cloud.rotation[3][i], cloud.rotation[0][i], cloud.rotation[1][i],
                    cloud.rotation[2][i]);
    Mat3 axes = turn.toRotationMatrix();
    for (int k = 0; k < 3; ++k)
      axes.col(k) *= std::exp(static_cast<double>(cloud.log_scale[static_cast<size_t>(k)][i]));
    xx = axes.row(0).squaredNorm(), yy = axes.row(1).squaredNorm();
    xy = axes.row(0).dot(axes.row(1));
  }
  double reach() const { return std::sqrt(std::max(xx, yy)); }
};

// Whether a splat is part of what lies on the ground. Haze, treetops and the splats that stand for
// everything far away would hide the street, or float as large ellipses where nobody ever was.
bool belongsOnMap(const Footprint& footprint, const Vec3& p_in_map, const Heightmap& map) {
  constexpr double kMaxReach = 1.0, kMaxReachBeyond = 0.25, kMaxHeight = 4.0;  // m
  if (!(footprint.reach() < kMaxReach)) return false;
  const double ground = heightAt(map, p_in_map.x(), p_in_map.y());
  return std::isnan(ground) ? footprint.reach() < kMaxReachBeyond
                            : p_in_map.z() < ground + kMaxHeight;
}

void drawSplat(MapCanvas& canvas, const Footprint& footprint, const Vec3& p_in_map,
               const Color& color, double opacity) {
  constexpr double kSigmas = 2;
  const double step = canvas.metersPerPixel();
  // Nothing is finer than a pixel.
  const double xx = footprint.xx + 0.1 * step * step, yy = footprint.yy + 0.1 * step * step;
  const double determinant = xx * yy - footprint.xy * footprint.xy;
  const int nx = static_cast<int>(kSigmas * std::sqrt(xx) / step);
  const int ny = static_cast<int>(kSigmas * std::sqrt(yy) / step);
  for (int v = -ny; v <= ny; ++v)
    for (int u = -nx; u <= nx; ++u) {
      const double x = u * step, y = v * step;
      const double squared = (yy * x * x - 2 * footprint.xy * x * y + xx * y * y) / determinant;
      if (squared <= kSigmas * kSigmas)
        canvas.paintAt(p_in_map.x() + x, p_in_map.y() + y, color, opacity * std::exp(-squared / 2));
    }
}

// From the lowest to the highest, as one sees them from above.
void drawSplats(MapCanvas& canvas, const GaussianCloud& cloud, const Heightmap& map) {
  constexpr double kC0 = 0.28209479177387814;
  std::vector<size_t> order(cloud.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return cloud.position[2][a] < cloud.position[2][b]; });
  for (const size_t i : order) {
    const Vec3 p(cloud.position[0][i], cloud.position[1][i], cloud.position[2][i]);
    const Footprint footprint(cloud, i);
    if (!belongsOnMap(footprint, p, map)) continue;
    Color color;
    for (size_t c = 0; c < 3; ++c) color[c] = 0.5 + kC0 * cloud.sh_dc[c][i];
    drawSplat(canvas, footprint, p, color, 1 / (1 + std::exp(-cloud.logit_opacity[i])));
  }
}

void drawRing(MapCanvas& canvas, const Ring& ring, const Color& color) {
  for (size_t i = 0; i + 1 < ring.size(); ++i) canvas.line(ring[i], ring[i + 1], color);
}

void drawDrivable(MapCanvas& canvas, const DrivableArea& area) {
  for (const DrivableFeature& feature : area.features)
    for (const Polygon& polygon : feature.polygons) {
      drawRing(canvas, polygon.outer, kGreen);
      for (const Ring& hole : polygon.holes) drawRing(canvas, hole, kGreen);
    }
}

void drawStart(MapCanvas& canvas, const Timebase::InitialPose& pose) {
  const double yaw = toRollPitchYaw(fromXyzw(pose.orientation)).yaw;
  const double length = std::max(4.0, 24 * canvas.metersPerPixel());
  const auto along = [&](double angle, double distance) {
    return Point2{pose.position[0] + distance * std::cos(yaw + angle),
                  pose.position[1] + distance * std::sin(yaw + angle)};
  };
  const Point2 tip = along(0, length);
  for (const double side : {-1.0, 1.0}) {
    canvas.line(along(side * std::numbers::pi * 0.8, length / 2), tip, kRed);
    canvas.line(along(side * std::numbers::pi * 0.8, length / 2), along(0, 0), kRed);
  }
}

}  // namespace

Image8 drawOverview(const WorldBundle& bundle, int size) {
  GS_CHECK(size > 0);
  MapCanvas canvas(bundle.heightmap, size);
  drawGround(canvas, bundle.heightmap);
  drawSplats(canvas, bundle.gaussians, bundle.heightmap);
  drawDrivable(canvas, bundle.drivable);
  drawStart(canvas, bundle.timebase.initial_pose);
  return canvas.take();
}

}  // namespace gs
