// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gs_builder/evaluation.hpp"

// An evaluation as text and as JSON.
namespace gs_builder {
namespace {

nlohmann::ordered_json toJson(const ImageQuality& quality) {
  return {{"images", quality.images}, {"psnr_db", quality.psnr_db}, {"ssim", quality.ssim}};
}

nlohmann::ordered_json toJson(const ViewEvaluation& view) {
  nlohmann::ordered_json json;
  json["whole_image"] = toJson(view.whole);
  json["static_pixels"] = view.fixed ? toJson(*view.fixed) : nlohmann::ordered_json();
  json["depth"] = nullptr;
  if (view.depth.points > 0) {
    // JSON has no infinity: more than half of the points without any depth.
    const bool has_median = std::isfinite(view.depth.median);
    json["depth"] = {{"points", view.depth.points},
                     {"median_m", has_median ? nlohmann::ordered_json(view.depth.median)
                                             : nlohmann::ordered_json()},
                     {"within_30_cm", view.depth.within_30_cm},
                     {"without_depth", view.depth.without_depth}};
  }
  json["closed_loop"] = nullptr;
  if (const auto& loop = view.closed_loop) {
    json["closed_loop"] = toJson(loop->images);
    json["closed_loop"]["recorded_poses_psnr_db"] = loop->recorded_psnr_db;
    json["closed_loop"]["median_height_error_m"] = loop->height;
    json["closed_loop"]["median_tilt_error_deg"] = loop->tilt_deg;
  }
  json["beside_path"] = nlohmann::ordered_json::object();
  for (const auto& [metres, quality] : view.beside)
    json["beside_path"][fmt::format("{:g}", metres)] = toJson(quality);
  return json;
}

std::string rowOf(const std::string& name, const ViewEvaluation& view) {
  std::string row = fmt::format("{:<12} {:>6}  {:6.2f}  {:6.4f}", name, view.whole.images,
                                view.whole.psnr_db, view.whole.ssim);
  row += view.fixed ? fmt::format("  {:6.2f}  {:6.4f}", view.fixed->psnr_db, view.fixed->ssim)
                    : "       -       -";
  row += view.depth.points > 0
             ? fmt::format("  {:7.3f}  {:5.1f} %", view.depth.median, 100 * view.depth.within_30_cm)
             : "        -        -";
  row += view.closed_loop ? fmt::format("  {:6.2f}  {:6.2f}", view.closed_loop->images.psnr_db,
                                        -view.closed_loop->dropDb())
                          : "       -       -";
  for (const auto& [metres, quality] : view.beside)
    row += fmt::format("  {:5.2f} ({})", quality.psnr_db, quality.images);
  return row + "\n";
}

}  // namespace

nlohmann::ordered_json statisticsOf(const Evaluation& evaluation) {
  const ViewEvaluation& all = evaluation.overall;
  return {{"final_psnr", all.fixed.value_or(all.whole).psnr_db},
          {"final_psnr_whole_image", all.whole.psnr_db},
          {"final_psnr_images", evaluation.measured}};
}

std::string toText(const Evaluation& evaluation) {
  std::string text = fmt::format("{} of {} held-out images, {} Gaussians\n", evaluation.measured,
                                 evaluation.held_out, evaluation.gaussians);
  text +=
      "                    whole image      static pixels     depth to LiDAR     closed loop   "
      "PSNR beside the path\n"
      "camera       images    PSNR    SSIM    PSNR    SSIM   median  < 30 cm    PSNR    diff.";
  for (const auto& [metres, quality] : evaluation.overall.beside)
    text += fmt::format("  {:>4g} m (n)", metres);
  text += "\n";
  for (const auto& [id, view] : evaluation.cameras) text += rowOf(id, view);
  if (evaluation.cameras.size() > 1) text += rowOf("all", evaluation.overall);
  if (evaluation.static_pixels.empty())
    text += "static pixels: unknown (give --workspace of the build, or a log with its truth)\n";
  else text += "static pixels: from " + evaluation.static_pixels + "\n";
  if (const auto& loop = evaluation.overall.closed_loop)
    text += fmt::format(
        "closed loop: images of the simulator with the ego at the recorded x, y and heading; its "
        "base_link is {:.3f} m and {:.2f} deg off (medians)\n",
        loop->height, loop->tilt_deg);
  if (evaluation.in_movers_way)
    text += fmt::format("splats where only moving things were: {:.2f} %\n",
                        100 * *evaluation.in_movers_way);
  if (evaluation.has_ego_masks) text += "pixels of the ego's own body are left out\n";
  for (const std::string& warning : evaluation.warnings) text += "warning: " + warning + "\n";
  return text;
}

nlohmann::ordered_json toJson(const Evaluation& evaluation) {
  nlohmann::ordered_json json;
  json["version"] = "1.0.0";
  json["gaussian_count"] = evaluation.gaussians;
  json["held_out_images"] = evaluation.held_out;
  json["measured_images"] = evaluation.measured;
  json["static_pixels_from"] = evaluation.static_pixels.empty()
                                   ? nlohmann::ordered_json()
                                   : nlohmann::ordered_json(evaluation.static_pixels);
  json["share_in_movers_way"] = evaluation.in_movers_way
                                    ? nlohmann::ordered_json(*evaluation.in_movers_way)
                                    : nlohmann::ordered_json();
  json["ego_masks"] = evaluation.has_ego_masks;
  json["overall"] = toJson(evaluation.overall);
  json["cameras"] = nlohmann::ordered_json::object();
  for (const auto& [id, view] : evaluation.cameras) json["cameras"][id] = toJson(view);
  json["warnings"] = evaluation.warnings;
  return json;
}

}  // namespace gs_builder
