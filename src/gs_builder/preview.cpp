// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/preview.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gs/bundle/overview.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/formats/image_codec.hpp"

namespace gs_builder {
namespace {

using Color = std::array<uint8_t, 3>;
constexpr Color kUnknown{23, 26, 33}, kPath{255, 200, 40}, kEdge{64, 217, 115},
    kScale{240, 240, 240};
constexpr int kGap = 8;

void put(gs::Image8& image, int x, int y, const Color& color) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  std::copy(color.begin(), color.end(), image.at(x, y));
}

// One panel of the picture: where a map point is on it.
struct Panel {
  gs::Image8& image;
  double left, top, metres_per_pixel;

  void dot(double x, double y, const Color& color, int radius) const {
    const double u = (x - left) / metres_per_pixel, v = (top - y) / metres_per_pixel;
    if (!(std::abs(u) < 1e6 && std::abs(v) < 1e6)) return;
    for (int dy = -radius; dy <= radius; ++dy)
      for (int dx = -radius; dx <= radius; ++dx)
        put(image, static_cast<int>(std::floor(u)) + dx, static_cast<int>(std::floor(v)) + dy,
            color);
  }
  void line(double x0, double y0, double x1, double y1, const Color& color, int radius) const {
    const double length = std::hypot(x1 - x0, y1 - y0) / metres_per_pixel;
    const int steps = static_cast<int>(std::clamp(length * 1.5, 1.0, 1e5));
    for (int i = 0; i <= steps; ++i)
      dot(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, color, radius);
  }
};

void drawPath(const Panel& panel, const EgoTrajectory& trajectory) {
  const auto& poses = trajectory.poses();
  for (size_t i = 1; i < poses.size(); ++i) {
    const gs::Vec3& a = poses[i - 1].map_from_base.translation;
    const gs::Vec3& b = poses[i].map_from_base.translation;
    panel.line(a.x(), a.y(), b.x(), b.y(), kPath, 1);
  }
}

void drawDrivable(const Panel& panel, const gs::DrivableArea& area) {
  const auto ring = [&](const gs::Ring& points) {
    for (size_t i = 1; i < points.size(); ++i)
      panel.line(points[i - 1][0], points[i - 1][1], points[i][0], points[i][1], kEdge, 0);
  };
  for (const gs::DrivableFeature& feature : area.features)
    for (const gs::Polygon& polygon : feature.polygons) {
      ring(polygon.outer);
      for (const gs::Ring& hole : polygon.holes) ring(hole);
    }
}

// A bar of 1, 2 or 5 times a power of ten metres, at most a quarter of the picture.
void drawScale(const Panel& panel) {
  const double limit = 0.25 * panel.image.width * panel.metres_per_pixel;
  const double power = std::pow(10, std::floor(std::log10(limit)));
  const double length = limit >= 5 * power ? 5 * power : limit >= 2 * power ? 2 * power : power;
  const int pixels = static_cast<int>(length / panel.metres_per_pixel);
  for (int x = 0; x < pixels; ++x)
    for (int y = 0; y < 3; ++y) put(panel.image, 12 + x, panel.image.height - 12 - y, kScale);
  for (const int x : {0, pixels - 1})
    for (int y = -3; y < 6; ++y) put(panel.image, 12 + x, panel.image.height - 12 - y, kScale);
}

// Blue, green, yellow, red from 0 to 1.
Color heightColor(double f) {
  f = std::clamp(f, 0.0, 1.0);
  const auto ramp = [](double v) {
    return static_cast<uint8_t>(std::lround(40 + 200 * std::clamp(v, 0.0, 1.0)));
  };
  return {ramp(2 * f - 0.6), ramp(f < 0.6 ? 1.6 * f + 0.2 : 2.2 - 1.9 * f), ramp(1 - 1.8 * f)};
}

// Colours span what most of the ground has: a single high corner must not make the rest one blue.
gs::Image8 drawHeights(const gs::Heightmap& map, int width, int height, double metres_per_pixel) {
  std::vector<float> known;
  for (const float h : map.samples)
    if (!std::isnan(h)) known.push_back(h);
  const auto at = [&](double fraction) {
    if (known.empty()) return 0.0;
    const auto place = known.begin() + static_cast<std::ptrdiff_t>(
                                           fraction * static_cast<double>(known.size() - 1));
    std::nth_element(known.begin(), place, known.end());
    return static_cast<double>(*place);
  };
  const double low = at(0.01), high = std::max(at(0.99), low + 0.2);
  gs::Image8 image(width, height, 3);
  const double top = map.origin_y + (map.height - 1) * map.resolution;
  for (int v = 0; v < height; ++v)
    for (int u = 0; u < width; ++u) {
      const double x = map.origin_x + (u + 0.5) * metres_per_pixel;
      const double y = top - (v + 0.5) * metres_per_pixel;
      const double h = gs::heightAt(map, x, y);
      Color color = kUnknown;
      if (!std::isnan(h)) {
        color = heightColor((h - low) / (high - low));
        const double east = gs::heightAt(map, x + map.resolution, y);
        const double north = gs::heightAt(map, x, y + map.resolution);
        const double slope =
            (std::isnan(east) ? 0 : east - h) - (std::isnan(north) ? 0 : north - h);
        const double light = 1 + std::clamp(slope / map.resolution * 1.5, -0.35, 0.35);
        for (uint8_t& c : color) c = static_cast<uint8_t>(std::clamp(c * light, 0.0, 255.0));
      }
      put(image, u, v, color);
    }
  return image;
}

void paste(gs::Image8& into, const gs::Image8& from, int x, int y) {
  for (int row = 0; row < from.height; ++row)
    std::copy(from.row(row).begin(), from.row(row).end(), into.at(x, y + row));
}

gs::Image8 shrunk(const gs::Image8& image, int width, int height) {
  gs::Image8 small(width, height, 3);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int x0 = x * image.width / width, x1 = std::max(x0 + 1, (x + 1) * image.width / width);
      const int y0 = y * image.height / height,
                y1 = std::max(y0 + 1, (y + 1) * image.height / height);
      std::array<int, 3> sum{};
      for (int v = y0; v < y1; ++v)
        for (int u = x0; u < x1; ++u)
          for (int c = 0; c < 3; ++c) sum[c] += image.at(u, v)[image.channels == 1 ? 0 : c];
      const int count = (x1 - x0) * (y1 - y0);
      for (int c = 0; c < 3; ++c) small.at(x, y)[c] = static_cast<uint8_t>(sum[c] / count);
    }
  return small;
}

}  // namespace

gs::Image8 drawWorldPreview(const gs::WorldBundle& bundle, const EgoTrajectory& trajectory,
                            int size) {
  gs::Image8 seen = gs::drawOverview(bundle, size);
  const gs::Heightmap& map = bundle.heightmap;
  const double metres_per_pixel = std::max({map.resolution, (map.width - 1) * map.resolution,
                                            (map.height - 1) * map.resolution}) /
                                  size;
  gs::Image8 heights = drawHeights(map, seen.width, seen.height, metres_per_pixel);
  for (gs::Image8* image : {&seen, &heights}) {
    const Panel panel{*image, map.origin_x, map.origin_y + (map.height - 1) * map.resolution,
                      metres_per_pixel};
    drawDrivable(panel, bundle.drivable);
    drawPath(panel, trajectory);
    drawScale(panel);
  }
  const bool is_tall = seen.height > seen.width;
  gs::Image8 both(is_tall ? 2 * seen.width + kGap : seen.width,
                  is_tall ? seen.height : 2 * seen.height + kGap, 3);
  paste(both, seen, 0, 0);
  paste(both, heights, is_tall ? seen.width + kGap : 0, is_tall ? 0 : seen.height + kGap);
  return both;
}

gs::Image8 drawCameraStrip(const std::filesystem::path& ingest, const Frameset& frameset,
                           const std::string& camera, int count) {
  std::vector<std::string> files;
  for (const Frame& frame : frameset.frames)
    if (const auto found = frame.sensors.find(camera); found != frame.sensors.end())
      files.push_back(found->second.file_path);
  count = std::min(count, static_cast<int>(files.size()));
  gs::Image8 strip(1, 1, 3);
  for (int i = 0; i < count; ++i) {
    const std::string& file = files[files.size() * static_cast<size_t>(i) / count];
    const std::string bytes = gs::readTextFile(ingest / file, uint64_t{1} << 30);
    const gs::Image8 image =
        gs::decodeCompressedImage(gs::asBytes(bytes), file, gs::DamagedJpeg::Accept);
    const int width = std::min(320, image.width);
    const int height = std::max(1, image.height * width / image.width);
    if (i == 0) strip = gs::Image8(count * (width + kGap) - kGap, height, 3);
    const gs::Image8 small = shrunk(image, width, height);
    if (small.height == strip.height) paste(strip, small, i * (width + kGap), 0);
  }
  return strip;
}

}  // namespace gs_builder
