// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/report/map_section.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "gs_builder/report/html.hpp"
#include "gs_builder/report/svg_chart.hpp"

namespace gs_builder {
namespace {

using Rgb = std::array<int, 3>;
// From poor to good; told apart by people who do not see red and green.
constexpr std::array<Rgb, 5> kRamp{
    {{215, 48, 39}, {252, 141, 89}, {254, 224, 144}, {145, 191, 219}, {69, 117, 220}}};

std::string rampColor(double fraction) {
  const double place = std::clamp(fraction, 0.0, 1.0) * (kRamp.size() - 1);
  const size_t at = std::min<size_t>(static_cast<size_t>(place), kRamp.size() - 2);
  const double f = place - static_cast<double>(at);
  std::array<int, 3> mixed{};
  for (size_t c = 0; c < 3; ++c)
    mixed[c] = static_cast<int>(std::lround((1 - f) * kRamp[at][c] + f * kRamp[at + 1][c]));
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

// PSNR at a distance: between the frames of each camera a straight line, then the mean of the
// cameras, so that one that is always worse does not colour the places where it was measured.
class PsnrAlong {
 public:
  explicit PsnrAlong(const TwinReport& report) {
    const auto& frames = report.evaluation.frames;
    for (size_t i = 0; i < frames.size() && i < report.places.size(); ++i)
      if (frames[i].telling().pixels > 0)
        cameras_[frames[i].camera].emplace_back(report.places[i].distance,
                                                frames[i].telling().psnr_db);
    for (auto& [id, points] : cameras_) std::sort(points.begin(), points.end());
  }
  double at(double distance) const {
    double sum = 0;
    for (const auto& [id, points] : cameras_) sum += between(points, distance);
    return sum / std::max<double>(1, static_cast<double>(cameras_.size()));
  }

 private:
  using Points = std::vector<std::pair<double, double>>;
  static double between(const Points& points, double distance) {
    const auto after = std::lower_bound(points.begin(), points.end(), std::pair(distance, -1e9));
    if (after == points.begin()) return points.front().second;
    if (after == points.end()) return points.back().second;
    const auto& [x0, y0] = *(after - 1);
    const auto& [x1, y1] = *after;
    return x1 > x0 ? y0 + (y1 - y0) * (distance - x0) / (x1 - x0) : y1;
  }
  std::map<std::string, Points> cameras_;
};

}  // namespace

std::string writeMapSection(const TwinReport& report) {
  const MapPicture& map = report.map;
  std::string html = openSection("map", "Map");
  if (map.image.bytes.empty() || report.drive.path.size() < 2)
    return html + "<p class=\"note\">There is no path to draw.</p>\n</section>\n";
  const auto u = [&](const PathPoint& p) { return (p.x - map.left) / map.metres_per_pixel; };
  const auto v = [&](const PathPoint& p) { return (map.top - p.y) / map.metres_per_pixel; };
  std::vector<PathPoint> path;
  const size_t stride = std::max<size_t>(1, report.drive.path.size() / 400);
  for (size_t i = 0; i < report.drive.path.size(); i += stride)
    path.push_back(report.drive.path[i]);
  const PsnrAlong psnr(report);
  double low = INFINITY, high = -INFINITY;
  std::string line;
  for (const PathPoint& p : path) {
    low = std::min(low, psnr.at(p.distance));
    high = std::max(high, psnr.at(p.distance));
    line += fmt::format("{:.1f},{:.1f} ", u(p), v(p));
  }
  high = std::max(high, low + 1);
  const double wide = std::max(5.0, map.image.width / 130.0);
  html += fmt::format(
      "<p>The world from above, north up, with its drivable area outlined; the path is coloured by "
      "the PSNR of the images around it, mean of the cameras.</p>\n<figure><div class=\"map\">"
      "<svg viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"Map of the world with the recorded "
      "path coloured by PSNR\">\n<image href=\"{2}\" width=\"{0}\" height=\"{1}\"/>\n"
      "<polyline class=\"edge\" stroke-width=\"{3:.1f}\" points=\"{4}\"/>\n",
      map.image.width, map.image.height, dataUri(map.image.mime_type, gs::asBytes(map.image.bytes)),
      wide + 4, line);
  for (size_t i = 1; i < path.size(); ++i) {
    const double value = psnr.at((path[i - 1].distance + path[i].distance) / 2);
    html += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
        "stroke-width=\"{:.1f}\"><title>{:.0f} m, {:.1f} s: {:.1f} dB</title></line>\n",
        u(path[i - 1]), v(path[i - 1]), u(path[i]), v(path[i]),
        rampColor((value - low) / (high - low)), wide, path[i].distance, path[i].time, value);
  }
  html += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">start</text>\n", u(path.front()) + 10,
                      v(path.front()) - 8);
  const std::vector<double> lengths =
      niceTicks(0, 0.25 * map.image.width * map.metres_per_pixel, 2);
  if (lengths.size() > 1) {
    const double bar = lengths.back() / map.metres_per_pixel;
    html += fmt::format(
        "<line x1=\"16\" y1=\"{0}\" x2=\"{1:.1f}\" y2=\"{0}\" stroke=\"#fff\" "
        "stroke-width=\"3\"/><text x=\"16\" y=\"{2}\">{3:g} m</text>\n",
        map.image.height - 16, 16 + bar, map.image.height - 24, lengths.back());
  }
  std::string stops;
  for (size_t i = 0; i < kRamp.size(); ++i)
    stops += "," + rampColor(static_cast<double>(i) / (kRamp.size() - 1));
  return html + fmt::format(
                    "</svg></div>\n<figcaption>PSNR {:.1f} dB<span class=\"ramp\" "
                    "style=\"background:linear-gradient(90deg{})\"></span>{:.1f} "
                    "dB</figcaption></figure>\n</section>\n",
                    low, stops, high);
}

}  // namespace gs_builder
