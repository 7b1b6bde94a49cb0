// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/report/report_page.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gs_builder/report/html.hpp"
#include "gs_builder/report/report_pictures.hpp"
#include "gs_builder/report/svg_chart.hpp"
#include "gs_builder/report/twin_report.hpp"
#include "gs_builder/report/verdict.hpp"

namespace gs_builder {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(Html, EscapesWhatCouldEndATextOrAnAttribute) {
  EXPECT_EQ(escapeHtml(R"(<b a="1" c='2'>&)"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
  EXPECT_EQ(escapeHtml("plain text\n"), "plain text\n");
}

TEST(Html, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(escapeHtml("\xC3\xA4 \xE6\xBC\xA2 \xF0\x9F\x9A\x97"),
            "\xC3\xA4 \xE6\xBC\xA2 \xF0\x9F\x9A\x97");
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(escapeHtml("a\xFFz"), "a" + bad + "z");
  EXPECT_EQ(escapeHtml("\xC3"), bad);                      // cut off
  EXPECT_EQ(escapeHtml("\xC0\xBC"), bad + bad);            // '<', written too long
  EXPECT_EQ(escapeHtml("\xED\xA0\x80"), bad + bad + bad);  // half of a surrogate pair
  EXPECT_EQ(escapeHtml(std::string("\0\x1B", 2)), bad + bad);
}

TEST(Html, JsonCannotEndItsScript) {
  const std::string json = nlohmann::json("</script><!--").dump();
  const std::string safe = escapeScriptJson(json);
  EXPECT_EQ(safe.find('<'), safe.npos);
  EXPECT_EQ(nlohmann::json::parse(safe), "</script><!--");
}

TEST(Html, Base64IsThatOfTheStandard) {  // RFC 4648, section 10
  const auto base64 = [](std::string_view text) { return toBase64(gs::asBytes(text)); };
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xFF\xFE\xFD"), "//79");
}

TEST(SvgChart, TicksAreRoundAndInside) {
  EXPECT_THAT(niceTicks(0, 10, 5), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(niceTicks(-1, 1, 4), ElementsAre(-1, -0.5, 0, 0.5, 1));
  EXPECT_THAT(niceTicks(21.3, 28.9, 4), ElementsAre(22, 24, 26, 28));
  EXPECT_TRUE(niceTicks(1, 1, 5).empty());
  EXPECT_TRUE(niceTicks(0, INFINITY, 5).empty());
}

TEST(SvgChart, DrawsEveryFinitePointAndEscapesNames) {
  const std::string svg = drawLineChart(
      {{"<left>", {{0, 20, "a & b"}, {10, kNaN, ""}, {20, 30, ""}}}, {"right", {{5, 25, ""}}}},
      {.summary = "\"s\"", .x_label = "m", .y_label = "dB"});
  size_t circles = 0;
  for (size_t at = svg.find("<circle"); at != svg.npos; at = svg.find("<circle", at + 1)) ++circles;
  EXPECT_EQ(circles, 2 + 1);  // and one in the legend
  EXPECT_THAT(svg, HasSubstr("<title>a &amp; b</title>"));
  EXPECT_THAT(svg, HasSubstr("&lt;left&gt;"));
  EXPECT_THAT(svg, HasSubstr("aria-label=\"&quot;s&quot;\""));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(drawLineChart({}, {}), HasSubstr("nothing to draw"));
}

TEST(SvgChart, AHistogramKeepsWhatLiesBeyondInItsOutermostBars) {
  Histogram histogram(-1, 1, 4);
  for (const double value : {-7.0, -0.9, -0.1, 0.1, 0.4, 0.5, 99.0, HUGE_VAL, kNaN})
    histogram.add(value);
  EXPECT_THAT(histogram.counts, ElementsAre(2, 1, 2, 3));
  EXPECT_THAT(drawHistogram(histogram, {}), HasSubstr("<title>below -0.50: 25.0 %</title>"));
  EXPECT_THAT(drawHistogram(Histogram(0, 1, 3), {}), HasSubstr("nothing to draw"));
}

FrameEvaluation frameOf(const std::string& camera, int64_t index, double psnr_db) {
  return {.camera = camera, .frame_index = index, .whole = {psnr_db, 0.8, 100}};
}

TEST(FrameAlbum, ShowsTheBestTheMedianAndTheWorst) {
  FrameAlbum album(8);
  gs::Image8 image(16, 8, 3);
  for (int i = 0; i < 500; ++i)
    album.add(frameOf("a", i, 20 + (i * 37 % 101) / 10.0), image, image);
  album.add(frameOf("b", 3, 12), image, image);
  const auto three = album.bestMedianWorst();
  ASSERT_EQ(three.size(), 3);
  EXPECT_DOUBLE_EQ(three[0].frame.whole.psnr_db, 30);
  EXPECT_NEAR(three[1].frame.whole.psnr_db, 25, 0.3);  // of the few that are kept
  EXPECT_EQ(three[2].frame.camera, "b");
  EXPECT_EQ(three[0].recorded.width, 8);
  EXPECT_EQ(three[0].recorded.height, 4);
  const auto two = album.medianAndWorst("a");
  ASSERT_EQ(two.size(), 2);
  EXPECT_DOUBLE_EQ(two[1].frame.whole.psnr_db, 20);
  EXPECT_EQ(album.medianAndWorst("b").size(), 1);
  EXPECT_TRUE(album.medianAndWorst("c").empty());
}

TEST(Shrunk, KeepsTheMeanOfAnImage) {
  gs::Image8 image(10, 4, 3);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 10; ++x) std::fill_n(image.at(x, y), 3, static_cast<uint8_t>(20 * x));
  const gs::Image8 small = shrunk(image, 4);
  ASSERT_EQ(small.width, 4);
  ASSERT_EQ(small.height, 1);
  EXPECT_EQ(small.at(0, 0)[0], 16);   // (0 + 20 + 40 / 2) / 2.5
  EXPECT_EQ(small.at(3, 0)[2], 164);  // (140 / 2 + 160 + 180) / 2.5
  EXPECT_EQ(shrunk(image, 20), image);
}

TEST(DriveFacts, KnowHowFarHowFastAndHowLongItStood) {
  std::vector<StampedPose> poses;
  for (int i = 0; i <= 200; ++i)  // 10 s at 5 m/s, then 10 s standing
    poses.push_back(
        {{i * int64_t{100'000'000}}, {gs::Quat::Identity(), {std::min(i, 100) * 0.5, 0, 0}}});
  const DriveFacts facts = driveFacts(EgoTrajectory(poses));
  EXPECT_DOUBLE_EQ(facts.length, 50);
  EXPECT_DOUBLE_EQ(facts.duration, 20);
  EXPECT_NEAR(facts.highest_speed, 5, 1e-9);
  EXPECT_NEAR(facts.standing, 10, 0.3);
  EXPECT_NEAR(facts.mean_speed, 5, 0.15);
  EXPECT_NEAR(facts.path.back().distance, 50, 1);
  EXPECT_EQ(driveFacts({}).length, 0);
}

// Everything good: 30 dB, exact depth and LiDAR, and the same beside the path.
TwinReport goodReport() {
  TwinReport report{.scene_id = "street", .log = "drive.mcap", .has_truth = true, .has_mesh = true};
  ViewEvaluation view{.whole = {2, 29, 0.9}, .fixed = ImageQuality{2, 30, 0.92}};
  view.depth = {.points = 1000, .median = 0.05, .within_30_cm = 0.95};
  view.beside = {{1, {2, 29, 0.9}}, {2, {2, 28, 0.9}}, {3, {2, 27, 0.9}}};
  report.evaluation.cameras["front"] = report.evaluation.overall = view;
  report.evaluation.measured = report.evaluation.held_out = 2;
  report.evaluation.static_pixels = "truth";
  report.evaluation.frames = {frameOf("front", 7, 31), frameOf("front", 15, 29)};
  report.places = {{1, 5, 5, 0}, {2, 10, 10, 0}};
  const EncodedImage image = asJpeg(gs::Image8(8, 8, 3), 80);
  for (const FrameEvaluation& frame : report.evaluation.frames)
    report.extremes.push_back({frame, image, image, image});
  report.pictures["front"] = report.extremes;
  report.drive = {
      .length = 12, .duration = 3, .path = {{0, 0, 0, 0}, {1, 5, 5, 0}, {2, 10, 10, 0}}};
  report.map = {.image = image, .left = -1, .top = 1, .metres_per_pixel = 2};
  LidarComparison& lidar = report.lidars["top"].comparison;
  lidar.all = {.recorded = 100,
               .returned = 98,
               .median = 0.02,
               .percentile_90 = 0.1,
               .within_10_cm = 0.9,
               .within_30_cm = 0.97};
  lidar.ground = lidar.other = lidar.all;
  lidar.errors.add(0.02);
  report.timing = TimingFacts{.made_at = "2026-01-01T00:00:00Z", .threads = 2};
  return report;
}

TEST(Verdict, NamesWrongPosesAsTheCause) {
  TwinReport wrong = goodReport();
  wrong.drive.length = 115;
  wrong.poses = {.source = "/oxts/odometry", .pairs = 23, .wander = 2.66};
  const Verdict verdict = judge(wrong);
  EXPECT_EQ(verdict.grade, Grade::Weak);
  EXPECT_THAT(verdict.headline, HasSubstr("/oxts/odometry wanders by 2.7 m"));
  EXPECT_EQ(verdict.findings.front().what, "Ego poses");
  wrong.poses.wander = 0.1;
  EXPECT_EQ(judge(wrong).grade, Grade::Good);
}

TEST(Verdict, IsAsGoodAsTheWeakestThing) {
  EXPECT_EQ(judge(goodReport()).grade, Grade::Good);
  TwinReport blurred = goodReport();
  blurred.evaluation.overall.fixed->psnr_db = 23;
  EXPECT_EQ(judge(blurred).grade, Grade::Fair);
  EXPECT_THAT(judge(blurred).headline, HasSubstr("its images"));
  TwinReport blind = goodReport();
  // What a world without walls is like: nearly all returns are ground, and right.
  blind.lidars["top"].comparison.other.within_30_cm = 0.038;
  EXPECT_EQ(judge(blind).grade, Grade::Weak);
  EXPECT_THAT(judge(blind).headline, HasSubstr("but not its LiDAR off the ground"));
}

TEST(Verdict, TheClosedLoopIsJudgedByWhatItLoses) {
  TwinReport report = goodReport();
  const auto loopOf = [](const TwinReport& r) {
    for (const Finding& finding : judge(r).findings)
      if (finding.what == "Closed loop on the recorded path") return finding;
    return Finding{};
  };
  EXPECT_EQ(loopOf(report).grade, Grade::Unknown);
  report.evaluation.overall.closed_loop = ClosedLoopQuality{
      .images = {4, 27.7, 0.85}, .recorded_psnr_db = 28, .height = 0.012, .tilt_deg = 0.1};
  EXPECT_EQ(loopOf(report).grade, Grade::Good);
  EXPECT_EQ(loopOf(report).number, "27.7 dB PSNR, 0.3 dB below the recorded poses");
  EXPECT_THAT(loopOf(report).words, HasSubstr("12 mm and 0.1 degrees off"));
  // A vehicle whose sensors hang a metre too low, in a world that looks right from the path.
  report.evaluation.overall.closed_loop->images.psnr_db = 10.6;
  report.evaluation.overall.closed_loop->height = 0.954;
  EXPECT_EQ(loopOf(report).grade, Grade::Weak);
  EXPECT_EQ(judge(report).grade, Grade::Weak);
  EXPECT_THAT(judge(report).headline, HasSubstr("not its closed loop"));
}

TEST(Verdict, SaysWhatIsUnknownOfARealLog) {
  TwinReport real = goodReport();
  real.has_truth = false;
  real.evaluation.overall.beside.clear();
  const Verdict verdict = judge(real);
  EXPECT_EQ(verdict.grade, Grade::Good);
  EXPECT_EQ(verdict.findings.back().grade, Grade::Unknown);
  EXPECT_EQ(verdict.findings.back().number, "unknown");
  EXPECT_THAT(verdict.headline, HasSubstr("on the recorded path"));
}

TEST(Verdict, BesideThePathEndsWhereItFirstBreaks) {
  TwinReport report = goodReport();
  report.evaluation.overall.beside = {{1, {2, 28, 0.9}}, {2, {2, 18, 0.6}}, {3, {2, 28, 0.9}}};
  const Finding beside = judge(report).findings.back();
  EXPECT_EQ(beside.grade, Grade::Fair);
  EXPECT_THAT(beside.words, HasSubstr("up to 1 m"));
  EXPECT_THAT(judge(report).headline, HasSubstr("its views beside the path are only fair"));
}

TEST(ReportPage, LetsNoNameOutOfItsPlace) {
  const std::string evil = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>";
  TwinReport report = goodReport();
  report.scene_id = report.log = report.world = evil;
  report.evaluation.static_pixels = evil;
  report.evaluation.warnings = report.warnings = report.commands = {evil};
  report.build = report.provenance = {{evil, evil}};
  report.evaluation.cameras = {{evil, report.evaluation.overall}};
  report.pictures = {{evil, report.extremes}};
  report.lidars = {{evil, report.lidars["top"]}};
  report.timing->stages = {{evil, 1.0}};
  report.timing->built_at = evil;
  for (FrameEvaluation& frame : report.evaluation.frames) frame.camera = evil;
  for (FramePictures& one : report.extremes) one.frame.camera = evil;
  const std::string page = writeReportPage(report);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<img src=x")));
  EXPECT_THAT(page, HasSubstr("&lt;/script&gt;"));
}

TEST(ReportPage, OnlyItsTimesDifferFromRunToRun) {
  TwinReport one = goodReport(), two = goodReport();
  two.timing->made_at = "2027-02-03T00:00:00Z";
  two.timing->image_ms = 12;
  two.timing->stages = {{"gs_training", 3.0}};
  const auto withoutTiming = [](std::string page) {
    const size_t begin = page.find("<section id=\"timing\">");
    EXPECT_NE(begin, page.npos);
    return page.erase(begin, page.find("</section>", begin) - begin);
  };
  const std::string a = writeReportPage(one), b = writeReportPage(two);
  EXPECT_NE(a, b);
  EXPECT_EQ(withoutTiming(a), withoutTiming(b));
  one.timing.reset();
  EXPECT_EQ(writeReportPage(one).find("id=\"timing\""), std::string::npos);
}

TEST(ReportPage, AnEmptyReportIsStillAPage) {
  const std::string page = writeReportPage({});
  EXPECT_THAT(page, HasSubstr("No LiDAR was compared"));
  EXPECT_THAT(page, HasSubstr("There is nothing to draw"));
  EXPECT_THAT(page, Not(HasSubstr("nan ")));
  EXPECT_THAT(page, Not(HasSubstr(">nan")));
  EXPECT_THAT(page, Not(HasSubstr("inf ")));
}

}  // namespace
}  // namespace gs_builder
