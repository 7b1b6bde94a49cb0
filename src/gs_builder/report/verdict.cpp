// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/report/verdict.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "gs_builder/pose_review.hpp"

namespace gs_builder {
namespace {

Grade gradeOf(bool is_good, bool is_fair) {
  return is_good ? Grade::Good : is_fair ? Grade::Fair : Grade::Weak;
}

const ImageQuality& tellingQuality(const ViewEvaluation& view) {
  return view.fixed ? *view.fixed : view.whole;
}

Finding judgeImages(const TwinReport& report, const VerdictLimits& limits) {
  const ViewEvaluation& view = report.evaluation.overall;
  const ImageQuality& quality = tellingQuality(view);
  const Grade grade =
      gradeOf(quality.psnr_db >= limits.good_psnr_db, quality.psnr_db >= limits.fair_psnr_db);
  const char* words =
      grade == Grade::Good   ? "Close to the recording: lanes, signs and kerbs can be "
                               "recognised where the vehicle drove."
      : grade == Grade::Fair ? "Recognisable but soft: large shapes are right, fine detail is lost."
                             : "Far from the recording: do not judge perception by these images.";
  return {grade, "Images on the path", "its images",
          fmt::format("{:.1f} dB PSNR, {:.2f} SSIM", quality.psnr_db, quality.ssim),
          std::string(words) + (view.fixed ? ""
                                           : " Moving things count as errors here, because it "
                                             "is not known where they are.")};
}

Finding judgeDepth(const TwinReport& report, const VerdictLimits& limits) {
  const DepthQuality& depth = report.evaluation.overall.depth;
  Finding finding{.what = "Shape behind the images", .its = "its shapes"};
  if (depth.points == 0) {
    finding.number = "not measured";
    finding.words = "No LiDAR point could be compared with the rendered depth.";
    return finding;
  }
  finding.grade = gradeOf(depth.median <= limits.good_depth, depth.median <= limits.fair_depth);
  finding.number = std::isfinite(depth.median)
                       ? fmt::format("{:.2f} m median error of depth", depth.median)
                       : "no depth for most points";
  finding.words = fmt::format("{:.0f} % of the LiDAR points lie within 30 cm of what is rendered.",
                              100 * depth.within_30_cm);
  return finding;
}

// All LiDARs as one: a world that is wrong for one of them is wrong. Ground and the rest are judged
// apart, because most returns are ground, and a world without walls would pass for them.
Finding judgeLidar(const TwinReport& report, const VerdictLimits& limits, Finding finding,
                   RangeAgreement LidarComparison::*part) {
  double share = 1, median = 0;
  size_t recorded = 0;
  for (const auto& [id, lidar] : report.lidars) {
    const RangeAgreement& agreement = lidar.comparison.*part;
    if (agreement.recorded == 0) continue;
    recorded += agreement.recorded;
    share = std::min(share, agreement.within_30_cm);
    median = std::isnan(agreement.median) ? INFINITY : std::max(median, agreement.median);
  }
  if (recorded == 0) {
    finding.number = "not measured";
    finding.words = "No recorded sweep could be compared.";
    return finding;
  }
  finding.grade = gradeOf(share >= limits.good_returns, share >= limits.fair_returns);
  finding.number = fmt::format("{:.0f} % of returns within 30 cm", 100 * share);
  if (std::isfinite(median)) finding.number += fmt::format(", {:.2f} m median error", median);
  return finding;
}

Finding judgeLidarGround(const TwinReport& report, const VerdictLimits& limits) {
  return judgeLidar(report, limits,
                    {.what = "Simulated LiDAR on the ground",
                     .its = "its LiDAR ground",
                     .words = "The ground as rays meet it."},
                    &LidarComparison::ground);
}

Finding judgeLidarRest(const TwinReport& report, const VerdictLimits& limits) {
  const char* words =
      report.has_mesh
          ? "Walls, cars and poles as rays meet them in the surface mesh."
          : "Rays meet the ground only: this world has no surface mesh, so walls, cars and poles "
            "are not seen (build with static_mesh.enable).";
  return judgeLidar(
      report, limits,
      {.what = "Simulated LiDAR off the ground", .its = "its LiDAR off the ground", .words = words},
      &LidarComparison::other);
}

Finding judgeBeside(const TwinReport& report, const VerdictLimits& limits) {
  Finding finding{.what = "Beside the path", .its = "its views beside the path"};
  const ViewEvaluation& view = report.evaluation.overall;
  if (view.beside.empty()) {
    finding.number = "unknown";
    finding.words =
        "A real log shows the street from its own path only, so nothing tells how images look from "
        "elsewhere. Stay close to the path, or look yourself before you trust it.";
    return finding;
  }
  const double on_path = tellingQuality(view).psnr_db;
  double usable = 0, farthest = 0;
  bool is_unbroken = true;
  for (const auto& [metres, quality] : view.beside) {
    is_unbroken = is_unbroken && quality.psnr_db >= limits.usable_psnr_db &&
                  quality.psnr_db >= on_path - limits.usable_drop_db;
    if (is_unbroken) usable = metres;
    farthest = metres;
    finding.number += fmt::format("{}{:.1f}", finding.number.empty() ? "" : " / ", quality.psnr_db);
  }
  finding.number += " dB at ";
  bool is_first = true;
  for (const auto& [metres, quality] : view.beside) {
    finding.number += fmt::format("{}{:g}", is_first ? "" : " / ", metres);
    is_first = false;
  }
  finding.number += " m";
  finding.grade = gradeOf(usable >= farthest, usable > 0);
  finding.words =
      usable > 0 ? fmt::format(
                       "Against the true images of this made drive, the world holds up to "
                       "{:g} m beside the path{}.",
                       usable, usable >= farthest ? ", the farthest that was measured" : "")
                 : "Against the true images of this made drive, the world falls apart as soon as "
                   "the vehicle leaves its path.";
  return finding;
}

// Only when they are not good: then they are the cause of what else is weak.
std::optional<Finding> judgePoses(const TwinReport& report) {
  const PoseFit& poses = report.poses;
  if (poses.pairs == 0 || isGood(poses, report.drive.length)) return std::nullopt;
  const double limit =
      wanderLimit(PipelineConfig::Quality{}.max_pose_wander_m, report.drive.length);
  return Finding{gradeOf(false, poses.wander <= limit), "Ego poses", "its poses",
                 fmt::format("{:.2f} m of wander over {:.0f} m", poses.wander, report.drive.length),
                 fmt::format("LiDAR scans that {} places drift apart. Walls and kerbs are double, "
                             "images blurred, and standing things taken for moving: whatever is "
                             "weak here, look for the cause in the poses first.",
                             poses.source)};
}

// Images of the simulator where the ego stands by itself, against those at the recorded poses.
Finding judgeClosedLoop(const TwinReport& report, const VerdictLimits& limits) {
  Finding finding{.what = "Closed loop on the recorded path", .its = "its closed loop"};
  const auto& loop = report.evaluation.overall.closed_loop;
  if (!loop) {
    finding.number = "not measured";
    finding.words = "No image was simulated at the places of the recording.";
    return finding;
  }
  const double drop = loop->dropDb();
  finding.grade = gradeOf(drop <= limits.good_loop_drop_db, drop <= limits.fair_loop_drop_db);
  finding.number = fmt::format("{:.1f} dB PSNR, {:.1f} dB {} the recorded poses",
                               loop->images.psnr_db, std::abs(drop), drop >= 0 ? "below" : "above");
  finding.words = fmt::format(
      "{} Its base_link is {:.0f} mm and {:.1f} degrees off the recorded one (medians).",
      finding.grade == Grade::Good
          ? "Where the simulator puts the vehicle, its sensors are where they were recorded."
      : finding.grade == Grade::Fair
          ? "Where the simulator puts the vehicle, its sensors are a little off."
          : "The simulator's vehicle does not stand as the recorded one did: its sensors see "
            "another picture (base_link_above_ground of the world, or its ground, is wrong).",
      1e3 * loop->height, loop->tilt_deg);
  return finding;
}

std::string joined(const std::vector<std::string>& words, const char* last) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? std::string(" ") + last + " " : ", ") + words[i];
  return text;
}

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

// "its views beside the path" are, "its LiDAR off the ground" is.
bool isPlural(const std::string& its) {
  const size_t word = its.find(' ') + 1;
  return its.substr(word, its.find(' ', word) - word).ends_with('s');
}

}  // namespace

const char* wordOf(Grade grade) {
  switch (grade) {
    case Grade::Weak: return "weak";
    case Grade::Fair: return "fair";
    case Grade::Good: return "good";
    case Grade::Unknown: break;
  }
  return "unknown";
}

Verdict judge(const TwinReport& report, const VerdictLimits& limits) {
  Verdict verdict;
  verdict.findings = {judgeImages(report, limits),      judgeDepth(report, limits),
                      judgeLidarGround(report, limits), judgeLidarRest(report, limits),
                      judgeClosedLoop(report, limits),  judgeBeside(report, limits)};
  const auto poses = judgePoses(report);
  if (poses) verdict.findings.insert(verdict.findings.begin(), *poses);
  std::map<Grade, std::vector<std::string>> by_grade;
  for (const Finding& finding : verdict.findings) {
    by_grade[finding.grade].push_back(finding.its);
    verdict.grade = std::min(verdict.grade, finding.grade);  // Unknown is the largest
  }
  const auto& weak = by_grade[Grade::Weak];
  const auto& fair = by_grade[Grade::Fair];
  const auto& good = by_grade[Grade::Good];
  const auto& unknown = by_grade[Grade::Unknown];
  if (verdict.grade == Grade::Good)
    verdict.headline =
        std::string("This world can be trusted ") +
        (unknown.empty() ? "on and near the recorded path." : "on the recorded path.");
  else if (verdict.grade == Grade::Fair)
    verdict.headline = "This world can be used with care: " + joined(fair, "and") +
                       (fair.size() > 1 || isPlural(fair[0]) ? " are" : " is") + " only fair.";
  else if (verdict.grade == Grade::Weak && !good.empty())
    verdict.headline =
        "Trust " + joined(good, "and") + ", but not " + joined(weak, "or") + "." +
        (fair.empty() ? "" : " " + capitalised(joined(fair, "and")) + ": with care.");
  else verdict.headline = "This world is not good enough to be trusted yet.";
  if (poses && poses->grade == Grade::Weak)
    verdict.headline = fmt::format(
        "This world was built on wrong poses: {} wanders by {:.1f} m. Trust nothing but its look.",
        report.poses.source, report.poses.wander);
  verdict.is_mixed = verdict.grade == Grade::Weak && !good.empty();
  return verdict;
}

}  // namespace gs_builder
