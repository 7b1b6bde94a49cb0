// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gs/core/image.hpp"
#include "gs_builder/ego_trajectory.hpp"
#include "gs_builder/pipeline_config.hpp"
#include "gs_builder/pose_agreement.hpp"
#include "gs_builder/timeline.hpp"

namespace gs_builder {

// A drive as its log has it, without unpacking: which frames there are and where the vehicle was,
// read once; images and scans when they are asked for. The same choice of frames, the same numbers
// and the same poses as mcap_ingest makes, as long as every frame can be decoded: what it leaves
// out because it is damaged has a number here. The quality gates of the configuration do not count.
class RecordedDrive {
 public:
  // Throws MCAP_READ_ERROR, or what the doctor found fatal.
  RecordedDrive(const std::filesystem::path& log, PipelineConfig config,
                const std::function<void(double)>& progress = {});
  ~RecordedDrive();

  const Timeline& timeline() const;
  const EgoTrajectory& trajectory() const;
  const PoseFit& poseFit() const;  // of the trajectory to the LiDAR
  // Three channels. Throws INPUT_INVALID when the message cannot be decoded.
  gs::Image8 loadImage(const std::string& camera, size_t frame_index) const;
  // In base_link at the stamp of the scan, motion-compensated.
  std::vector<std::array<float, 3>> loadScan(const std::string& lidar, size_t frame_index) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Grey and RGBA images as RGB.
gs::Image8 toRgb(gs::Image8 image);

}  // namespace gs_builder
