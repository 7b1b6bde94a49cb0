// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <nlohmann/json.hpp>

#include "gs_builder/report/report_data.hpp"
#include "gs_builder/report/verdict.hpp"

// The numbers of a report, for programs.
namespace gs_builder {
namespace {

nlohmann::ordered_json orNull(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

nlohmann::ordered_json toJson(const RangeAgreement& agreement) {
  return {{"recorded", agreement.recorded},
          {"returned", agreement.returned},
          {"coverage", agreement.coverage()},
          {"median_m", orNull(agreement.median)},
          {"percentile_90_m", orNull(agreement.percentile_90)},
          {"within_10_cm", agreement.within_10_cm},
          {"within_30_cm", agreement.within_30_cm}};
}

}  // namespace

nlohmann::ordered_json toJson(const TwinReport& report) {
  nlohmann::ordered_json json;
  json["version"] = "1.0.0";
  json["scene_id"] = report.scene_id;
  const Verdict verdict = judge(report);
  json["verdict"] = {{"grade", wordOf(verdict.grade)}, {"headline", verdict.headline}};
  json["evaluation"] = toJson(report.evaluation);
  auto& frames = json["frames"] = nlohmann::ordered_json::array();
  for (size_t i = 0; i < report.evaluation.frames.size() && i < report.places.size(); ++i) {
    const FrameEvaluation& frame = report.evaluation.frames[i];
    frames.push_back({{"camera", frame.camera},
                      {"frame_index", frame.frame_index},
                      {"time_s", report.places[i].time},
                      {"distance_m", report.places[i].distance},
                      {"psnr_db", frame.telling().psnr_db},
                      {"ssim", frame.telling().ssim}});
  }
  auto& lidars = json["lidars"] = nlohmann::ordered_json::object();
  for (const auto& [id, lidar] : report.lidars)
    lidars[id] = {
        {"scans", lidar.comparison.scans},           {"all", toJson(lidar.comparison.all)},
        {"ground", toJson(lidar.comparison.ground)}, {"other", toJson(lidar.comparison.other)},
        {"simulated", lidar.comparison.simulated},   {"confirmed", lidar.comparison.confirmed},
        {"moving_left_out", lidar.comparison.moving}};
  json["drive"] = {{"length_m", report.drive.length},
                   {"duration_s", report.drive.duration},
                   {"mean_speed", report.drive.mean_speed},
                   {"highest_speed", report.drive.highest_speed}};
  if (report.poses.pairs > 0)
    json["poses"] = {{"source", report.poses.source}, {"wander_m", report.poses.wander}};
  return json;
}

}  // namespace gs_builder
