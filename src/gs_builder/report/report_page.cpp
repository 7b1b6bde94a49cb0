// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/report/report_page.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gs_builder/report/html.hpp"
#include "gs_builder/report/map_section.hpp"
#include "gs_builder/report/page_style.hpp"
#include "gs_builder/report/report_pictures.hpp"
#include "gs_builder/report/svg_chart.hpp"
#include "gs_builder/report/verdict.hpp"

namespace gs_builder {
namespace {

// ---- small parts

std::string number(double value, int decimals) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, decimals) : "\u2013";
}
// 1,217,407
std::string grouped(size_t count) {
  std::string digits = std::to_string(count);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}
std::string percent(double share) { return number(100 * share, 1) + " %"; }

std::string imageTag(const EncodedImage& image, const std::string& alt) {
  return fmt::format(R"(<img src="{}" width="{}" height="{}" alt="{}">)",
                     dataUri(image.mime_type, gs::asBytes(image.bytes)), image.width, image.height,
                     escapeHtml(alt));
}

std::string factTable(const FactRows& rows) {
  std::string html = "<table class=\"facts\"><tbody>\n";
  for (const auto& [what, value] : rows)
    html += "<tr><th scope=\"row\">" + escapeHtml(what) + "</th><td>" + escapeHtml(value) +
            "</td></tr>\n";
  return html + "</tbody></table>\n";
}

std::string chip(Grade grade) {
  return fmt::format("<span class=\"chip {0}\">{0}</span>", wordOf(grade));
}

// "front, 12.3 s, 84 m: 26.05 dB"
std::string describe(const TwinReport& report, const FrameEvaluation& frame) {
  const auto& frames = report.evaluation.frames;
  const auto found = std::find_if(frames.begin(), frames.end(), [&](const FrameEvaluation& one) {
    return one.camera == frame.camera && one.frame_index == frame.frame_index;
  });
  const size_t index = static_cast<size_t>(found - frames.begin());
  const PathPoint place = index < report.places.size() ? report.places[index] : PathPoint{};
  return fmt::format("{}, {:.1f} s, {:.0f} m: {:.2f} dB", frame.camera, place.time, place.distance,
                     frame.telling().psnr_db);
}

// ---- verdict

std::string writeVerdict(const TwinReport& report, const Verdict& verdict) {
  std::string html = fmt::format(
      "<section id=\"verdict\" aria-label=\"Verdict\">\n<div class=\"verdict {}\"><p>{}</p></div>\n"
      "<div class=\"findings\">\n",
      verdict.is_mixed ? wordOf(Grade::Fair) : wordOf(verdict.grade), escapeHtml(verdict.headline));
  for (const Finding& finding : verdict.findings)
    html += fmt::format(
        "<div class=\"finding\"><h3>{} {}</h3><p class=\"number\">{}</p><p "
        "class=\"words\">{}</p></div>\n",
        escapeHtml(finding.what), chip(finding.grade), escapeHtml(finding.number),
        escapeHtml(finding.words));
  html += fmt::format(
      "</div>\n<p class=\"note\">Measured on {} of {} images that training never saw{}. {}</p>\n",
      report.evaluation.measured, report.evaluation.held_out,
      report.evaluation.overall.fixed ? ", where nothing moves" : "",
      report.has_truth ? "This is a made drive: its truth is known, also beside the path."
                       : "This is a recorded drive: only what its sensors saw is known.");
  constexpr std::array<const char*, 3> kNames{"Best", "Median", "Worst"};
  html += "<h3>What that looks like</h3>\n<div class=\"three\">\n";
  for (size_t i = 0; i < report.extremes.size(); ++i) {
    const FramePictures& one = report.extremes[i];
    // With fewer than three frames: best and worst.
    const char* name =
        i + 1 == report.extremes.size() && i > 0 ? "Worst" : kNames[std::min<size_t>(i, 2)];
    const std::string what = describe(report, one.frame);
    html += fmt::format(
        "<figure class=\"pair\"><h3>{}</h3><figcaption>{} </figcaption>\n{}\n{}</figure>\n", name,
        escapeHtml(what), imageTag(one.recorded, std::string(name) + " frame as recorded: " + what),
        imageTag(one.rendered, std::string(name) + " frame as the world shows it: " + what));
  }
  return html +
         "</div>\n<p class=\"note\">Above as recorded, below as the world shows it.</p>\n"
         "</section>\n";
}

// ---- images

std::string qualityRow(const std::string& name, const ViewEvaluation& view,
                       const std::vector<double>& beside, bool is_all) {
  std::string html =
      fmt::format("<tr{}><th scope=\"row\">{}</th><td>{}</td>", is_all ? " class=\"all\"" : "",
                  escapeHtml(name), view.whole.images);
  const auto cell = [&](const std::string& text) { html += "<td>" + text + "</td>"; };
  cell(number(view.whole.psnr_db, 2));
  cell(number(view.whole.ssim, 4));
  cell(view.fixed ? number(view.fixed->psnr_db, 2) : "\u2013");
  cell(view.fixed ? number(view.fixed->ssim, 4) : "\u2013");
  cell(view.depth.points > 0 ? number(view.depth.median, 3) : "\u2013");
  cell(view.depth.points > 0 ? percent(view.depth.within_30_cm) : "\u2013");
  for (const double metres : beside) {
    const auto found = view.beside.find(metres);
    cell(found == view.beside.end() ? "\u2013" : number(found->second.psnr_db, 2));
  }
  return html + "</tr>\n";
}

std::string writeQualityTable(const Evaluation& evaluation) {
  std::vector<double> beside;
  for (const auto& [metres, quality] : evaluation.overall.beside) beside.push_back(metres);
  std::string html =
      "<div class=\"scroll\"><table id=\"quality\"><thead>\n<tr><th "
      "rowspan=\"2\" scope=\"col\">Camera</th><th rowspan=\"2\" scope=\"col\">Images</th>"
      "<th colspan=\"2\" scope=\"colgroup\">Whole image</th><th colspan=\"2\" "
      "scope=\"colgroup\">Static pixels</th>"
      "<th colspan=\"2\" scope=\"colgroup\">Depth to LiDAR</th>";
  if (!beside.empty())
    html += fmt::format(
        "<th colspan=\"{}\" scope=\"colgroup\">PSNR beside the path, against truth</th>",
        beside.size());
  html +=
      "</tr>\n<tr><th scope=\"col\">PSNR, dB</th><th scope=\"col\">SSIM</th><th "
      "scope=\"col\">PSNR, dB</th><th scope=\"col\">SSIM</th><th scope=\"col\">median, m</th><th "
      "scope=\"col\">within 30 cm</th>";
  for (const double metres : beside) html += fmt::format("<th scope=\"col\">{:g} m</th>", metres);
  html += "</tr>\n</thead><tbody>\n";
  for (const auto& [id, view] : evaluation.cameras) html += qualityRow(id, view, beside, false);
  html += qualityRow("all", evaluation.overall, beside, true);
  return html + "</tbody></table></div>\n";
}

std::string writeFrame(const TwinReport& report, const FramePictures& one, const char* which) {
  const std::string what = describe(report, one.frame);
  return fmt::format(
      "<figure class=\"pair\"><figcaption>{} frame: {} </figcaption>\n<div "
      "class=\"triple\">{}\n{}\n{}</div></figure>\n",
      which, escapeHtml(what), imageTag(one.recorded, "Recorded: " + what),
      imageTag(one.rendered, "Rendered: " + what),
      imageTag(one.difference, "Difference, four times as strong: " + what));
}

std::string writeImages(const TwinReport& report) {
  const Evaluation& evaluation = report.evaluation;
  std::string html = openSection("images", "Images, camera by camera");
  html += "<p>Frames that were held out of training, rendered from where they were recorded. ";
  html += evaluation.static_pixels.empty()
              ? "Which pixels are static is not known (give --workspace of the build)."
              : "Static pixels are those that show nothing that moves, as known from " +
                    escapeHtml(evaluation.static_pixels) + ".";
  if (evaluation.has_ego_masks) html += " Pixels of the vehicle's own body are left out.";
  html += "</p>\n" + writeQualityTable(evaluation);
  html +=
      "<p class=\"note\">PSNR and SSIM: higher is better; 100 dB would be the same image. Depth: "
      "what is rendered against the LiDAR points that the camera sees.</p>\n";
  for (const auto& [id, pictures] : report.pictures) {
    html += "<h3>" + escapeHtml(id) + "</h3>\n";
    for (size_t i = 0; i < pictures.size(); ++i)
      html += writeFrame(report, pictures[i], i + 1 == pictures.size() ? "Worst" : "Median");
  }
  html +=
      "<p class=\"note\">Left to right: recorded, rendered, difference (four times as "
      "strong).</p>\n";
  return html + "</section>\n";
}

// ---- along the drive

std::string writeAlong(const TwinReport& report) {
  std::map<std::string, ChartSeries> by_camera;
  const auto& frames = report.evaluation.frames;
  double worst = INFINITY, worst_at = 0;
  for (size_t i = 0; i < frames.size() && i < report.places.size(); ++i) {
    if (frames[i].telling().pixels == 0) continue;
    ChartSeries& series = by_camera[frames[i].camera];
    series.name = frames[i].camera;
    const double psnr = frames[i].telling().psnr_db;
    series.points.push_back({report.places[i].distance, psnr, describe(report, frames[i])});
    if (psnr < worst) {
      worst = psnr;
      worst_at = report.places[i].distance;
    }
  }
  std::vector<ChartSeries> series;
  for (auto& [id, one] : by_camera) {
    std::stable_sort(one.points.begin(), one.points.end(),
                     [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
    series.push_back(std::move(one));
  }
  std::string html = openSection("along", "Along the drive");
  if (std::isfinite(worst))
    html += fmt::format(
        "<p>PSNR of each measured image{}; rest the pointer on a mark to see which. The weakest is "
        "{:.1f} dB, {:.0f} m after the start.</p>\n",
        report.evaluation.overall.fixed ? " where nothing moves" : "", worst, worst_at);
  return html +
         drawLineChart(series, {.summary = "PSNR of held-out images by distance driven",
                                .x_label = "distance driven, m",
                                .y_label = "PSNR, dB"}) +
         "</section>\n";
}

// ---- LiDAR

std::string rangeRow(const char* name, const RangeAgreement& agreement, bool is_all) {
  const bool has_any = agreement.recorded > 0;
  return fmt::format(
      "<tr{}><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}"
      "</td></tr>\n",
      is_all ? " class=\"all\"" : "", name, grouped(agreement.recorded),
      has_any ? percent(agreement.coverage()) : "\u2013", number(agreement.median, 3),
      number(agreement.percentile_90, 3), has_any ? percent(agreement.within_10_cm) : "\u2013",
      has_any ? percent(agreement.within_30_cm) : "\u2013");
}

std::string writeLidar(const std::string& id, const LidarReport& lidar) {
  const LidarComparison& c = lidar.comparison;
  std::string html = "<h3>" + escapeHtml(id) + "</h3>\n";
  html +=
      "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Returns from</th><th "
      "scope=\"col\">recorded</th><th scope=\"col\">also simulated</th><th scope=\"col\">median "
      "error, m</th><th scope=\"col\">90 % below, m</th><th scope=\"col\">within 10 cm</th><th "
      "scope=\"col\">within 30 cm</th></tr></thead><tbody>\n" +
      rangeRow("the ground", c.ground, false) +
      rangeRow("walls, cars, poles, the rest", c.other, false) +
      rangeRow("everything", c.all, true) + "</tbody></table></div>\n";
  html += fmt::format(
      "<p>{} sweeps. The other way round, {} of the {} simulated returns lie where the recording "
      "has a return, too. {}</p>\n",
      c.scans, percent(c.confirmation()), grouped(c.simulated),
      c.knows_moving ? grouped(c.moving) + " returns from moving things are left out."
                     : "Points on moving things count as errors: it is not known which they are "
                       "(give --workspace of the build).");
  html += drawHistogram(c.errors, {.summary = "Histogram of range errors of LiDAR " + id,
                                   .x_label = "simulated minus recorded range, m (the outermost "
                                              "bars hold everything beyond)",
                                   .y_label = "share of rays"});
  if (!lidar.sweep.bytes.empty())
    html += fmt::format(
        "<figure>{}<figcaption>One sweep from above, {:.1f} s after the start, {:g} m to each "
        "side, "
        "ahead is up. Left as recorded, by the error of the simulated range:<span class=\"dot\" "
        "style=\"background:{}\"></span>up to 10 cm<span class=\"dot\" "
        "style=\"background:{}\"></span>up to 30 cm<span class=\"dot\" "
        "style=\"background:{}\"></span>more<span class=\"dot\" "
        "style=\"background:{}\"></span>nothing returned. Right as "
        "simulated.</figcaption></figure>\n",
        imageTag(lidar.sweep, "A sweep of LiDAR " + id + " from above, recorded and simulated"),
        lidar.sweep_time, lidar.sweep_reach, SweepColors::kNear, SweepColors::kMiddle,
        SweepColors::kFar, SweepColors::kMissing);
  return html;
}

std::string writeLidars(const TwinReport& report) {
  std::string html = openSection("lidar", "LiDAR");
  html += fmt::format(
      "<p>Sweeps simulated where sweeps were recorded, each recorded ray against the simulated one "
      "in its direction. Rays meet {}. The world was built from these sweeps, so this tells how "
      "well its surfaces keep them, not how well they generalise.</p>\n",
      report.has_mesh ? "the ground and the surface mesh"
                      : "the ground alone, because this world has no surface mesh: returns from "
                        "walls and cars are expected to be wrong or missing");
  for (const auto& [id, lidar] : report.lidars) html += writeLidar(id, lidar);
  if (report.lidars.empty()) html += "<p class=\"note\">No LiDAR was compared.</p>\n";
  return html + "</section>\n";
}

// ---- facts

std::string writeDrive(const TwinReport& report) {
  const DriveFacts& drive = report.drive;
  return openSection("drive", "Drive") +
         factTable(
             {{"Length", fmt::format("{:.1f} m", drive.length)},
              {"Duration", fmt::format("{:.1f} s", drive.duration)},
              {"Mean speed while driving",
               fmt::format("{:.1f} m/s ({:.0f} km/h)", drive.mean_speed, 3.6 * drive.mean_speed)},
              {"Highest speed", fmt::format("{:.1f} m/s ({:.0f} km/h)", drive.highest_speed,
                                            3.6 * drive.highest_speed)},
              {"Standing", fmt::format("{:.1f} s", drive.standing)}}) +
         "</section>\n";
}

std::string writeTiming(const TimingFacts& timing) {
  FactRows here;
  if (!timing.made_at.empty()) here.emplace_back("Report made", timing.made_at);
  if (!timing.built_at.empty()) here.emplace_back("World built", timing.built_at);
  here.emplace_back("Threads", std::to_string(timing.threads));
  if (timing.image_ms > 0)
    here.emplace_back("One image with its depth",
                      fmt::format("{:.1f} ms, median", timing.image_ms));
  if (timing.sweep_ms > 0)
    here.emplace_back("One LiDAR sweep", fmt::format("{:.1f} ms, median", timing.sweep_ms));
  here.emplace_back("Measuring", fmt::format("{:.1f} s", timing.seconds));
  if (timing.peak_memory_mb > 0)
    here.emplace_back("Peak memory of this program",
                      fmt::format("{:.0f} MB", timing.peak_memory_mb));
  if (timing.build_memory_mb)
    here.emplace_back("Peak memory of the build",
                      fmt::format("{:.0f} MB", *timing.build_memory_mb));
  std::string html = openSection("timing", "Times");
  html +=
      "<p class=\"note\">As information: times and dates depend on the machine and its other work, "
      "and are the only part of this page that differs from run to run.</p>\n<div "
      "class=\"columns\">\n" +
      factTable(here);
  if (!timing.stages.empty()) {
    html +=
        "<table><thead><tr><th scope=\"col\">Stage of the build</th><th "
        "scope=\"col\">s</th></tr></thead><tbody>\n";
    for (const auto& [stage, seconds] : timing.stages)
      html += fmt::format("<tr{}><th scope=\"row\">{}</th><td>{:.1f}</td></tr>\n",
                          stage == "total" ? " class=\"all\"" : "", escapeHtml(stage), seconds);
    html += "</tbody></table>\n";
  }
  return html + "</div>\n</section>\n";
}

std::string writeBuild(const TwinReport& report) {
  std::string html = openSection("build", "Build");
  html += report.build.empty() ? "<p class=\"note\">How the world was built is not known.</p>\n"
                               : factTable(report.build);
  html += "<h3>Warnings</h3>\n";
  if (report.warnings.empty()) return html + "<p>None.</p>\n</section>\n";
  html += "<ul>\n";
  for (const std::string& warning : report.warnings)
    html += "<li>" + escapeHtml(warning) + "</li>\n";
  return html + "</ul>\n</section>\n";
}

std::string writeProvenance(const TwinReport& report) {
  std::string html =
      openSection("provenance", "Where it comes from") + factTable(report.provenance);
  html += "<h3>How to get it again</h3>\n<pre>";
  for (const std::string& command : report.commands) html += escapeHtml(command) + "\n";
  return html + "</pre>\n</section>\n";
}

std::string writeHead(const TwinReport& report) {
  const std::string title = "Twin report: " + report.scene_id;
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>" +
      escapeHtml(title) + "</title>\n<style>" + kPageStyle +
      "</style>\n</head>\n<body>\n<header>\n<h1>" + escapeHtml(title) + "</h1>\n";
  html += fmt::format(
      "<p class=\"soft\">{}: {:.0f} m in {:.0f} s, driven once more in the world that was built "
      "from it; {} camera{}, {} LiDAR{}, {} Gaussians.</p>\n",
      escapeHtml(report.log), report.drive.length, report.drive.duration,
      report.evaluation.cameras.size(), report.evaluation.cameras.size() == 1 ? "" : "s",
      report.lidars.size(), report.lidars.size() == 1 ? "" : "s",
      grouped(report.evaluation.gaussians));
  html += "<nav aria-label=\"Parts of the report\">";
  for (const auto& [id, name] : {std::pair{"images", "Images"},
                                 {"along", "Along the drive"},
                                 {"map", "Map"},
                                 {"lidar", "LiDAR"},
                                 {"drive", "Drive"},
                                 {"build", "Build"},
                                 {"provenance", "Where it comes from"}})
    html += fmt::format("<a href=\"#{}\">{}</a>", id, name);
  return html + "</nav>\n</header>\n<main>\n";
}

}  // namespace

std::string writeReportPage(const TwinReport& report) {
  std::string html = writeHead(report);
  html += writeVerdict(report, judge(report));
  html += writeImages(report);
  html += writeAlong(report);
  html += writeMapSection(report);
  html += writeLidars(report);
  html += writeDrive(report);
  if (report.timing) html += writeTiming(*report.timing);
  html += writeBuild(report);
  html += writeProvenance(report);
  html +=
      "</main>\n<footer>Made by gs-world-builder report. What the grades mean: "
      "docs/interfaces/report.md.</footer>\n";
  html += kSliderDialog;
  html += "<script type=\"application/json\" id=\"numbers\">" +
          escapeScriptJson(toJson(report).dump(-1, ' ', false,
                                               nlohmann::ordered_json::error_handler_t::replace)) +
          "</script>\n<script>" + kPageScript + "</script>\n</body>\n</html>\n";
  return html;
}

}  // namespace gs_builder
