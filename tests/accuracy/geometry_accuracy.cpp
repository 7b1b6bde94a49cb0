// SPDX-License-Identifier: Apache-2.0
// The geometry of made drives against their exact truth, as one table with the bar of each row.
//   geometry_accuracy FOLDER [--preset sample|real]... [--seed N]... [--seconds S] [--voxel 0.1]
//                     [--no-color] [--no-mesh] [--no-poisson] [--no-fine-map]
// Without --preset both, without --seed 1 and 2. Colours and meshes are judged on the first drive.
// Scans are made once and kept in FOLDER; pictures and meshes are left there to look at.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/resource.h>

#include <fmt/format.h>

#include "beam_accuracy.hpp"
#include "gs/core/file.hpp"
#include "gs/core/hash.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/process_memory.hpp"
#include "gs/core/rng.hpp"
#include "gs/core/write_fields.hpp"
#include "gs/formats/glb.hpp"
#include "gs/formats/png.hpp"
#include "gs/geometry/colorize.hpp"
#include "gs/geometry/drivable_builder.hpp"
#include "gs/geometry/ground_surface.hpp"
#include "gs/geometry/integrate_scans.hpp"
#include "gs/geometry/measure_base_link.hpp"
#include "gs/geometry/static_mesh.hpp"
#include "gs/geometry/testing/road_agreement.hpp"
#include "gs/geometry/testing/sample_scans.hpp"
#include "gs_builder/ego_motion.hpp"
#include "lidar_accuracy.hpp"
#include "scan_file.hpp"
#include "table.hpp"
#include "true_surface.hpp"

namespace fs = std::filesystem;

namespace {

double cpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// What a stage costs: processor time, since the machine may be shared.
class Cost {
 public:
  void add(AccuracyTable& table, const std::string& stage, const std::string& bar = "") const {
    table.add(stage + ", CPU time", fmt::format("{:.1f} s", cpuSeconds() - start_), bar);
  }

 private:
  double start_ = cpuSeconds();
};

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.2f} %", 100 * part / whole) : "none";
}

// What share of the points on each kind of thing is taken for moving. The map looks at none that
// are nearer than its smallest range.
void judgeMoving(AccuracyTable& table, const ScanFile& scans, const gs::MovingRegions& moving,
                 double min_range) {
  constexpr size_t kThings = enumWords(std::type_identity<gs::Thing>()).size();
  struct Tally {
    std::array<double, kThings> points{}, flagged{};
  };
  std::vector<Tally> tallies(scans.trajectory.size());
  gs::parallelFor(tallies.size(), 1, [&](size_t i, size_t) {
    const std::vector<gs::Thing> things = scans.loadTruth(i);
    const gs::PosedScan scan = scans.load(i);
    std::vector<uint8_t> found(things.size(), 0);
    for (const uint32_t k : moving.findIn(scan)) found[k] = 1;
    for (size_t k = 0; k < found.size(); ++k) {
      const auto& p = scan.points[k];
      if ((gs::Vec3(p.x, p.y, p.z) - scan.sensor_in_base).norm() < min_range) continue;
      const auto thing = static_cast<size_t>(things[k]);
      ++tallies[i].points[thing];
      tallies[i].flagged[thing] += found[k];
    }
  });
  Tally all;
  for (const Tally& tally : tallies)
    for (size_t thing = 0; thing < kThings; ++thing) {
      all.points[thing] += tally.points[thing];
      all.flagged[thing] += tally.flagged[thing];
    }
  const auto add = [&](const char* what, gs::Thing thing, const char* bar) {
    const auto at = static_cast<size_t>(thing);
    table.add(what, percent(all.flagged[at], all.points[at]), bar);
  };
  add("points on moving things found", gs::Thing::Moving, ">= 95 %");
  add("points on thin still things taken for moving", gs::Thing::Thin, "<= 2 %");
  add("points on parked cars taken for moving", gs::Thing::Parked, "<= 1 %");
  add("other still points taken for moving", gs::Thing::Still, "<= 2 %");
}

void judgeBeams(AccuracyTable& table, const gs::SampleDriveTruth& truth) {
  const gs::BeamAgreement agreement = gs::compareBeams(truth);
  table.add("LiDAR beams found", fmt::format("{} of {}", agreement.beams, agreement.true_beams),
            "all");
  table.add("LiDAR beams, largest error of an elevation",
            fmt::format("{:.3f} deg", agreement.largest_error_deg), "0.05 deg");
}

void judgeBaseLink(AccuracyTable& table, const gs::SampleDriveTruth& truth,
                   const gs::BaseLinkAboveGround& measured) {
  const gs::BaseLinkAboveGround& expected = truth.options.base_above_ground;
  table.add("base_link over the road, error of the height",
            fmt::format("{:.1f} mm", 1000 * (measured.height - expected.height)), "20 mm");
  table.add("base_link over the road, error of the pitch",
            fmt::format("{:.2f} deg", (measured.pitch - expected.pitch) / expected.kDegree),
            "0.2 deg");
  table.add("base_link over the road, error of the roll",
            fmt::format("{:.2f} deg", (measured.roll - expected.roll) / expected.kDegree),
            "0.2 deg");
  // Of every m/s^2.
  table.add(
      "the body's dive and lean, errors",
      fmt::format(
          "{:.2f}, {:.2f} deg",
          (measured.pitch_per_acceleration - expected.pitch_per_acceleration) / expected.kDegree,
          (measured.roll_per_lateral_acceleration - expected.roll_per_lateral_acceleration) /
              expected.kDegree));
}

// How base_link is over the finished ground, as a bundle has it.
gs::BaseLinkAboveGround baseLinkOver(const gs::Heightmap& ground,
                                     const gs::SampleDriveTruth& truth) {
  std::vector<gs_builder::StampedPose> poses;
  for (int i = 0; i < 20 * truth.options.seconds; ++i)
    poses.push_back(
        {gs::Stamp{} + gs::Duration{50'000'000ll * i}, truth.motion.mapFromBase(0.05 * i)});
  const auto found = gs::measureBaseLinkOver(
      ground, gs_builder::drivenPoses(gs_builder::EgoTrajectory(std::move(poses))));
  return found ? found->above_ground : gs::BaseLinkAboveGround{};
}

// On the face of a kerb the ground is two heights at once; the nearer one counts.
double groundError(const gs::Town& town, double x, double y, double z) {
  double best = z - town.groundHeight(x, y);
  for (const double d : {-0.001, 0.001})
    for (const double error : {z - town.groundHeight(x + d, y), z - town.groundHeight(x, y + d)})
      if (std::abs(error) < std::abs(best)) best = error;
  return best;
}

// Only along the way: what lies within this of it could be seen well.
constexpr double kSeen = 12;  // m

void judgeGround(AccuracyTable& table, const gs::SampleDriveTruth& truth,
                 const gs::GroundSurface& ground, const std::vector<gs::Rigid3>& path,
                 const fs::path& picture_file) {
  const gs::DrivableArea road = truth.town.drivable();
  const gs::DrivableArea seen =
      gs::bufferTrajectory(path, {.buffer_width = kSeen, .simplify_tolerance = 0});
  std::vector<double> errors;
  const gs::Heightmap& map = ground.heights;
  gs::Image8 picture(map.width, map.height, 3);  // too high is red, too low blue, unknown black
  double cells = 0, known = 0, good = 0, square = 0;
  for (int row = 0; row < map.height; ++row)
    for (int col = 0; col < map.width; ++col) {
      const double x = map.origin_x + col * map.resolution;
      const double y = map.origin_y + row * map.resolution;
      const auto z = static_cast<double>(map.at(col, row));
      const bool is_road = gs::isDrivable(road, x, y) && gs::isDrivable(seen, x, y);
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
      errors.push_back(std::abs(error));
    }
  gs::writeFileAtomically(picture_file, gs::encodePng(picture));
  std::sort(errors.begin(), errors.end());
  if (errors.empty()) return table.add("heightmap on the road, median", "none", "< 20 mm");
  const double near =
      static_cast<double>(std::upper_bound(errors.begin(), errors.end(), 0.10) - errors.begin());
  table.add("heightmap on the road, median",
            fmt::format("{:.1f} mm", 1000 * errors[errors.size() / 2]), "< 20 mm");
  table.add("heightmap on the road, RMSE",
            fmt::format("{:.1f} mm", 1000 * std::sqrt(square / known)), "< 20 mm");
  table.add("heightmap on the road, within 5 cm", percent(good, known), "> 99 %");
  table.add("heightmap on the road, within 10 cm", percent(near, known), "> 95 %");
  table.add("heightmap on the road, coverage", percent(known, cells), "> 98 %");
}

void judgeDrivable(AccuracyTable& table, const gs::DrivableArea& area, const gs::Town& town,
                   const std::vector<gs::Rigid3>& path) {
  const gs::RoadAgreement road = gs::compareRoad(area, town, path);
  table.add("drivable by ground, IoU (16 m, without parked cars)", fmt::format("{:.3f}", road.iou),
            ">= 0.90");
  table.add("drivable by ground, of it outside the road",
            fmt::format("{:.2f} %", 100 * road.outside));
}

void judgeMesh(AccuracyTable& table, const std::string& name, const gs::TriangleMesh& mesh,
               const gs::TrueSurface& truth, const std::string& bar) {
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
  if (distances.empty()) return table.add(name + " mesh", "empty", bar);
  table.add(name + " mesh to the true surface, median",
            fmt::format("{:.1f} mm", 1000 * distances[distances.size() / 2]), bar);
  table.add(name + " mesh to the true surface, 90 %",
            fmt::format("{:.1f} mm", 1000 * distances[distances.size() * 9 / 10]), "");
  table.add(name + " mesh, triangles",
            fmt::format("{:.2f} M", 1e-6 * static_cast<double>(mesh.triangles.size())), "");
}

// `map_voxel` decides: a mesh of five-centimetre voxels from a map of ten rounds off every edge.
void judgeLidar(AccuracyTable& table, const gs::SampleDriveTruth& truth,
                const gs::Heightmap& ground, const gs::TriangleMesh& mesh, double map_voxel) {
  const gs::LidarAgreement agreement = gs::compareLidar(truth, ground, mesh, 16);
  const auto share = [](size_t part, size_t whole) {
    return fmt::format("{:.2f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
  };
  const gs::RangeAgreement &g = agreement.ground_by_heightmap, &m = agreement.all_by_mesh;
  const std::string map = fmt::format(" (map of {:.0f} cm)", 100 * map_voxel);
  table.add("LiDAR, heightmap, ground within 10 cm" + map, share(g.within_10cm, g.returned),
            "> 95 %");
  table.add("LiDAR, heightmap, ground returns" + map, share(g.returned, g.rays), "");
  table.add("LiDAR, with mesh, within 5 cm" + map, share(m.within_5cm, m.returned),
            map_voxel <= 0.05 ? "> 95 %" : "");
  table.add("LiDAR, with mesh, returns" + map, share(m.returned, m.rays), "");
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

struct Arguments {
  fs::path folder = "accuracy";
  std::vector<gs::DrivePreset> presets;
  std::vector<uint64_t> seeds;
  std::optional<double> seconds;
  gs::IntegrationOptions integration;
  bool with_color = true, with_mesh = true, with_poisson = true, with_fine_map = true;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--seconds" && has_value) arguments.seconds = std::stod(argv[++i]);
    else if (word == "--voxel" && has_value)
      arguments.integration.voxel_size = std::stod(argv[++i]);
    else if (word == "--preset" && has_value)
      arguments.presets.push_back(std::string(argv[++i]) == "real" ? gs::DrivePreset::Real
                                                                   : gs::DrivePreset::Sample);
    else if (word == "--seed" && has_value) arguments.seeds.push_back(std::stoull(argv[++i]));
    else if (word == "--no-color") arguments.with_color = false;
    else if (word == "--no-poisson") arguments.with_poisson = false;
    else if (word == "--no-fine-map") arguments.with_fine_map = false;
    else if (word == "--no-mesh") arguments.with_mesh = false;
    else arguments.folder = word;
  }
  if (arguments.presets.empty())
    arguments.presets = {gs::DrivePreset::Sample, gs::DrivePreset::Real};
  if (arguments.seeds.empty()) arguments.seeds = {1, 2};
  return arguments;
}

// What the geometry stage of a build does, judged step by step.
struct JudgedDrive {
  gs::SampleDriveTruth truth;
  ScanFile scans;
  gs::IntegrationResult map;
  gs::GroundSurface ground;
};

JudgedDrive judgeDrive(AccuracyTable& table, const gs::SampleDriveOptions& options,
                       const std::string& name, const Arguments& arguments) {
  gs::SampleDriveTruth truth(options);
  // Other options or another town, other scans: an old file is not taken for them.
  std::string text = gs::toText(gs::toJson(truth.options));
  for (double t = 0; t < truth.options.seconds; t += 0.5)
    for (const gs::Town::MovingBox& box : truth.town.movingBoxes(t))
      text +=
          fmt::format("{} {}", box.map_from_box.translation.x(), box.map_from_box.translation.y());
  text += std::to_string(truth.town.staticMesh().triangles.size());
  ScanFile scans(
      truth, arguments.folder /
                 fmt::format("scans_{}.bin", gs::hexDigest(gs::HashKind::Md5, gs::asBytes(text))));
  const gs::ScanSource source = scans.source();
  const Cost all;
  const auto base = gs::measureBaseLink(source, scans.trajectory);
  gs::IntegrationOptions integration = arguments.integration;
  if (base) integration.base_link_above_ground = base->above_ground;
  const gs::Rigid3 base_from_footing =
      integration.base_link_above_ground.footingFromBase().inverse();
  std::vector<gs::Rigid3> path;
  for (const gs::Rigid3& map_from_base : scans.trajectory)
    path.push_back(map_from_base * base_from_footing);
  const Cost of_map;
  gs::IntegrationResult map = gs::integrateScans(source, integration);
  of_map.add(table, "pointcloud_integrator");
  const Cost of_ground;
  gs::GroundSurface ground = gs::buildGroundSurface(map.cloud, path, {});
  of_ground.add(table, "ground_surface_builder");
  const Cost of_area;
  const gs::DrivableArea area = gs::growDrivableArea(ground, map.cloud, path, {});
  of_area.add(table, "drivable_area_builder");
  all.add(table, "all of them", "< 30 s");
  table.add("peak memory", fmt::format("{} MB", gs::peakMemory() >> 20), "< 2048 MB");
  judgeBeams(table, truth);
  judgeBaseLink(table, truth, baseLinkOver(ground.heights, truth));
  judgeMoving(table, scans, map.moving, integration.min_range);
  judgeGround(table, truth, ground, path, arguments.folder / ("ground_" + name + ".png"));
  judgeDrivable(table, area, truth.town, path);
  return {std::move(truth), std::move(scans), std::move(map), std::move(ground)};
}

void judgeColors(AccuracyTable& table, JudgedDrive& drive, const fs::path& folder) {
  const gs::ImageSource images =
      gs::makeSampleImages(drive.truth, std::make_shared<gs::TownRenderer>(drive.truth.town));
  const gs::MovingOccluders occluders{drive.scans.source(), drive.map.stamps, drive.map.moving};
  const gs::ColorizeCounts counts = gs::colorize(drive.map.cloud, images, {}, &occluders);
  table.add("points coloured by a camera", percent(static_cast<double>(counts.points_colored),
                                                   static_cast<double>(drive.map.cloud.size())));
  gs::writeFileAtomically(folder / "colors.png",
                          gs::encodePng(drawFromAbove(drive.map.cloud, drive.ground.heights)));
}

void judgeMeshes(AccuracyTable& table, const JudgedDrive& drive, const Arguments& arguments) {
  const gs::TrueSurface surface(drive.truth.town.staticMesh());
  const Cost of_tsdf;
  const gs::TriangleMesh tsdf = gs::buildTsdfMesh(drive.map.cloud, {});
  of_tsdf.add(table, "static_mesh_builder, tsdf");
  judgeMesh(table, "tsdf", tsdf, surface, "< 30 mm");
  judgeLidar(table, drive.truth, drive.ground.heights, tsdf, arguments.integration.voxel_size);
  gs::writeFileAtomically(arguments.folder / "tsdf.glb", gs::encodeGlb(tsdf));
  if (arguments.with_poisson) {
    const Cost of_poisson;
    const gs::TriangleMesh poisson = gs::buildPoissonMesh(drive.map.cloud, {});
    of_poisson.add(table, "static_mesh_builder, poisson");
    judgeMesh(table, "poisson", poisson, surface, "");
    gs::writeFileAtomically(arguments.folder / "poisson.glb", gs::encodeGlb(poisson));
  }
  table.add("peak memory with meshes", fmt::format("{} MB", gs::peakMemory() >> 20));
  if (arguments.with_fine_map) {  // as a world for LiDAR simulation is built
    const gs::IntegrationResult map =
        gs::integrateScans(drive.scans.source(), {.voxel_size = 0.05});
    judgeLidar(table, drive.truth,
               gs::buildGroundSurface(map.cloud, drive.scans.trajectory, {}).heights,
               gs::buildTsdfMesh(map.cloud, {}), 0.05);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse(argc, argv);
  fs::create_directories(arguments.folder);
  std::vector<gs::SampleDriveOptions> drives;
  std::vector<std::string> names;
  for (const gs::DrivePreset preset : arguments.presets)
    for (const uint64_t seed : arguments.seeds) {
      drives.push_back(gs::driveOptionsFor(preset, seed));
      drives.back().seconds = arguments.seconds.value_or(drives.back().seconds);
      names.push_back(fmt::format("{} {}", gs::wordOf(preset), seed));
    }
  AccuracyTable table(names);
  for (size_t i = 0; i < drives.size(); ++i) {
    table.choose(i);
    JudgedDrive drive = judgeDrive(table, drives[i], names[i], arguments);
    if (i > 0) continue;
    if (arguments.with_color) judgeColors(table, drive, arguments.folder);
    if (arguments.with_mesh) judgeMeshes(table, drive, arguments);
  }
  table.print();
}
