// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gs/bundle/world_bundle.hpp"
#include "gs/core/image.hpp"
#include "gs/render/image_metrics.hpp"
#include "gs_builder/ego_motion.hpp"
#include "gs_builder/recorded_drive.hpp"

// How good a world is, measured on frames that its training never saw.
namespace gs_builder {

// What only a made drive knows of itself. Functions may be empty: then that part is not measured.
struct DriveTruth {
  struct View {
    gs::Image8 rgb;
    gs::ImageF depth;  // m along the camera's z axis, 0 is sky
  };
  // 255 where a moving thing is seen in a recorded frame; empty image: nowhere.
  std::function<gs::Image8(const std::string& camera_frame, gs::Stamp stamp)> moving_pixels;
  // What a camera would see from a pose if nothing moved.
  std::function<View(const gs::CameraCalibration& camera, const gs::Rigid3& map_from_camera,
                     gs::Stamp stamp)>
      static_view;
  std::function<bool(double x, double y)> is_road;
  // Where moving things passed or stood, above the ground: nothing of the world is there.
  std::function<bool(const gs::Vec3& p_in_map)> is_movers_way;
};

// What the simulator shows, and where its base_link is, with the ego put where a recorded one was.
struct SimulatedView {
  gs::Image8 rgb;
  gs::Rigid3 map_from_base;
};

// One held-out image.
struct FrameEvaluation {
  std::string camera;  // id
  int64_t frame_index = 0;
  gs::Stamp stamp;
  gs::MaskedSimilarity whole;
  std::optional<gs::MaskedSimilarity> fixed;  // without what moves, where that is known
  // The same pixels in the image of the closed loop, where that is measured.
  std::optional<gs::MaskedSimilarity> simulated;
  double render_seconds = 0;  // of the image with its depth, on this machine

  // What tells most: a car that drove by is no fault of the world.
  const gs::MaskedSimilarity& telling() const {
    return fixed && fixed->pixels > 0 ? *fixed : whole;
  }
};

struct EvaluationOptions {
  int every = 8;                    // as in training.held_out_every
  size_t max_frames = 0;            // evenly chosen of the held-out ones; 0: all
  std::filesystem::path workspace;  // of the build, for moving_points and ego masks; may be empty
  std::vector<double> beside = {1, 2, 3};  // m from the path; only with truth
  // The simulator, which this room does not know. Empty: the closed loop is not measured.
  std::function<SimulatedView(const std::string& camera_id,
                              const gs::Rigid3& recorded_map_from_base, const EgoMotion& motion)>
      simulate;
  // Gets "front_000012" and recorded | rendered | difference side by side.
  std::function<void(const std::string& name, const gs::Image8& picture)> save_image;
  // Gets every measured frame, with what was recorded and rendered.
  std::function<void(const FrameEvaluation& frame, const gs::Image8& recorded,
                     const gs::Image8& rendered)>
      show_frame;
  std::function<void(double)> progress;
};

// Means over images of PSNR and SSIM.
struct ImageQuality {
  size_t images = 0;
  double psnr_db = 0, ssim = 0;
};

// Rendered depth against LiDAR points of the scans nearest to held-out images.
struct DepthQuality {
  size_t points = 0;
  double median = 0;         // m, of the absolute error
  double within_30_cm = 0;   // share of the points
  double without_depth = 0;  // share of the points where nothing is rendered (counted as wrong)
};

// The images of the closed loop on the recorded path, and how its base_link differs from the
// recorded one: medians.
struct ClosedLoopQuality {
  ImageQuality images;
  double recorded_psnr_db = 0;  // of the same pixels at the recorded poses
  double height = 0;            // m
  double tilt_deg = 0;

  double dropDb() const { return recorded_psnr_db - images.psnr_db; }
};

struct ViewEvaluation {
  ImageQuality whole;                 // all pixels but those of the ego's own body
  std::optional<ImageQuality> fixed;  // of these, the ones that show nothing that moves
  DepthQuality depth;
  std::map<double, ImageQuality> beside;  // by metres from the path
  std::optional<ClosedLoopQuality> closed_loop;
};

struct Evaluation {
  std::map<std::string, ViewEvaluation> cameras;  // by id
  ViewEvaluation overall;
  std::vector<FrameEvaluation> frames;  // by camera, then time
  size_t held_out = 0, measured = 0;    // images
  std::string static_pixels;            // how they are known: "truth", "moving LiDAR points", ""
  bool has_ego_masks = false;
  size_t gaussians = 0;
  std::optional<double> in_movers_way;  // share of the Gaussians, where the truth tells
  std::vector<std::string> warnings;
};

// Renders every chosen held-out frame of the drive in the world and compares. One image at a time
// is in memory. Throws INSUFFICIENT_DATA when there is no frame to measure on.
Evaluation evaluateWorld(const gs::WorldBundle& world, const RecordedDrive& drive,
                         const PipelineConfig::Ingest& ingest, const EvaluationOptions& options,
                         const DriveTruth& truth = {});

// What build_report.json says of it: final_psnr, of static pixels where they are known, and
// final_psnr_whole_image.
nlohmann::ordered_json statisticsOf(const Evaluation& evaluation);
std::string toText(const Evaluation& evaluation);
nlohmann::ordered_json toJson(const Evaluation& evaluation);

}  // namespace gs_builder
