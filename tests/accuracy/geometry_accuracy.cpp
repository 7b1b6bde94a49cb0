// SPDX-License-Identifier: Apache-2.0
// The geometry of a sample drive against its exact truth, as a table with the bar of each row.
//   geometry_accuracy FOLDER [--seconds 32] [--voxel 0.1] [--no-color] [--no-mesh] [--no-poisson]
//                     [--no-fine-map]
// Scans are made once and kept in FOLDER; pictures and meshes are left there to look at.
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/resource.h>

#include <fmt/format.h>

#include "gs/core/file.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/process_memory.hpp"
#include "gs/core/rng.hpp"
#include "gs/formats/glb.hpp"
#include "gs/formats/png.hpp"
#include "gs/geometry/colorize.hpp"
#include "gs/geometry/drivable_builder.hpp"
#include "gs/geometry/ground_surface.hpp"
#include "gs/geometry/integrate_scans.hpp"
#include "gs/geometry/static_mesh.hpp"
#include "gs/geometry/testing/road_agreement.hpp"
#include "gs/geometry/testing/sample_scans.hpp"
#include "lidar_accuracy.hpp"
#include "true_surface.hpp"

namespace fs = std::filesystem;

namespace {

double cpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

void printRow(const std::string& what, const std::string& value, const std::string& bar) {
  fmt::print("| {:<52} | {:>14} | {:<10} |\n", what, value, bar);
  std::fflush(stdout);
}

// What a stage costs: processor time, since the machine may be shared.
class Cost {
 public:
  void print(const std::string& stage, const std::string& bar = "") const {
    printRow(stage + ", CPU time", fmt::format("{:.1f} s", cpuSeconds() - start_), bar);
  }

 private:
  double start_ = cpuSeconds();
};

// Scans in one file, as a stage of the builder would find them on disk.
class ScanFile {
 public:
  ScanFile(const gs::SampleDriveTruth& truth, const fs::path& path) : path_(path) {
    if (!fs::exists(path)) write(truth);
    std::ifstream in(path, std::ios::binary);
    const auto& lidar = truth.options.rig.lidars.begin()->second;
    const double period = 1 / lidar.rate_hz;
    uint64_t count = 0;
    std::streamoff offset = 0;
    for (size_t i = 0; in.read(reinterpret_cast<char*>(&count), 8); ++i) {
      const double t = static_cast<double>(i) * period;
      gs::PosedScan scan{.stamp = gs::kSampleDriveStart + gs::Duration{std::llround(t * 1e9)},
                         .map_from_base = truth.motion.mapFromBase(t)};
      scan.sensor_in_base =
          scan.map_from_base.inverse() *
          (truth.motion.mapFromBase(t + period / 2) * lidar.extrinsics.baseFromSensor())
              .translation;
      trajectory.push_back(scan.map_from_base);
      heads_.push_back({scan, offset + 8, count});
      offset += 8 + static_cast<std::streamoff>(17 * count);
      in.seekg(offset);
    }
  }

  gs::ScanSource source() const {
    return {heads_.size(), [this](size_t i) { return load(i); }};
  }
  gs::PosedScan load(size_t i) const {
    gs::PosedScan scan = heads_[i].scan;
    scan.points.resize(heads_[i].count);
    std::ifstream in(path_, std::ios::binary);
    in.seekg(heads_[i].offset);
    in.read(reinterpret_cast<char*>(scan.points.data()),
            static_cast<std::streamsize>(16 * heads_[i].count));
    return scan;
  }
  std::vector<uint8_t> loadTruth(size_t i) const {
    std::vector<uint8_t> is_moving(heads_[i].count);
    std::ifstream in(path_, std::ios::binary);
    in.seekg(heads_[i].offset + static_cast<std::streamoff>(16 * heads_[i].count));
    in.read(reinterpret_cast<char*>(is_moving.data()),
            static_cast<std::streamsize>(heads_[i].count));
    return is_moving;
  }

  std::vector<gs::Rigid3> trajectory;

 private:
  void write(const gs::SampleDriveTruth& truth) const {
    fmt::print("making the scans of the drive ...\n");
    const gs::SampleScans sample = gs::makeSampleScans(truth);
    std::string bytes;
    for (size_t i = 0; i < sample.scans.size(); ++i) {
      const uint64_t count = sample.scans[i].points.size();
      bytes.append(reinterpret_cast<const char*>(&count), 8);
      bytes.append(reinterpret_cast<const char*>(sample.scans[i].points.data()), 16 * count);
      bytes.append(reinterpret_cast<const char*>(sample.is_moving[i].data()), count);
    }
    gs::writeFileAtomically(path_, bytes);
  }

  struct Head {
    gs::PosedScan scan;  // without points
    std::streamoff offset;
    size_t count;
  };
  fs::path path_;
  std::vector<Head> heads_;
};

void judgeMoving(const ScanFile& scans, const gs::MovingRegions& moving) {
  struct Tally {
    double moving = 0, removed = 0, still = 0, lost = 0;
  };
  std::vector<Tally> tallies(scans.trajectory.size());
  gs::parallelFor(tallies.size(), 1, [&](size_t i, size_t) {
    const std::vector<uint8_t> is_moving = scans.loadTruth(i);
    std::vector<uint8_t> found(is_moving.size(), 0);
    for (const uint32_t k : moving.findIn(scans.load(i))) found[k] = 1;
    for (size_t k = 0; k < found.size(); ++k) {
      ++(is_moving[k] ? tallies[i].moving : tallies[i].still);
      if (found[k]) ++(is_moving[k] ? tallies[i].removed : tallies[i].lost);
    }
  });
  Tally all;
  for (const Tally& t : tallies) {
    all.moving += t.moving;
    all.removed += t.removed;
    all.still += t.still;
    all.lost += t.lost;
  }
  printRow("points on moving things removed",
           fmt::format("{:.2f} %", 100 * all.removed / all.moving), "> 95 %");
  printRow("static points kept", fmt::format("{:.2f} %", 100 - 100 * all.lost / all.still),
           "> 98 %");
}

// On the face of a kerb the ground is two heights at once; the nearer one counts.
double groundError(const gs::Town& town, double x, double y, double z) {
  double best = z - town.groundHeight(x, y);
  for (const double d : {-0.001, 0.001})
    for (const double error : {z - town.groundHeight(x + d, y), z - town.groundHeight(x, y + d)})
      if (std::abs(error) < std::abs(best)) best = error;
  return best;
}

void judgeGround(const gs::SampleDriveTruth& truth, const gs::GroundSurface& ground,
                 const fs::path& picture_file) {
  const gs::DrivableArea road = truth.town.drivable();
  const gs::Heightmap& map = ground.heights;
  gs::Image8 picture(map.width, map.height, 3);  // too high is red, too low blue, unknown black
  double cells = 0, known = 0, good = 0, square = 0;
  for (int row = 0; row < map.height; ++row)
    for (int col = 0; col < map.width; ++col) {
      const double x = map.origin_x + col * map.resolution;
      const double y = map.origin_y + row * map.resolution;
      const auto z = static_cast<double>(map.at(col, row));
      const bool is_road = gs::isDrivable(road, x, y);
      const double error = groundError(truth.town, x, y, z);
      cells += is_road;
      if (std::isnan(z)) continue;
      uint8_t* pixel = picture.at(col, map.height - 1 - row);
      const double grey = ground.is_seen[static_cast<size_t>(row) * map.width + col] ? 160 : 90;
      pixel[0] = static_cast<uint8_t>(std::min(255.0, grey + 2000 * std::max(0.0, error)));
      pixel[1] = static_cast<uint8_t>(grey);
      pixel[2] = static_cast<uint8_t>(std::min(255.0, grey - 2000 * std::min(0.0, error)));
      if (!is_road) continue;
      ++known;
      good += std::abs(error) < 0.05;
      square += error * error;
    }
  gs::writeFileAtomically(picture_file, gs::encodePng(picture));
  printRow("heightmap on the road, RMSE",
           fmt::format("{:.1f} mm", 1000 * std::sqrt(square / known)), "< 20 mm");
  printRow("heightmap on the road, within 5 cm", fmt::format("{:.2f} %", 100 * good / known),
           "> 99 %");
  printRow("heightmap on the road, coverage", fmt::format("{:.2f} %", 100 * known / cells),
           "> 98 %");
}

void judgeDrivable(const gs::DrivableArea& area, const gs::Town& town,
                   const std::vector<gs::Rigid3>& path) {
  const gs::RoadAgreement road = gs::compareRoad(area, town, path);
  printRow("drivable by ground, IoU (16 m, without parked cars)", fmt::format("{:.3f}", road.iou),
           "> 0.90");
  printRow("drivable by ground, of it outside the road",
           fmt::format("{:.2f} %", 100 * road.outside), "");
}

void judgeMesh(const std::string& name, const gs::TriangleMesh& mesh, const gs::TrueSurface& truth,
               const std::string& bar) {
  std::vector<double> until;  // area up to each triangle
  double area = 0;
  for (const auto& t : mesh.triangles) {
    const gs::Vec3 a = gs::vertexOf(mesh, t[0]);
    area += (gs::vertexOf(mesh, t[1]) - a).cross(gs::vertexOf(mesh, t[2]) - a).norm() / 2;
    until.push_back(area);
  }
  gs::Rng rng(1);
  std::vector<double> distances;
  for (int i = 0; i < 40'000 && !until.empty(); ++i) {
    const auto found = std::lower_bound(until.begin(), until.end(), rng.uniform() * area);
    const auto& t = mesh.triangles[std::min<size_t>(found - until.begin(), until.size() - 1)];
    double u = rng.uniform(), v = rng.uniform();
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const gs::Vec3 a = gs::vertexOf(mesh, t[0]);
    distances.push_back(truth.distanceTo(a + u * (gs::vertexOf(mesh, t[1]) - a) +
                                         v * (gs::vertexOf(mesh, t[2]) - a)));
  }
  std::sort(distances.begin(), distances.end());
  if (distances.empty()) return printRow(name + " mesh", "empty", bar);
  printRow(name + " mesh to the true surface, median",
           fmt::format("{:.1f} mm", 1000 * distances[distances.size() / 2]), bar);
  printRow(name + " mesh to the true surface, 90 %",
           fmt::format("{:.1f} mm", 1000 * distances[distances.size() * 9 / 10]), "");
  printRow(name + " mesh, triangles",
           fmt::format("{:.2f} M", 1e-6 * static_cast<double>(mesh.triangles.size())), "");
}

// `map_voxel` decides: a mesh of five-centimetre voxels from a map of ten rounds off every edge.
void judgeLidar(const gs::SampleDriveTruth& truth, const gs::Heightmap& ground,
                const gs::TriangleMesh& mesh, double map_voxel) {
  const gs::LidarAgreement agreement = gs::compareLidar(truth, ground, mesh, 16);
  const auto share = [](size_t part, size_t whole) {
    return fmt::format("{:.2f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
  };
  const gs::RangeAgreement &g = agreement.ground_by_heightmap, &m = agreement.all_by_mesh;
  const std::string map = fmt::format(" (map of {:.0f} cm)", 100 * map_voxel);
  printRow("LiDAR, heightmap, ground within 10 cm" + map, share(g.within_10cm, g.returned),
           "> 95 %");
  printRow("LiDAR, heightmap, ground returns" + map, share(g.returned, g.rays), "");
  printRow("LiDAR, with mesh, within 5 cm" + map, share(m.within_5cm, m.returned),
           map_voxel <= 0.05 ? "> 95 %" : "");
  printRow("LiDAR, with mesh, returns" + map, share(m.returned, m.rays), "");
}

gs::Image8 drawFromAbove(const gs::MapCloud& cloud, const gs::Heightmap& map) {
  gs::Image8 picture(map.width, map.height, 3);
  for (size_t i = 0; i < cloud.size(); ++i) {
    const gs::Vec3 p = cloud.positionInMap(i);
    const double col = (p.x() - map.origin_x) / map.resolution;
    const double row = (p.y() - map.origin_y) / map.resolution;
    if (!(col >= 0 && row >= 0 && col < map.width && row < map.height)) continue;
    uint8_t* pixel = picture.at(static_cast<int>(col), map.height - 1 - static_cast<int>(row));
    std::copy(cloud.colors[i].begin(), cloud.colors[i].end(), pixel);
  }
  return picture;
}

}  // namespace

int main(int argc, char** argv) {
  fs::path folder = "accuracy";
  gs::SampleDriveOptions options;
  gs::IntegrationOptions integration;
  bool with_color = true, with_mesh = true, with_poisson = true, with_fine_map = true;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--seconds" && i + 1 < argc) options.seconds = std::stod(argv[++i]);
    else if (argument == "--voxel" && i + 1 < argc) integration.voxel_size = std::stod(argv[++i]);
    else if (argument == "--no-color") with_color = false;
    else if (argument == "--no-poisson") with_poisson = false;
    else if (argument == "--no-fine-map") with_fine_map = false;
    else if (argument == "--no-mesh") with_mesh = false;
    else folder = argument;
  }
  fs::create_directories(folder);
  const gs::SampleDriveTruth truth(options);
  const ScanFile scans(truth, folder / fmt::format("scans_{}s.bin", options.seconds));
  const gs::ScanSource source = scans.source();
  fmt::print("| {:<52} | {:>14} | {:<10} |\n", "sample drive", "measured", "bar");
  fmt::print("|{:-<54}|{:->16}|{:-<12}|\n", "", ":", "");

  const Cost all;
  const Cost of_map;
  gs::IntegrationResult map = gs::integrateScans(source, integration);
  of_map.print("pointcloud_integrator");
  const Cost of_ground;
  const gs::GroundSurface ground = gs::buildGroundSurface(map.cloud, scans.trajectory, {});
  of_ground.print("ground_surface_builder");
  const Cost of_area;
  const gs::DrivableArea area = gs::growDrivableArea(ground, map.cloud, scans.trajectory, {});
  of_area.print("drivable_area_builder");
  all.print("the three together", "< 30 s");
  printRow("peak memory", fmt::format("{} MB", gs::peakMemory() >> 20), "< 2048 MB");
  judgeMoving(scans, map.moving);
  judgeGround(truth, ground, folder / "ground.png");
  judgeDrivable(area, truth.town, scans.trajectory);
  if (with_color) {
    const gs::ImageSource images =
        gs::makeSampleImages(truth, std::make_shared<gs::TownRenderer>(truth.town));
    const gs::MovingOccluders occluders{source, map.stamps, map.moving};
    const gs::ColorizeCounts counts = gs::colorize(map.cloud, images, {}, &occluders);
    printRow("points coloured by a camera",
             fmt::format("{:.1f} %", 100.0 * static_cast<double>(counts.points_colored) /
                                         static_cast<double>(map.cloud.size())),
             "");
    gs::writeFileAtomically(folder / "colors.png",
                            gs::encodePng(drawFromAbove(map.cloud, ground.heights)));
  }
  if (with_mesh) {
    const gs::TrueSurface surface(truth.town.staticMesh());
    const Cost of_tsdf;
    const gs::TriangleMesh tsdf = gs::buildTsdfMesh(map.cloud, {});
    of_tsdf.print("static_mesh_builder, tsdf");
    judgeMesh("tsdf", tsdf, surface, "< 30 mm");
    judgeLidar(truth, ground.heights, tsdf, integration.voxel_size);
    gs::writeFileAtomically(folder / "tsdf.glb", gs::encodeGlb(tsdf));
    if (with_poisson) {
      const Cost of_poisson;
      const gs::TriangleMesh poisson = gs::buildPoissonMesh(map.cloud, {});
      of_poisson.print("static_mesh_builder, poisson");
      judgeMesh("poisson", poisson, surface, "");
      gs::writeFileAtomically(folder / "poisson.glb", gs::encodeGlb(poisson));
    }
    printRow("peak memory with meshes", fmt::format("{} MB", gs::peakMemory() >> 20), "");
    if (with_fine_map) {  // as a world for LiDAR simulation is built
      map = gs::integrateScans(source, {.voxel_size = 0.05});
      judgeLidar(truth, gs::buildGroundSurface(map.cloud, scans.trajectory, {}).heights,
                 gs::buildTsdfMesh(map.cloud, {}), 0.05);
    }
  }
}
