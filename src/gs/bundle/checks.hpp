// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gs/bundle/findings.hpp"
#include "gs/bundle/gaussian_ply.hpp"
#include "gs/bundle/heightmap_file.hpp"
#include "gs/bundle/world_bundle.hpp"

// The rules as functions of values: no files, no order, nothing thrown. load_bundle.cpp calls them
// with what it read. Each reports under the ids of rules.cpp.
namespace gs {

// `version` of any file; `path` is its key.
void checkVersion(const std::string& version, FileReporter& reporter);

void checkIndex(const WorldIndex& index, FileReporter& reporter);
void checkMetadata(const Metadata& metadata, FileReporter& reporter);
void checkRenderConfig(const RenderConfig& config, FileReporter& reporter);
void checkGaussians(const GaussianPlyInfo& info, const GaussianCloud& cloud,
                    FileReporter& reporter);
void checkSky(const Image8& sky, FileReporter& reporter);
void checkHeightmapMeta(const HeightmapMeta& meta, FileReporter& reporter);
void checkHeightmap(const Heightmap& map, const HeightmapMeta& meta, FileReporter& reporter);
void checkMesh(const TriangleMesh& mesh, FileReporter& reporter);
void checkCalibration(const Calibration& calibration, FileReporter& reporter);
void checkLidarRays(const LidarRayTable& table, double rate_hz, FileReporter& reporter);
void checkStaticTransforms(const StaticTransforms& transforms, FileReporter& reporter);
void checkTimebase(const Timebase& timebase, FileReporter& reporter);

// Files against each other.
void checkScene(const WorldIndex& index, const Metadata& metadata, FileReporter& reporter);
void checkSensorLists(const Metadata& metadata, const Calibration& calibration,
                      FileReporter& reporter);
void checkGnssOrigin(const Calibration& calibration, const Metadata::CoordinateSystem& system,
                     FileReporter& reporter);
void checkTransformsMatch(const Calibration& calibration, const std::string& base_link_frame,
                          const StaticTransforms& transforms, FileReporter& reporter);
void checkRates(const Timebase& timebase, const Calibration& calibration, FileReporter& reporter);
void checkStart(const Timebase& timebase, const Heightmap& map, const DrivableArea& area,
                FileReporter& reporter);
void checkDrivableOnMap(const DrivableArea& area, const Heightmap& map, FileReporter& reporter);

}  // namespace gs
