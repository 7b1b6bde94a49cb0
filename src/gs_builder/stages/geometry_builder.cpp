// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gs/bundle/drivable_file.hpp"
#include "gs/bundle/gaussian_ply.hpp"
#include "gs/bundle/heightmap_file.hpp"
#include "gs/bundle/timebase.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/write_fields.hpp"
#include "gs/formats/glb.hpp"
#include "gs/formats/pcd.hpp"
#include "gs/geometry/colorize.hpp"
#include "gs/geometry/drivable_builder.hpp"
#include "gs/geometry/ground_surface.hpp"
#include "gs/geometry/integrate_scans.hpp"
#include "gs/geometry/measure_base_link.hpp"
#include "gs/geometry/static_mesh.hpp"
#include "gs/geometry/world_mesh.hpp"
#include "gs_builder/dataset.hpp"
#include "gs_builder/ego_motion.hpp"
#include "gs_builder/ego_way.hpp"
#include "gs_builder/initial_gaussians.hpp"
#include "gs_builder/read_document.hpp"
#include "gs_builder/recorded_frames.hpp"
#include "gs_builder/recorded_sensors.hpp"
#include "gs_builder/road_contact.hpp"
#include "gs_builder/stage.hpp"

// geometry_builder: the file side of src/gs/geometry. Scans are loaded when they are asked for, and
// as often as they are; nobody holds them all.
namespace gs_builder {
namespace fs = std::filesystem;
namespace {

gs::ImageSource imagesOf(const fs::path& ingest, const gs::Calibration& calibration,
                         const EgoTrajectory& trajectory) {
  const auto images =
      datasetImages(readFrameset(ingest / "frameset.json"), calibration, trajectory);
  gs::ImageSource source;
  std::vector<fs::path> files;
  for (const DatasetImage& image : images)
    for (const auto& [id, camera] : calibration.cameras)
      if (cameraName(id) == image.camera) {
        source.poses.push_back({image.stamp, camera, image.map_from_camera});
        files.push_back(ingest / image.source);
      }
  source.load = [files = std::move(files)](size_t i) { return readRgb(files[i]); };
  return source;
}

std::array<float, 3> inFloat(const gs::Vec3& p) {
  return {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())};
}

void writeMapCloud(const gs::MapCloud& cloud, const fs::path& file) {
  gs::PcdCloud pcd;
  for (size_t i = 0; i < cloud.size(); ++i)
    pcd.positions.push_back(inFloat(cloud.positionInMap(i)));
  pcd.intensity = cloud.reflectivity;
  gs::writePcd(pcd, file);
}

void writeMovingPlaces(const gs::MovingRegions& moving, const fs::path& file) {
  gs::PcdCloud pcd;
  for (const gs::Vec3& p : moving.positions()) pcd.positions.push_back(inFloat(p));
  gs::writePcd(pcd, file);
}

void writeInitialGaussians(const gs::MapCloud& cloud, int sh_degree, const fs::path& file) {
  const auto point = [&](size_t i) {
    SurfacePoint surface{.position = cloud.positionInMap(i),
                         .normal = cloud.normals[i],
                         .spacing = cloud.spacing[i]};
    if (!cloud.colors.empty()) surface.color = cloud.colors[i];
    return surface;
  };
  gs::writeGaussianPly(file, initialGaussians(cloud.size(), point, {.sh_degree = sh_degree}));
}

// moving_points/<lidar>.csv: stamp in ns and the indices of a scan's points on moving things.
void writeMovingPoints(const gs::IntegrationResult& result, const gs::ScanSource& source,
                       const std::vector<ScanFile>& scans, const RecordedSensors& sensors,
                       const fs::path& folder) {
  std::vector<std::string> lines(scans.size());
  gs::parallelFor(scans.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      lines[i] = std::to_string(scans[i].stamp.ns);
      for (const uint32_t index : result.moving.findIn(source.load(i)))
        lines[i] += "," + std::to_string(index);
      lines[i] += "\n";
    }
  });
  gs::createDirectories(folder);
  for (size_t l = 0; l < sensors.lidars.size(); ++l) {
    std::string text;
    for (size_t i = 0; i < scans.size(); ++i)
      if (scans[i].lidar == l) text += lines[i];
    gs::writeFile(folder / ("lidar_" + sensors.lidars[l].id + ".csv"), text);
  }
}

gs::GroundOptions groundOptions(const GeometryConfig::Heightmap& config) {
  gs::GroundOptions options{.resolution = config.resolution,
                            .margin = config.margin,
                            .median_kernel = config.filter.median_kernel,
                            .outlier_threshold = config.filter.outlier_threshold};
  const auto& e = config.extent;
  if (e.x_min && e.x_max && e.y_min && e.y_max)
    options.extent = gs::MapExtent{*e.x_min, *e.x_max, *e.y_min, *e.y_max};
  return options;
}

// How large a mesh may become: 5 MB for each 100 m of the drive, a triangle of a surface taking
// some 13 bytes and a plate 60, of which rays refuse a quarter. A short drive may use as much as 60
// m.
gs::WorldMeshOptions meshOptions(const GeometryConfig::StaticMesh& config, double drive_length) {
  constexpr double kTrianglesPerMetre = 1900, kPlatesPerMetre = 540, kShortest = 60;
  const double metres = std::max(drive_length, kShortest);
  return {.voxel_size = config.voxel_size,
          .tolerance = config.tolerance,
          .max_triangles = static_cast<size_t>(kTrianglesPerMetre * metres),
          .max_plates = static_cast<size_t>(kPlatesPerMetre * metres)};
}

}  // namespace

void runGeometryBuilder(StageContext& context) {
  const GeometryConfig& config = context.config.geometry;
  const fs::path ingest = context.input("00_mcap_ingest");
  const auto calibration = readDocument<gs::Calibration>(
      context.input("01_calibration") / "calibration.yaml", gs::ErrorCode::InvalidCalibration);
  const auto sensors = readDocument<RecordedSensors>(ingest / "raw_extract/sensors.json");
  const EgoTrajectory trajectory = readPosesCsv(ingest / "raw_extract/poses.csv");
  const std::vector<ScanFile> scans = listScans(ingest, sensors, calibration, trajectory);
  const gs::ScanSource source{scans.size(),
                              [&](size_t i) { return loadScan(scans[i], trajectory); }};
  const auto above_ground = readDocument<gs::Timebase>(ingest / "timebase.yaml")
                                .base_link_above_ground.value_or(gs::BaseLinkAboveGround{});
  const std::vector<gs::Rigid3> path = pathOf(footingOf(trajectory, above_ground));
  const fs::path folder = context.workspace.dir("05_geometry");
  const auto part = [&](double from, double to) {
    return [&context, from, to](double f) { context.progress(from + f * (to - from)); };
  };

  gs::IntegrationResult result =
      gs::integrateScans(source, {.voxel_size = config.point_cloud.voxel_size,
                                  .max_range = config.point_cloud.max_range,
                                  .base_link_above_ground = above_ground,
                                  .remove_moving_objects = config.point_cloud.remove_moving_objects,
                                  .progress = part(0, 0.6)});
  if (config.point_cloud.remove_moving_objects) {
    writeMovingPoints(result, source, scans, sensors, folder / "moving_points");
    writeMovingPlaces(result.moving, folder / "moving_places.pcd");
  }
  // What stands in the ego's own way is left of things that moved.
  const gs::SweptWay way = egoWay(trajectory, calibration, above_ground);
  const size_t carved_points = gs::carve(result.cloud, way);
  const gs::ColorizeCounts colors = gs::colorize(
      result.cloud, imagesOf(ingest, calibration, trajectory), {.progress = part(0.65, 0.8)});
  writeMapCloud(result.cloud, folder / "point_cloud_map.pcd");
  writeInitialGaussians(result.cloud, context.config.training.model.sh_degree,
                        folder / "initial.splat.ply");

  const auto buildMesh =
      config.static_mesh.method == MeshMethod::Tsdf ? gs::buildTsdfMesh : gs::buildPoissonMesh;
  std::optional<gs::MapCloud> on_mesh;
  if (config.heightmap.method == HeightmapMethod::MeshRasterization)
    on_mesh = gs::sampleMesh(buildMesh(result.cloud, {.voxel_size = config.static_mesh.voxel_size}),
                             config.heightmap.resolution / 2);
  const gs::GroundSurface ground = gs::buildGroundSurface(on_mesh ? *on_mesh : result.cloud, path,
                                                          groundOptions(config.heightmap));
  gs::writeHeightmap(ground.heights, folder / "heightmap.bin", folder / "heightmap.yaml");
  // Now that the ground is known, the simulator's own way to stand on it tells best.
  if (!context.config.pipeline.ingest.base_link_above_ground)
    if (const auto found = gs::measureBaseLinkOver(ground.heights, drivenPoses(trajectory));
        found && found->isSure() && found->above_ground.isPossible()) {
      gs::writeFile(folder / "base_link_above_ground.yaml",
                    gs::toYamlText(gs::toJson(found->above_ground)));
      context.statistics["base_link_above_ground"] = gs::toJson(found->above_ground);
    }
  if (config.static_mesh.enable) {
    gs::WorldMeshCounts mesh_counts;
    gs::WorldMeshOptions options = meshOptions(config.static_mesh, trajectory.length());
    options.build = buildMesh;
    options.progress = part(0.8, 0.95);
    const gs::TriangleMesh mesh = gs::buildWorldMesh(
        result.cloud, ground.heights, source, result.moving, path, way, options, &mesh_counts);
    gs::writeFile(folder / "static_mesh.glb", std::string_view(gs::encodeCompactGlb(mesh)));
    context.statistics["static_mesh_triangles"] = mesh.triangles.size();
    context.statistics["static_mesh_triangles_extracted"] = mesh_counts.extracted;
    context.statistics["static_mesh_triangles_seen_through"] = mesh_counts.seen_through;
    context.statistics["static_mesh_plates"] = mesh_counts.plates;
    context.statistics["static_mesh_tolerance"] = mesh_counts.tolerance;
  }
  context.progress(0.95);
  gs::DrivableArea drivable =
      config.drivable.method == DrivableMethod::Ground
          ? gs::growDrivableArea(ground, result.cloud, path,
                                 {.unknown_buffer = config.drivable.buffer_width,
                                  .simplify_tolerance = config.drivable.simplify_tolerance})
          : gs::bufferTrajectory(path, {.buffer_width = config.drivable.buffer_width,
                                        .simplify_tolerance = config.drivable.simplify_tolerance});
  // Beyond the map nothing is known to drive on.
  const gs::Heightmap& map = ground.heights;
  drivable = gs::partInside(drivable, {map.origin_x, map.origin_y},
                            {map.origin_x + (map.width - 1) * map.resolution,
                             map.origin_y + (map.height - 1) * map.resolution});
  gs::writeFile(folder / "drivable.geojson", gs::writeDrivable(drivable));

  const auto& counts = result.counts;
  context.statistics["map_points"] = result.cloud.size();
  context.statistics["map_voxel_size"] = result.cloud.voxel_size;
  context.statistics["moving_voxels_removed"] = counts.moving_voxels;
  context.statistics["map_points_in_own_way_removed"] = carved_points;
  context.statistics["images_used_for_color"] = colors.images_used;
  context.statistics["map_points_colored"] = colors.points_colored;
  context.statistics["heightmap_cells_seen"] = ground.seen_cells;
  context.statistics["heightmap_cells_bridged"] = ground.bridged_cells;
  context.statistics["drivable_area_m2"] = gs::areaOf(drivable);
  if (counts.doublings > 0)
    context.warnings.push_back(fmt::format("the map has more voxels than fit: they are {} m large",
                                           result.cloud.voxel_size));
  constexpr size_t kMinMapPoints = 10'000;
  if (result.cloud.size() < kMinMapPoints)
    context.warnings.push_back(fmt::format("the map has only {} points", result.cloud.size()));
}

}  // namespace gs_builder
