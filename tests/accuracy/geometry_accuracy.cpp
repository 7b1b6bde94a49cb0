// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "gs/core/file.hpp"
#include "gs/core/parallel.hpp"
#include "gs/formats/png.hpp"
#include "gs/geometry/drivable_builder.hpp"
#include "gs/geometry/ground_surface.hpp"
#include "gs/geometry/colorize.hpp"
#include "gs/geometry/integrate_scans.hpp"
#include "gs/geometry/static_mesh.hpp"
#include "gs/formats/glb.hpp"
#include "gs/core/rng.hpp"
#include <mutex>
#include <unordered_map>
#include "gs/geometry/testing/sample_scans.hpp"

namespace fs = std::filesystem;

namespace {

struct Clock {
  std::chrono::steady_clock::time_point wall = std::chrono::steady_clock::now();
  double cpu = cpuNow();
  static double cpuNow() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  }
  std::string took() const {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - wall;
    return fmt::format("{:.1f} s wall, {:.1f} s CPU", seconds.count(), cpuNow() - cpu);
  }
};

double peakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

gs::Vec3 vertexOf(const gs::TriangleMesh& m, uint32_t v) { return gs::Vec3(m.positions[v][0], m.positions[v][1], m.positions[v][2]); }

double distanceTo(const gs::Vec3& p, const gs::Vec3& a, const gs::Vec3& b, const gs::Vec3& c) {
  const gs::Vec3 ab = b - a, ac = c - a, ap = p - a;
  const gs::Vec3 n = ab.cross(ac);
  const double nn = n.squaredNorm();
  if (nn > 1e-24) {
    const double v = ap.cross(ac).dot(n) / nn, w = ab.cross(ap).dot(n) / nn;
    if (v >= 0 && w >= 0 && v + w <= 1) return std::abs(ap.dot(n)) / std::sqrt(nn);
  }
  const auto edge = [&](const gs::Vec3& s, const gs::Vec3& e) {
    const gs::Vec3 d = e - s;
    const double t = d.squaredNorm() > 0 ? std::clamp((p - s).dot(d) / d.squaredNorm(), 0.0, 1.0) : 0.0;
    return (p - s - t * d).norm();
  };
  return std::min({edge(a, b), edge(b, c), edge(c, a)});
}

class TrueSurface {
 public:
  explicit TrueSurface(const gs::TriangleMesh& mesh) : mesh_(mesh) {
    for (uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      gs::Vec3 lo = vertexOf(mesh, mesh.triangles[t][0]), hi = lo;
      for (uint32_t v : mesh.triangles[t]) { lo = lo.cwiseMin(vertexOf(mesh, v)); hi = hi.cwiseMax(vertexOf(mesh, v)); }
      const auto a = cell(lo - gs::Vec3::Constant(kReach)), b = cell(hi + gs::Vec3::Constant(kReach));
      for (int x = a[0]; x <= b[0]; ++x) for (int y = a[1]; y <= b[1]; ++y) for (int z = a[2]; z <= b[2]; ++z) cells_[key({x, y, z})].push_back(t);
    }
  }
  double distance(const gs::Vec3& p) const {  // at most kReach
    const auto found = cells_.find(key(cell(p)));
    double best = kReach;
    if (found != cells_.end())
      for (uint32_t t : found->second) best = std::min(best, distanceTo(p, vertexOf(mesh_, mesh_.triangles[t][0]), vertexOf(mesh_, mesh_.triangles[t][1]), vertexOf(mesh_, mesh_.triangles[t][2])));
    return best;
  }
 private:
  static constexpr double kReach = 0.5, kCell = 1.0;
  static std::array<int, 3> cell(const gs::Vec3& p) { return {int(std::floor(p.x() / kCell)), int(std::floor(p.y() / kCell)), int(std::floor(p.z() / kCell))}; }
  static uint64_t key(std::array<int, 3> c) { return (uint64_t(c[0] + 100000) << 42) | (uint64_t(c[1] + 100000) << 21) | uint64_t(c[2] + 100000); }
  const gs::TriangleMesh& mesh_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> cells_;
};

void judgeMesh(const char* name, const gs::TriangleMesh& mesh, const TrueSurface& truth, const std::string& took) {
  gs::Rng rng(1);
  std::vector<double> d;
  double area = 0;
  std::vector<double> cumulative;
  for (const auto& t : mesh.triangles) { const gs::Vec3 a = vertexOf(mesh, t[0]); area += 0.5 * (vertexOf(mesh, t[1]) - a).cross(vertexOf(mesh, t[2]) - a).norm(); cumulative.push_back(area); }
  if (mesh.triangles.empty()) { fmt::print("{}: empty\n", name); return; }
  size_t up = 0;
  for (int i = 0; i < 40000; ++i) {
    const size_t k = std::min<size_t>(size_t(std::lower_bound(cumulative.begin(), cumulative.end(), rng.uniform() * area) - cumulative.begin()), mesh.triangles.size() - 1);
    double u = rng.uniform(), v = rng.uniform();
    if (u + v > 1) { u = 1 - u; v = 1 - v; }
    const auto& t = mesh.triangles[k];
    const gs::Vec3 a = vertexOf(mesh, t[0]), ab = vertexOf(mesh, t[1]) - a, ac = vertexOf(mesh, t[2]) - a;
    d.push_back(truth.distance(a + u * ab + v * ac));
    up += ab.cross(ac).z() > 0;
  }
  std::sort(d.begin(), d.end());
  fmt::print("{}: {} triangles {} vertices area {:.0f} m2, to truth median {:.4f} p90 {:.4f} p99 {:.4f}, up {:.3f}; {}, peak {:.0f} MB\n", name, mesh.triangles.size(), mesh.positions.size(), area, d[d.size() / 2], d[d.size() * 9 / 10], d[d.size() * 99 / 100], double(up) / double(d.size()), took, peakMegabytes());
}

int cat[2][2][3];
int hist[20], rhist[20];
int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::stod(argv[1]) : 32;
  const fs::path folder = argc > 2 ? argv[2] : "/tmp/geo_accuracy";
  fs::create_directories(folder);
  gs::SampleDriveOptions options;
  options.seconds = seconds;
  const gs::SampleDriveTruth truth(options);
  const fs::path cache = folder / fmt::format("scans_{}.bin", seconds);
  struct Head { gs::PosedScan scan; uint64_t offset, count; };
  std::vector<Head> heads;
  std::vector<gs::Rigid3> trajectory;
  if (!fs::exists(cache)) {
    Clock clock;
    const gs::SampleScans sample = gs::makeSampleScans(truth);
    std::ofstream out(cache, std::ios::binary);
    for (size_t i = 0; i < sample.scans.size(); ++i) {
      const uint64_t n = sample.scans[i].points.size();
      out.write(reinterpret_cast<const char*>(&n), 8);
      out.write(reinterpret_cast<const char*>(sample.scans[i].points.data()), 16 * n);
      out.write(reinterpret_cast<const char*>(sample.is_moving[i].data()), n);
    }
    fmt::print("made scans: {}\n", clock.took());
  }
  {
    const auto& lidar = truth.options.rig.lidars.begin()->second;
    const auto base_from_lidar = lidar.extrinsics.baseFromSensor();
    std::ifstream in(cache, std::ios::binary);
    uint64_t n = 0, offset = 0;
    for (size_t i = 0; in.read(reinterpret_cast<char*>(&n), 8); ++i) {
      const double t = 0.05 * double(i);
      gs::PosedScan scan;
      scan.stamp = gs::kSampleDriveStart + gs::Duration{int64_t(i) * 50'000'000};
      scan.map_from_base = truth.motion.mapFromBase(t);
      scan.sensor_in_base = scan.map_from_base.inverse() * (truth.motion.mapFromBase(t + 0.025) * base_from_lidar).translation;
      trajectory.push_back(scan.map_from_base);
      heads.push_back({scan, offset + 8, n});
      offset += 8 + 17 * n;
      in.seekg(offset);
    }
  }
  gs::ScanSource source{heads.size(), [&](size_t i) {
    gs::PosedScan scan = heads[i].scan;
    scan.points.resize(heads[i].count);
    std::ifstream in(cache, std::ios::binary);
    in.seekg(heads[i].offset);
    in.read(reinterpret_cast<char*>(scan.points.data()), 16 * heads[i].count);
    return scan;
  }};
  Clock clock;
  const gs::IntegrationResult map = gs::integrateScans(source, {.progress = [&](double f) { if (f > 0.599 && f < 0.61 || f > 0.949) fmt::print("{} {}\n", f, clock.took()); }});
  fmt::print("integrate: {}, peak {:.0f} MB\n", clock.took(), peakMegabytes());
  fmt::print("{} points, cloud {}, moving voxels {}, sparse {}\n", map.counts.points, map.cloud.size(), map.counts.moving_voxels, map.counts.sparse_voxels);
  Clock clock2;
  struct Tally { size_t moving = 0, removed = 0, still = 0, lost = 0; };
  std::vector<Tally> tallies(heads.size());
  gs::parallelFor(heads.size(), 1, [&](size_t i, size_t) {
    const gs::PosedScan scan = source.load(i);
    std::vector<uint8_t> truth_moving(scan.points.size()), found(scan.points.size());
    std::ifstream in(cache, std::ios::binary);
    in.seekg(heads[i].offset + 16 * heads[i].count);
    in.read(reinterpret_cast<char*>(truth_moving.data()), heads[i].count);
    for (uint32_t k : map.moving.findIn(scan)) found[k] = 1;
    for (size_t k = 0; k < found.size(); ++k) {
      const bool m = truth_moving[k];
      ++(m ? tallies[i].moving : tallies[i].still);
      if (found[k]) ++(m ? tallies[i].removed : tallies[i].lost);
      if (m && !found[k]) {
        gs::Vec3 q = scan.map_from_base * gs::Vec3(scan.points[k].x, scan.points[k].y, scan.points[k].z);
        double h = q.z() - truth.town.groundHeight(q.x(), q.y());
        double r = gs::Vec3(scan.points[k].x, scan.points[k].y, scan.points[k].z).norm();
        __atomic_fetch_add(&hist[std::min(19, std::max(0, int(h / 0.1)))], 1, 0);
        __atomic_fetch_add(&rhist[std::min(19, std::max(0, int(r / 5)))], 1, 0);
      }
    }
  });
  for (int h : hist) fmt::print("{} ", h);
  fmt::print("\n");
  for (int h : rhist) fmt::print("{} ", h);
  fmt::print("\n");
  Tally all;
  for (auto& t : tallies) { all.moving += t.moving; all.removed += t.removed; all.still += t.still; all.lost += t.lost; }
  fmt::print("moving {} removed {:.2f} %, static {} kept {:.3f} %  ({})\n", all.moving, 100.0 * double(all.removed) / double(all.moving), all.still, 100.0 - 100.0 * double(all.lost) / double(all.still), clock2.took());

  Clock clock3;
  const gs::GroundSurface ground = gs::buildGroundSurface(map.cloud, trajectory, {});
  fmt::print("ground: {}\n", clock3.took());
  const auto area = truth.town.drivable();
  size_t cells = 0, known = 0, near5 = 0; double square = 0;
  size_t seen = 0, seen5 = 0;
  std::vector<double> errors;
  const auto& h = ground.heights;
  gs::Image8 picture(h.width, h.height, 3);
  for (int r = 0; r < h.height; ++r)
    for (int c = 0; c < h.width; ++c) {
      const double x = h.origin_x + c * h.resolution, y = h.origin_y + r * h.resolution;
      uint8_t* px = picture.at(c, h.height - 1 - r);
      const float z = h.at(c, r);
      double e = z - truth.town.groundHeight(x, y);
      for (double d : {-0.001, 0.001}) for (int axis : {0, 1}) { const double o = z - truth.town.groundHeight(x + (axis ? d : 0), y + (axis ? 0 : d)); if (std::abs(o) < std::abs(e)) e = o; }
      const bool drivable = gs::isDrivable(area, x, y);
      if (std::isnan(z)) { px[0] = px[1] = 0; px[2] = drivable ? 255 : 60; }
      else {
        const uint8_t g = ground.is_seen[h.width * r + c] ? 160 : 90;
        px[0] = uint8_t(std::min(255.0, g + std::max(0.0, e) * 2000)); px[2] = uint8_t(std::min(255.0, g + std::max(0.0, -e) * 2000)); px[1] = g;
      }
      if (!drivable) continue;
      ++cells;
      if (std::isnan(z)) continue;
      { const bool edge = !(gs::isDrivable(area, x+.15, y) && gs::isDrivable(area, x-.15, y) && gs::isDrivable(area, x, y+.15) && gs::isDrivable(area, x, y-.15));
        const bool is_seen = ground.is_seen[h.width * r + c];
        ++cat[edge][is_seen][std::abs(e) < 0.05 ? 0 : e > 0 ? 1 : 2]; }
      ++known; near5 += std::abs(e) < 0.05; square += e * e;
      if (ground.is_seen[h.width * r + c]) { ++seen; seen5 += std::abs(e) < 0.05; }
    }
  for (int edge : {0, 1}) for (int is : {0, 1}) fmt::print("edge {} seen {}: good {} high {} low {}\n", edge, is, cat[edge][is][0], cat[edge][is][1], cat[edge][is][2]);
  fmt::print("heightmap {}x{} seen {} bridged {}: drivable coverage {:.3f} % rmse {:.4f} m within 5 cm {:.3f} %; seen share {:.2f} within {:.3f}\n", h.width, h.height, ground.seen_cells, ground.bridged_cells, 100.0 * double(known) / double(cells), std::sqrt(square / double(known)), 100.0 * double(near5) / double(known), 100.0 * double(seen) / double(cells), 100.0 * double(seen5) / double(seen));
  gs::writeFileAtomically(folder / "ground.png", gs::encodePng(picture));

  Clock clock4;
  const gs::DrivableArea grown = gs::growDrivableArea(ground, map.cloud, trajectory, {});
  const std::string t4 = clock4.took();
  gs::DrivableArea both = grown;
  for (const auto& f : area.features) both.features.push_back(f);
  const double a = gs::areaOf(grown), b = gs::areaOf(area), u = gs::areaOf(both);
  fmt::print("drivable: {} area {:.0f} truth {:.0f} iou {:.4f}, {} polygons\n", t4, a, b, (a + b - u) / u, grown.features.empty() ? 0 : grown.features[0].polygons.size());
  Clock clock5;
  const gs::DrivableArea buffer = gs::bufferTrajectory(trajectory, {});
  fmt::print("buffer: {} area {:.0f}\n", clock5.took(), gs::areaOf(buffer));
  for (int r = 0; r < h.height; ++r)
    for (int c = 0; c < h.width; ++c) {
      const double x = h.origin_x + c * h.resolution, y = h.origin_y + r * h.resolution;
      uint8_t* px = picture.at(c, h.height - 1 - r);
      px[0] = gs::isDrivable(grown, x, y) ? 255 : 0; px[1] = gs::isDrivable(area, x, y) ? 200 : 0; px[2] = std::isnan(h.at(c, r)) ? 80 : 0;
    }
  gs::writeFileAtomically(folder / "drivable.png", gs::encodePng(picture));

  if (std::getenv("COLOR")) {
    auto renderer = std::make_shared<gs::TownRenderer>(truth.town);
    const gs::ImageSource images = gs::makeSampleImages(truth, renderer);
    gs::MapCloud cloud = map.cloud;
    double load = 0;
    gs::ImageSource timed = images;
    std::mutex mutex;
    timed.load = [&](size_t i) { timespec a, b; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a); auto image = images.load(i); clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b); std::lock_guard lock(mutex); load += double(b.tv_sec - a.tv_sec) + 1e-9 * double(b.tv_nsec - a.tv_nsec); return image; };
    const gs::MovingOccluders occluders{source, map.stamps, map.moving};
    Clock clock8;
    const auto n = gs::colorize(cloud, timed, {}, &occluders);
    fmt::print("color: {} (of which {:.1f} rendering) images {} coloured {:.2f} %\n", clock8.took(), load, n.images_used, 100.0 * double(n.points_colored) / double(cloud.size()));
    gs::Image8 top(h.width, h.height, 3);
    for (size_t i = 0; i < cloud.size(); ++i) {
      const gs::Vec3 p = cloud.positionInMap(i);
      const int c = int(std::floor((p.x() - h.origin_x) / h.resolution + 0.5)), r = int(std::floor((p.y() - h.origin_y) / h.resolution + 0.5));
      if (c < 0 || r < 0 || c >= h.width || r >= h.height) continue;
      uint8_t* px = top.at(c, h.height - 1 - r);
      for (int k = 0; k < 3; ++k) px[k] = cloud.colors[i][k];
    }
    gs::writeFileAtomically(folder / "top.png", gs::encodePng(top));
    (void)load;
  }
  if (std::getenv("MESH")) {
    const TrueSurface surface(truth.town.staticMesh());
    Clock clock6;
    const gs::TriangleMesh tsdf = gs::buildTsdfMesh(map.cloud, {.adaptivity = std::stod(std::getenv("MESH"))});
    judgeMesh("tsdf", tsdf, surface, clock6.took());
    gs::writeFileAtomically(folder / "tsdf.glb", gs::encodeGlb(tsdf));
    Clock clock7;
    const gs::TriangleMesh poisson = gs::buildPoissonMesh(map.cloud, {.adaptivity = std::stod(std::getenv("MESH"))});
    judgeMesh("poisson", poisson, surface, clock7.took());
    gs::writeFileAtomically(folder / "poisson.glb", gs::encodeGlb(poisson));
  }
  if (const char* dump = std::getenv("DUMP")) {
    int c0, r0; sscanf(dump, "%d,%d", &c0, &r0);
    for (int r = r0; r < r0 + 24; ++r) {
      for (int c = c0; c < c0 + 34; ++c) { const double x = h.origin_x + c * h.resolution, y = h.origin_y + r * h.resolution; fmt::print("{:4}{}{}", std::isnan(h.at(c, r)) ? 9999 : int(1000 * (h.at(c, r) - truth.town.groundHeight(x, y))), ground.is_seen[h.width * r + c] ? " " : "?", gs::isDrivable(area, x, y) ? "" : "."); }
      fmt::print("\n");
    }
  }
}
