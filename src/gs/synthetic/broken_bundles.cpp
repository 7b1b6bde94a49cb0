// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/broken_bundles.hpp"

#include <limits>

#include "gs/bundle/drivable_file.hpp"
#include "gs/bundle/gaussian_ply.hpp"
#include "gs/bundle/write_bundle.hpp"
#include "gs/core/file.hpp"
#include "gs/formats/glb.hpp"
#include "gs/formats/png.hpp"
#include "gs/synthetic/edit_files.hpp"
#include "gs/synthetic/minimal_bundle.hpp"

namespace gs {
namespace fs = std::filesystem;
namespace {

using Damage = std::function<void(const fs::path&)>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

constexpr const char* kWorld = "world.yaml";
constexpr const char* kMetadata = "metadata.json";
constexpr const char* kSplats = "gaussians/background.splat.ply";
constexpr const char* kRender = "gaussians/render_config.json";
constexpr const char* kSky = "gaussians/sky.png";
constexpr const char* kHeights = "geometry/heightmap.bin";
constexpr const char* kHeightsMeta = "geometry/heightmap.yaml";
constexpr const char* kDrivable = "geometry/drivable.geojson";
constexpr const char* kMesh = "geometry/static_mesh.glb";
constexpr const char* kCalibration = "sensors/calibration.yaml";
constexpr const char* kRays = "sensors/rays_top.csv";
constexpr const char* kTf = "sensors/tf_static.json";
constexpr const char* kTimebase = "sim/timebase.yaml";

Damage replace(const char* file, const char* from, const char* to) {
  return [=](const fs::path& dir) { edit::replaceText(dir / file, from, to); };
}

Damage dropLine(const char* file, const char* containing) {
  return [=](const fs::path& dir) { edit::removeLine(dir / file, containing); };
}

Damage text(const char* file, const char* content) {
  return [=](const fs::path& dir) { edit::writeText(dir / file, content); };
}

Damage both(const Damage& first, const Damage& second) {
  return [=](const fs::path& dir) {
    first(dir);
    second(dir);
  };
}

// A value of a splat: columns as in the PLY (0 x, 6 rot_0, 9 rot_3, 10 opacity, ...).
Damage splatValue(uint64_t column, float value) {
  return [=](const fs::path& dir) {
    const fs::path file = dir / kSplats;
    edit::setFloat(file, edit::plyHeaderSize(file), column, value);
  };
}

Damage splats(const std::function<void(GaussianCloud&)>& change) {
  return [=](const fs::path& dir) {
    GaussianCloud cloud = makeMinimalBundle().gaussians;
    change(cloud);
    writeGaussianPly(dir / kSplats, cloud);
  };
}

Damage withSky(const std::string& bytes) {
  return [=](const fs::path& dir) {
    edit::replaceText(dir / kWorld, "geometry:", "  sky: \"gaussians/sky.png\"\ngeometry:");
    edit::writeText(dir / kSky, bytes);
  };
}

Damage withMesh(const std::function<void(const fs::path&)>& write) {
  return [=](const fs::path& dir) {
    edit::replaceText(dir / kWorld,
                      "sensors:", "  static_mesh: \"geometry/static_mesh.glb\"\nsensors:");
    write(dir / kMesh);
  };
}

Damage drivable(const std::function<void(DrivableFeature&)>& change) {
  return [=](const fs::path& dir) {
    DrivableArea area = makeMinimalBundle().drivable;
    change(area.features[0]);
    edit::writeText(dir / kDrivable, writeDrivable(area));
  };
}

// 10,000,001 triangles of the same corner, indices as bytes: a sparse file of 30 MB.
void writeHugeMesh(const fs::path& file) {
  constexpr uint64_t kIndices = 3 * 10'000'001ULL;
  constexpr uint64_t kBinary = (36 + kIndices + 3) / 4 * 4;
  std::string json = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],)"
                     R"("nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":)"
                     R"({"POSITION":0},"indices":1}]}],"accessors":[{"bufferView":0,)"
                     R"("componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],)"
                     R"("max":[0,0,0]},{"bufferView":1,"componentType":5121,"count":)" +
                     std::to_string(kIndices) +
                     R"(,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":36},)"
                     R"({"buffer":0,"byteOffset":36,"byteLength":)" +
                     std::to_string(kIndices) + R"(}],"buffers":[{"byteLength":)" +
                     std::to_string(kBinary) + "}]}";
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::string glb = "glTF";
  appendBytes(glb, uint32_t{2});
  appendBytes(glb, static_cast<uint32_t>(12 + 8 + json.size() + 8 + kBinary));
  appendBytes(glb, static_cast<uint32_t>(json.size()));
  glb += "JSON" + json;
  appendBytes(glb, static_cast<uint32_t>(kBinary));
  glb += std::string("BIN\0", 4);
  const uint64_t total = glb.size() + kBinary;
  edit::writeText(file, glb);
  edit::extendTo(file, total);
}

Image8 grey(int width, int height, int channels) { return Image8(width, height, channels); }

std::vector<BrokenBundle> makeFileRules() {
  return {
      {"path.relative", "path_relative", "/etc/hostname",
       replace(kWorld, "\"metadata.json\"", "\"/etc/hostname\"")},
      {"path.slashes", "path_slashes", "sim\\timebase.yaml",
       replace(kWorld, "sim/timebase.yaml", "sim\\\\timebase.yaml")},
      {"path.slashes", "path_empty", "", replace(kWorld, "sim/timebase.yaml", "")},
      {"path.inside", "path_inside", "../metadata.json",
       replace(kWorld, "\"metadata.json\"", "\"../metadata.json\"")},
      {"path.inside", "path_inside_link", kMetadata,
       [](const fs::path& dir) {
         fs::remove(dir / kMetadata);
         fs::create_symlink("/etc/hostname", dir / kMetadata);
       }},
      {"file.missing", "file_missing", kTimebase,
       [](const fs::path& dir) { fs::remove(dir / kTimebase); }},
      {"file.missing", "file_missing_world", kWorld,
       [](const fs::path& dir) { fs::remove(dir / kWorld); }},
      {"file.unreadable", "file_unreadable", kSplats,
       [](const fs::path& dir) {
         fs::remove(dir / kSplats);
         fs::create_directory(dir / kSplats);
       }},
      {"file.missing_optional", "file_missing_optional", kMesh,
       replace(kWorld, "sensors:", "  static_mesh: \"geometry/static_mesh.glb\"\nsensors:")},
      {"file.name", "file_name", "MetaData",
       [](const fs::path& dir) {
         fs::rename(dir / kMetadata, dir / "MetaData");
         edit::replaceText(dir / kWorld, "metadata.json", "MetaData");
       }},
      {"bundle.size", "bundle_size", kWorld,
       [](const fs::path& dir) {
         edit::appendText(dir / kWorld, "preview:\n  overview: \"overview.png\"\n");
         edit::writeText(dir / "overview.png", "x");
         edit::extendTo(dir / "overview.png", (uint64_t{2} << 30) + 1);
       }},
      {"document.syntax", "document_syntax", kTimebase, text(kTimebase, "simulation: [1, 2\n")},
      {"document.duplicate_key", "document_duplicate_key", kRender,
       replace(kRender, "\"sh_degree\": 0", "\"sh_degree\": 0, \"sh_degree\": 0")},
      {"document.missing_key", "document_missing_key", kCalibration,
       dropLine(kCalibration, "camera_convention")},
      {"document.wrong_type", "document_wrong_type", kCalibration,
       replace(kCalibration, "camera_convention: \"opencv\"", "camera_convention: \"opengl\"")},
      {"document.unknown_key", "document_unknown_key", kTimebase,
       replace(kTimebase, "start_time:", "start_tme:")},
      {"version.format", "version_format", kTimebase,
       replace(kTimebase, "version: \"1.0.0\"", "version: \"1.0\"")},
      {"version.unsupported", "version_unsupported", kWorld,
       replace(kWorld, "version: \"1.0.0\"", "version: \"2.0.0\"")},
      {"version.newer", "version_newer", kCalibration,
       replace(kCalibration, "version: \"1.0.0\"", "version: \"1.7.0\"")},
  };
}

std::vector<BrokenBundle> makeMetadataRules() {
  return {
      {"world.scene_id", "world_scene_id", kWorld,
       replace(kWorld, "scene_id: \"minimal_test\"", "scene_id: \"\"")},
      {"metadata.scene_id", "metadata_scene_id", kMetadata,
       replace(kMetadata, "\"minimal_test\"", "\"another\"")},
      {"metadata.created_at", "metadata_created_at", kMetadata,
       replace(kMetadata, "2026-02-14T10:30:00Z", "yesterday")},
      {"metadata.source", "metadata_source", kMetadata,
       replace(kMetadata, "\"md5\": \"\"", "\"md5\": \"a1b2\"")},
      {"metadata.frames", "metadata_frames", kMetadata,
       replace(kMetadata, "\"odom_frame\": \"odom\"", "\"odom_frame\": \"map\"")},
      {"metadata.convention", "metadata_convention", kMetadata,
       replace(kMetadata, "ROS2 REP-103 (FLU)", "NED")},
      {"metadata.origin_set", "metadata_origin_set", kMetadata,
       replace(kMetadata, "\"convention\"", "\"origin_lat\": 35.6, \"convention\"")},
      {"metadata.origin_range", "metadata_origin_range", kMetadata,
       replace(kMetadata, "\"convention\"",
               "\"origin_lat\": 139.7, \"origin_lon\": 35.6, \"origin_alt\": 40, \"convention\"")},
      {"metadata.extent", "metadata_extent", kMetadata,
       replace(kMetadata, "\"max_x\": 113.0", "\"max_x\": -114.0")},
      {"metadata.units", "metadata_units", kMetadata, replace(kMetadata, "meters", "feet")},
      {"metadata.sensors", "metadata_sensors", kMetadata,
       replace(kMetadata, "\"front\"", "\"rear\"")},
  };
}

std::vector<BrokenBundle> makeGaussianRules() {
  return {
      {"render_config.format", "render_config_format", kRender,
       replace(kRender, "splat_ply", "npz")},
      {"render_config.sh_degree", "render_config_sh_degree", kRender,
       replace(kRender, "\"sh_degree\": 0", "\"sh_degree\": 4")},
      {"render_config.color", "render_config_color", kRender,
       replace(kRender, "\"gamma\": 2.2", "\"gamma\": 0")},
      {"render_config.background", "render_config_background", kRender,
       replace(kRender, "0.53", "135")},
      {"render_config.planes", "render_config_planes", kRender,
       replace(kRender, "\"near_plane\": 0.1", "\"near_plane\": 2000")},
      {"gaussians.header", "gaussians_header", kSplats, text(kSplats, "not a ply\n")},
      {"gaussians.format", "gaussians_format", kSplats,
       replace(kSplats, "binary_little_endian", "ascii")},
      {"gaussians.property_missing", "gaussians_property_missing", kSplats,
       replace(kSplats, "property float opacity", "property float capacity")},
      {"gaussians.sh_count", "gaussians_sh_count", kSplats, splats([](GaussianCloud& cloud) {
         cloud.sh_degree = 1;
         cloud.sh_rest.assign(cloud.size() * restCount(1), 0.0f);
       })},
      {"gaussians.sh_count", "gaussians_sh_odd", kSplats,
       replace(kSplats, "end_header", "property float f_rest_0\nend_header")},
      {"gaussians.truncated", "gaussians_truncated", kSplats,
       [](const fs::path& dir) { edit::truncateBy(dir / kSplats, 5); }},
      {"gaussians.truncated", "gaussians_promises", kSplats,
       replace(kSplats, "element vertex 100", "element vertex 1000000000000")},
      {"gaussians.trailing_bytes", "gaussians_trailing_bytes", kSplats,
       [](const fs::path& dir) { edit::appendText(dir / kSplats, "trailing"); }},
      {"gaussians.property_order", "gaussians_property_order", kSplats,
       [](const fs::path& dir) {
         edit::replaceText(dir / kSplats, "property float f_dc_0", "property float f_dc_9");
         edit::replaceText(dir / kSplats, "property float f_dc_2", "property float f_dc_0");
         edit::replaceText(dir / kSplats, "property float f_dc_9", "property float f_dc_2");
       }},
      {"gaussians.non_finite", "gaussians_non_finite", kSplats, splatValue(0, kNan)},
      {"gaussians.quaternion", "gaussians_quaternion", kSplats, splatValue(9, 1.01f)},
      {"gaussians.empty", "gaussians_empty", kSplats,
       splats([](GaussianCloud& cloud) { cloud.resize(0); })},
      {"gaussians.count", "gaussians_count", kSplats,
       splats([](GaussianCloud& cloud) { cloud.resize(99); })},
      {"sky.invalid", "sky_invalid", kSky, withSky("no picture")},
      {"sky.shape", "sky_shape", kSky, withSky(encodePng(grey(8, 8, 3)))},
  };
}

std::vector<BrokenBundle> makeHeightmapRules() {
  return {
      {"heightmap.dimensions", "heightmap_dimensions", kHeightsMeta,
       replace(kHeightsMeta, "width: 128", "width: 0")},
      {"heightmap.resolution", "heightmap_resolution", kHeightsMeta,
       replace(kHeightsMeta, "resolution: 1.0", "resolution: -1.0")},
      {"heightmap.origin", "heightmap_origin", kHeightsMeta,
       replace(kHeightsMeta, "x: -14.0", "x: .nan")},
      {"heightmap.origin_z", "heightmap_origin_z", kHeightsMeta,
       replace(kHeightsMeta, "z: 0.0", "z: 40.0")},
      {"heightmap.size", "heightmap_size", kHeights,
       [](const fs::path& dir) { edit::truncateBy(dir / kHeights, 4); }},
      {"heightmap.infinite", "heightmap_infinite", kHeights,
       [](const fs::path& dir) { edit::setFloat(dir / kHeights, 0, 7, kInfinity); }},
      {"heightmap.no_ground", "heightmap_no_ground", kHeights,
       [](const fs::path& dir) {
         std::string bytes;
         for (int i = 0; i < 128 * 128; ++i) appendBytes(bytes, kNan);
         edit::writeText(dir / kHeights, bytes);
       }},
      {"heightmap.range", "heightmap_range", kHeights,
       [](const fs::path& dir) { edit::setFloat(dir / kHeights, 0, 7, 9.0f); }},
      {"heightmap.large", "heightmap_large", kHeightsMeta,
       [](const fs::path& dir) {
         edit::replaceText(dir / kHeightsMeta, "width: 128", "width: 4097");
         edit::replaceText(dir / kHeightsMeta, "height: 128", "height: 4096");
         edit::extendTo(dir / kHeights, uint64_t{4} * 4097 * 4096);
       }},
  };
}

std::vector<BrokenBundle> makeDrivableRules() {
  return {
      {"drivable.collection", "drivable_collection", kDrivable,
       replace(kDrivable, "FeatureCollection", "Collection")},
      {"drivable.geometry", "drivable_geometry", kDrivable,
       replace(kDrivable, "\"Polygon\"", "\"LineString\"")},
      {"drivable.ring", "drivable_ring", kDrivable,
       drivable([](DrivableFeature& feature) { feature.polygons[0].outer.pop_back(); })},
      {"drivable.type", "drivable_type", kDrivable,
       replace(kDrivable, "\"drivable\"", "\"sidewalk\"")},
      {"drivable.priority", "drivable_priority", kDrivable,
       replace(kDrivable, "\"priority\": 0", "\"priority\": \"high\"")},
      {"drivable.speed_limit", "drivable_speed_limit", kDrivable,
       replace(kDrivable, "\"priority\": 0", "\"priority\": 0, \"speed_limit\": -5")},
      {"drivable.orientation", "drivable_orientation", kDrivable,
       drivable([](DrivableFeature& feature) {
         feature.polygons[0].outer = {{0, -5}, {0, 5}, {100, 5}, {100, -5}, {0, -5}};
       })},
      {"drivable.invalid", "drivable_invalid", kDrivable, drivable([](DrivableFeature& feature) {
         feature.polygons[0].outer = {{0, -5}, {100, 5}, {100, -5}, {0, 5}, {0, -5}};
       })},
      {"drivable.crs", "drivable_crs", kDrivable, replace(kDrivable, "map_frame", "EPSG:4326")},
      {"drivable.empty", "drivable_empty", kDrivable,
       [](const fs::path& dir) { edit::writeText(dir / kDrivable, writeDrivable({})); }},
      {"drivable.off_map", "drivable_off_map", kDrivable,
       drivable([](DrivableFeature& feature) { feature.polygons[0].outer[1][0] = 200; })},
      {"mesh.invalid", "mesh_invalid", kMesh,
       withMesh([](const fs::path& file) { edit::writeText(file, "glTF but not really"); })},
      {"mesh.empty", "mesh_empty", kMesh,
       withMesh([](const fs::path& file) { edit::writeText(file, encodeGlb({})); })},
      {"mesh.large", "mesh_large", kMesh, withMesh(writeHugeMesh)},
  };
}

// The minimal world, its LiDAR with a table of rays.
constexpr const char* kTurns = "vertical_angles_deg: []";
constexpr const char* kTable = "pattern: \"sensors/rays_top.csv\"";
Damage withRays(const std::string& table) {
  return [=](const fs::path& dir) {
    edit::replaceText(dir / kCalibration, kTurns, kTable);
    edit::writeText(dir / kRays, table);
  };
}

void withManyRays(const fs::path& dir) {
  withRays(writeLidarRays({std::vector<LidarRayTable::Row>(200'001)}))(dir);
}

std::vector<BrokenBundle> makeSensorRules() {
  const auto calibration = [](const char* from, const char* to) {
    return replace(kCalibration, from, to);
  };
  const std::string header = "azimuth_deg,elevation_deg,time_sec,ring\n";
  return {
      {"calibration.sensors", "calibration_sensors", kCalibration,
       both(text(kCalibration, "version: \"1.0.0\"\ncameras: {}\nlidars: {}\n"),
            both(replace(kMetadata, "\"front\"", ""), replace(kMetadata, "\"top\"", "")))},
      {"calibration.id", "calibration_id", kCalibration, calibration("front:", "\"front view\":")},
      {"calibration.id_style", "calibration_id_style", kCalibration,
       both(calibration("front:", "cam_0:"), replace(kMetadata, "\"front\"", "\"cam_0\""))},
      {"calibration.frame_id", "calibration_frame_id", kCalibration,
       calibration("frame_id: \"lidar_top\"", "frame_id: \"camera_front\"")},
      {"calibration.image_size", "calibration_image_size", kCalibration,
       calibration("image_width: 640", "image_width: 640000")},
      {"calibration.focal_length", "calibration_focal_length", kCalibration,
       calibration("fx: 500.0", "fx: -500.0")},
      {"calibration.principal_point", "calibration_principal_point", kCalibration,
       calibration("cx: 320.0", "cx: 3200.0")},
      {"calibration.distortion", "calibration_distortion", kCalibration,
       calibration("model: \"pinhole\"", "model: \"fisheye\"")},
      {"calibration.rate", "calibration_rate", kCalibration,
       calibration("rate_hz: 12.0", "rate_hz: 0")},
      {"calibration.rate_step", "calibration_rate_step", kTimebase,
       calibration("rate_hz: 12.0", "rate_hz: 120.0")},
      {"calibration.translation", "calibration_translation", kCalibration,
       calibration("translation: [2.0,", "translation: [.inf,")},
      {"calibration.quaternion", "calibration_quaternion", kCalibration,
       calibration("rotation_quat: [-0.5,", "rotation_quat: [-0.6,")},
      {"calibration.lidar_channels", "calibration_lidar_channels", kCalibration,
       calibration("channels: 32", "channels: 0")},
      {"calibration.lidar_channels", "calibration_lidar_angles", kCalibration,
       calibration("vertical_angles_deg: []", "vertical_angles_deg: [1, 2, 3]")},
      {"calibration.lidar_channels", "calibration_lidar_offsets", kCalibration,
       calibration("vertical_angles_deg: []", "vertical_offsets: [0.2, 0.1]")},
      {"calibration.lidar_intensity", "calibration_lidar_intensity", kCalibration,
       calibration("vertical_angles_deg: []", "intensity_max: 0")},
      {"calibration.lidar_resolution", "calibration_lidar_resolution", kCalibration,
       calibration("horizontal_resolution: 0.4", "horizontal_resolution: 0")},
      {"calibration.lidar_fov", "calibration_lidar_fov", kCalibration,
       calibration("vertical_fov: [-15.0, 15.0]", "vertical_fov: [15.0, -15.0]")},
      {"calibration.lidar_range", "calibration_lidar_range", kCalibration,
       calibration("min_range: 0.5", "min_range: 500")},
      {"calibration.lidar_points", "calibration_lidar_points", kCalibration,
       calibration("horizontal_resolution: 0.4", "horizontal_resolution: 0.05")},
      {"lidar_rays.format", "lidar_rays_header", kRays, withRays("azimuth,elevation,time,ring\n")},
      {"lidar_rays.format", "lidar_rays_columns", kRays, withRays(header + "1,2,0\n")},
      {"lidar_rays.range", "lidar_rays_range", kRays, withRays(header + "1,95,0,0\n")},
      {"lidar_rays.time", "lidar_rays_order", kRays, withRays(header + "0,0,0.01,0\n0,1,0,0\n")},
      {"lidar_rays.time", "lidar_rays_beyond_sweep", kRays, withRays(header + "0,0,3.5,0\n")},
      {"lidar_rays.count", "lidar_rays_none", kRays, withRays(header)},
      {"calibration.lidar_points", "lidar_rays_many", kRays, withManyRays},
      {"file.missing", "lidar_rays_missing", kRays, calibration(kTurns, kTable)},
      {"path.inside", "lidar_rays_outside", "../rays.csv",
       calibration(kTurns, "pattern: \"../rays.csv\"")},
      {"tf_static.missing", "tf_static_missing", kTf,
       replace(kTf, "\"child_frame_id\": \"lidar_top\"", "\"child_frame_id\": \"lidar_rear\"")},
      {"tf_static.missing", "tf_static_other_parent", kTf,
       replace(kTf, "\"frame_id\": \"base_link\"", "\"frame_id\": \"map\"")},
      {"tf_static.differs", "tf_static_differs", kTf, replace(kTf, "\"x\": 2.0", "\"x\": 2.00001")},
      {"tf_static.duplicate", "tf_static_duplicate", kTf,
       replace(kTf, "\"child_frame_id\": \"lidar_top\"", "\"child_frame_id\": \"camera_front\"")},
      {"tf_static.quaternion", "tf_static_quaternion", kTf,
       replace(kTf, "\"w\": 1.0", "\"w\": 0.9")},
      {"document.syntax", "tf_static_infinite", kTf, replace(kTf, "\"x\": 2.0", "\"x\": 1e999")},
  };
}

// The minimal world with one more section in its calibration; `spec` is YAML in one line.
Damage withSection(const char* section, const char* frame, const char* spec) {
  return [=](const fs::path& dir) {
    edit::appendText(dir / kCalibration, std::string(section) + ":\n  main: {frame_id: " + frame +
                                             ", extrinsics: {translation: [0, 0, 1], "
                                             "rotation_quat: [0, 0, 0, 1]}, spec: {" +
                                             spec + "}}\n");
    edit::replaceText(dir / kTf, "\"transforms\": [",
                      std::string("\"transforms\": [{\"header\": {\"frame_id\": \"base_link\"}, ") +
                          "\"child_frame_id\": \"" + frame +
                          "\", \"transform\": {\"translation\": {\"x\": 0, \"y\": 0, \"z\": 1}, "
                          "\"rotation\": {\"x\": 0, \"y\": 0, \"z\": 0, \"w\": 1}}},");
    edit::replaceText(dir / kMetadata, "\"convention\"",
                      "\"origin_lat\": 35.6, \"origin_lon\": 139.7, \"origin_alt\": 40, "
                      "\"convention\"");
  };
}

Damage withWheels(const char* spec) {
  return [=](const fs::path& dir) {
    edit::appendText(
        dir / kCalibration,
        std::string("wheel_odometry:\n  main: {frame_id: wheel_odom, spec: {") + spec + "}}\n");
  };
}

std::vector<BrokenBundle> makeMotionSensorRules() {
  const auto imu = [](const char* spec) { return withSection("imus", "imu_main", spec); };
  const auto gnss = [](const char* spec) { return withSection("gnss", "gnss_main", spec); };
  return {
      {"calibration.imu_noise", "imu_noise", kCalibration, imu("gyro_noise_density: -0.1")},
      {"calibration.imu_noise", "imu_noise_nan", kCalibration, imu("accel_random_walk: .nan")},
      {"calibration.imu_bias", "imu_bias", kCalibration, imu("accel_bias: [0, .inf, 0]")},
      {"document.wrong_type", "imu_bias_short", kCalibration, imu("gyro_bias: [0, 0]")},
      {"calibration.frame_id", "imu_frame_of_lidar", kCalibration,
       both(imu(""), replace(kCalibration, "imu_main", "lidar_top"))},
      {"tf_static.differs", "imu_mount_differs", kTf,
       both(imu(""), replace(kTf, "\"z\": 1}", "\"z\": 1.1}"))},
      {"tf_static.missing", "gnss_mount_missing", kTf,
       both(gnss(""), replace(kTf, "gnss_main", "gnss_other"))},
      {"calibration.gnss_noise", "gnss_noise", kCalibration, gnss("horizontal_std: -1")},
      {"calibration.gnss_outage", "gnss_outage", kCalibration,
       gnss("outages: [{x_min: 5, y_min: 0, x_max: 4, y_max: 9}]")},
      {"calibration.gnss_origin", "gnss_origin", kCalibration,
       both(gnss(""),
            replace(kMetadata, "\"origin_lat\": 35.6, \"origin_lon\": 139.7, \"origin_alt\": 40, ",
                    ""))},
      {"metadata.origin_set", "origin_yaw_alone", kMetadata,
       replace(kMetadata, "\"convention\"", "\"origin_yaw\": 0.1, \"convention\"")},
      {"metadata.origin_range", "origin_yaw_in_degrees", kMetadata,
       both(gnss(""), replace(kMetadata, "\"convention\"", "\"origin_yaw\": 90, \"convention\""))},
      {"calibration.wheel_odometry_drift", "wheel_odometry_drift", kCalibration,
       withWheels("speed_scale: 0")},
      {"calibration.wheel_odometry_noise", "wheel_odometry_noise", kCalibration,
       withWheels("yaw_rate_noise_std: .nan")},
  };
}

std::vector<BrokenBundle> makeTimebaseRules() {
  return {
      {"timebase.dt", "timebase_dt", kTimebase, replace(kTimebase, "dt: 0.01", "dt: 0")},
      {"timebase.start_time", "timebase_start_time", kTimebase,
       replace(kTimebase, "start_time: 0.0", "start_time: -1.0")},
      {"timebase.rates", "timebase_rates", kTimebase,
       replace(kTimebase, "camera: 12.0", "camera: -12.0")},
      {"timebase.rates_differ", "timebase_rates_differ", kTimebase,
       replace(kTimebase, "camera: 12.0", "camera: 30.0")},
      {"timebase.pose", "timebase_pose", kTimebase,
       replace(kTimebase, "position: [10.0,", "position: [.nan,")},
      {"timebase.quaternion", "timebase_quaternion", kTimebase,
       replace(kTimebase, "orientation: [0.0, 0.0, 0.0, 1.0]", "orientation: [0, 0, 0, 0]")},
      {"timebase.base_link", "timebase_base_link", kTimebase,
       replace(kTimebase,
               "initial_pose:", "base_link_above_ground: {height: 40.0}\ninitial_pose:")},
      {"timebase.base_link", "timebase_base_link_nan", kTimebase,
       replace(kTimebase, "initial_pose:",
               "base_link_above_ground: {height: 1.0, roll: .nan}\ninitial_pose:")},
      {"start.off_map", "start_off_map", kTimebase,
       replace(kTimebase, "position: [10.0,", "position: [1000.0,")},
      {"start.offroad", "start_offroad", kTimebase,
       replace(kTimebase, "position: [10.0, 0.0,", "position: [10.0, 20.0,")},
  };
}

}  // namespace

std::span<const BrokenBundle> brokenBundles() {
  static const std::vector<BrokenBundle> all = [] {
    std::vector<BrokenBundle> list;
    for (auto* make :
         {makeFileRules, makeMetadataRules, makeGaussianRules, makeHeightmapRules,
          makeDrivableRules, makeSensorRules, makeMotionSensorRules, makeTimebaseRules})
      for (BrokenBundle& broken : make()) list.push_back(std::move(broken));
    return list;
  }();
  return all;
}

void writeBrokenBundle(const BrokenBundle& broken, const fs::path& directory) {
  writeBundle(directory, makeMinimalBundle());
  broken.break_it(directory);
}

}  // namespace gs
