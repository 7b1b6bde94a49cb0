// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/evaluation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/quantile.hpp"
#include "gs/formats/png.hpp"
#include "gs/render/image_metrics.hpp"
#include "gs/render/make_splat_renderer.hpp"
#include "gs_builder/dataset.hpp"
#include "gs_builder/lidar_in_image.hpp"

namespace gs_builder {
namespace fs = std::filesystem;
namespace {

constexpr double kDepthTolerance = 0.3;  // m
constexpr float kMinOpacity = 0.5f;      // below it nothing is there to have a depth

// Sums that become means.
struct QualitySum {
  size_t images = 0;
  double psnr = 0, ssim = 0;

  void add(const gs::MaskedSimilarity& one) {
    if (one.pixels == 0) return;
    ++images;
    psnr += one.psnr_db;
    ssim += one.ssim;
  }
  void add(const QualitySum& other) {
    images += other.images;
    psnr += other.psnr;
    ssim += other.ssim;
  }
  ImageQuality mean() const {
    const double count = std::max(1.0, static_cast<double>(images));
    return {images, psnr / count, ssim / count};
  }
};

struct ClosedLoopSum {
  QualitySum simulated, recorded;  // of the same pixels
  std::vector<double> heights, tilts;

  void add(const ClosedLoopSum& other) {
    simulated.add(other.simulated);
    recorded.add(other.recorded);
    heights.insert(heights.end(), other.heights.begin(), other.heights.end());
    tilts.insert(tilts.end(), other.tilts.begin(), other.tilts.end());
  }
  ClosedLoopQuality result() const {
    return {simulated.mean(), recorded.mean().psnr_db, gs::median(heights), gs::median(tilts)};
  }
};

struct ViewSums {
  QualitySum whole, fixed;
  ClosedLoopSum closed_loop;
  std::map<double, QualitySum> beside;
  std::vector<float> depth_errors;  // m; infinite where nothing is rendered

  void add(const ViewSums& other) {
    whole.add(other.whole);
    fixed.add(other.fixed);
    closed_loop.add(other.closed_loop);
    for (const auto& [metres, sum] : other.beside) beside[metres].add(sum);
    depth_errors.insert(depth_errors.end(), other.depth_errors.begin(), other.depth_errors.end());
  }

  ViewEvaluation result() {
    ViewEvaluation view{.whole = whole.mean()};
    if (fixed.images > 0) view.fixed = fixed.mean();
    if (closed_loop.simulated.images > 0) view.closed_loop = closed_loop.result();
    for (const auto& [metres, sum] : beside)
      if (sum.images > 0) view.beside[metres] = sum.mean();
    if (depth_errors.empty()) return view;
    const auto count = static_cast<double>(depth_errors.size());
    const auto share = [&](auto&& is) {
      return static_cast<double>(std::count_if(depth_errors.begin(), depth_errors.end(), is)) /
             count;
    };
    view.depth.points = depth_errors.size();
    view.depth.within_30_cm = share([](float e) { return e < kDepthTolerance; });
    view.depth.without_depth = share([](float e) { return std::isinf(e); });
    const auto middle = depth_errors.begin() + static_cast<std::ptrdiff_t>(depth_errors.size() / 2);
    std::nth_element(depth_errors.begin(), middle, depth_errors.end());
    view.depth.median = *middle;
    return view;
  }
};

gs::Image8 sideBySide(const gs::Image8& wanted, const gs::Image8& rendered) {
  constexpr int kGain = 4;  // of the difference, so that people see it
  gs::Image8 picture(3 * wanted.width, wanted.height, 3);
  for (int y = 0; y < wanted.height; ++y)
    for (int x = 0; x < wanted.width; ++x)
      for (int c = 0; c < 3; ++c) {
        const int a = wanted.at(x, y)[c], b = rendered.at(x, y)[c];
        picture.at(x, y)[c] = static_cast<uint8_t>(a);
        picture.at(x + wanted.width, y)[c] = static_cast<uint8_t>(b);
        picture.at(x + 2 * wanted.width, y)[c] =
            static_cast<uint8_t>(std::min(255, kGain * std::abs(a - b)));
      }
  return picture;
}

std::vector<DatasetImage> chooseImages(const std::vector<DatasetImage>& images,
                                       const EvaluationOptions& options, size_t& held_out) {
  const std::vector<bool> is_held_out = heldOutOf(images, options.every);
  std::map<std::string, std::vector<const DatasetImage*>> by_camera;
  held_out = 0;
  for (size_t i = 0; i < images.size(); ++i)
    if (is_held_out[i]) {
      by_camera[images[i].camera].push_back(&images[i]);
      ++held_out;
    }
  if (held_out == 0)
    throw gs::Error(
        {.code = gs::ErrorCode::InsufficientData,
         .component = "evaluate",
         .message = "the log has no held-out frame to measure on",
         .details = {{"images", static_cast<int64_t>(images.size())}, {"every", options.every}},
         .suggestion = "Check that the log is the one the world was built from, or use "
                       "a smaller --every."});
  std::vector<DatasetImage> chosen;
  for (const auto& [camera, frames] : by_camera) {
    const size_t share =
        options.max_frames == 0
            ? frames.size()
            : std::clamp<size_t>(options.max_frames / by_camera.size(), 1, frames.size());
    for (size_t k = 0; k < share; ++k)
      chosen.push_back(*frames[(2 * k + 1) * frames.size() / (2 * share)]);
  }
  return chosen;
}

class Evaluator {
 public:
  Evaluator(const gs::WorldBundle& world, const RecordedDrive& drive,
            const EvaluationOptions& options, const DriveTruth& truth)
      : world_(world),
        drive_(drive),
        options_(options),
        truth_(truth),
        renderer_(gs::makeSplatRenderer(gs::RendererKind::Auto, {&world.gaussians})),
        settings_(gs::settingsFrom(world.render_config)) {
    if (world.sky) settings_.sky = gs::Sky(*world.sky);
    for (const auto& [id, camera] : world.calibration.cameras) {
      cameras_[cameraName(id)] = {id, &camera};
      lenses_.try_emplace(cameraName(id), gs::cameraOf(camera));
    }
    if (options.workspace.empty()) return;
    moving_ = readMovingPoints(options.workspace / "05_geometry/moving_points");
    for (const auto& [name, camera] : cameras_) readEgoMask(name, *camera.second);
  }

  Evaluation run(const std::vector<DatasetImage>& images, size_t held_out) {
    Evaluation evaluation{.held_out = held_out,
                          .static_pixels = truth_.moving_pixels ? "truth"
                                           : !moving_.empty()   ? "moving LiDAR points"
                                                                : "",
                          .has_ego_masks = !ego_masks_.empty(),
                          .gaussians = world_.gaussians.size()};
    std::map<std::string, ViewSums> sums;
    for (size_t i = 0; i < images.size(); ++i) {
      const DatasetImage& image = images[i];
      try {
        evaluation.frames.push_back(measure(image, i, sums[cameras_.at(image.camera).first]));
        ++evaluation.measured;
      } catch (const gs::Error& error) {  // one bad frame must not end the measurement
        if (evaluation.warnings.size() < 10) evaluation.warnings.push_back(error.report().message);
      }
      if (options_.progress)
        options_.progress(static_cast<double>(i + 1) / static_cast<double>(images.size()));
    }
    if (evaluation.measured == 0)
      throw gs::Error({.code = gs::ErrorCode::InsufficientData,
                       .component = "evaluate",
                       .message = "no held-out frame could be measured",
                       .details = {{"problems", evaluation.warnings}},
                       .suggestion = "Check that the log is the one the world was built from."});
    ViewSums all;
    for (auto& [id, camera] : sums) {
      all.add(camera);
      evaluation.cameras[id] = camera.result();
    }
    evaluation.overall = all.result();
    if (truth_.is_movers_way) evaluation.in_movers_way = shareInMoversWay();
    return evaluation;
  }

 private:
  double shareInMoversWay() const {
    const gs::GaussianCloud& cloud = world_.gaussians;
    size_t inside = 0;
    for (size_t i = 0; i < cloud.size(); ++i)
      inside +=
          truth_.is_movers_way({cloud.position[0][i], cloud.position[1][i], cloud.position[2][i]});
    return static_cast<double>(inside) / std::max<double>(1, static_cast<double>(cloud.size()));
  }

  void readEgoMask(const std::string& name, const gs::CameraCalibration& camera) {
    const fs::path file = options_.workspace / "03_gs_training/ego_masks" / (name + ".png");
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return;
    gs::Image8 mask =
        gs::decodePng(gs::asBytes(gs::readTextFile(file, uint64_t{1} << 28)), file.string());
    if (mask.channels == 1 && mask.width == camera.image_width &&
        mask.height == camera.image_height)
      ego_masks_[name] = std::move(mask);
  }

  FrameEvaluation measure(const DatasetImage& image, size_t number, ViewSums& sums) const {
    const auto& [id, camera] = cameras_.at(image.camera);
    const gs::Image8 recorded =
        drive_.loadImage(image.camera, static_cast<size_t>(image.frame_index));
    if (recorded.width != camera->image_width || recorded.height != camera->image_height)
      throw gs::Error({.code = gs::ErrorCode::InputInvalid,
                       .component = "evaluate",
                       .message = fmt::format("{}: images have {} x {} pixels, the world's camera "
                                              "{} x {}",
                                              image.camera, recorded.width, recorded.height,
                                              camera->image_width, camera->image_height),
                       .suggestion = "Use the log that the world was built from."});
    FrameEvaluation frame{.camera = id, .frame_index = image.frame_index, .stamp = image.stamp};
    const auto since = std::chrono::steady_clock::now();
    gs::RenderedView rendered = render(*camera, image.map_from_camera, true);
    frame.render_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
    for (size_t i = 0; i < rendered.depth.pixels.size(); ++i)
      if (rendered.opacity.pixels[i] < kMinOpacity) rendered.depth.pixels[i] = 0;
    gs::Image8 mask = ownMask(image.camera, *camera);
    const gs::ImageF similar = gs::ssimMap(recorded, rendered.rgb);
    frame.whole = gs::similarityWhere(mask, recorded, rendered.rgb, similar);
    sums.whole.add(frame.whole);

    const std::vector<SeenPoint> points = staticPoints(image, *camera, mask);
    if (takeMovingOut(image, *camera, mask)) {
      frame.fixed = gs::similarityWhere(mask, recorded, rendered.rgb, similar);
      sums.fixed.add(*frame.fixed);
    }
    measureDepth(image, *camera, points, rendered.depth, sums);
    if (options_.simulate) measureClosedLoop(image, mask, recorded, frame, sums.closed_loop);
    if (options_.save_image)
      options_.save_image(fmt::format("{}_{:06}", id, image.frame_index),
                          sideBySide(recorded, rendered.rgb));
    if (options_.show_frame) options_.show_frame(frame, recorded, rendered.rgb);
    if (truth_.static_view)
      for (const double metres : options_.beside)
        measureBeside(image, id, *camera, number % 2 == 0 ? metres : -metres, sums.beside[metres]);
    return frame;
  }

  gs::RenderedView render(const gs::CameraCalibration& camera, const gs::Rigid3& map_from_camera,
                          bool with_depth) const {
    return renderer_->render({.camera = gs::cameraOf(camera),
                              .map_from_camera = map_from_camera,
                              .outputs = {.depth = with_depth, .opacity = with_depth}},
                             settings_);
  }

  gs::Image8 ownMask(const std::string& name, const gs::CameraCalibration& camera) const {
    gs::Image8 mask(camera.image_width, camera.image_height, 1);
    const auto body = ego_masks_.find(name);
    for (size_t i = 0; i < mask.pixels.size(); ++i)
      mask.pixels[i] = body != ego_masks_.end() && body->second.pixels[i] != 0 ? 0 : 255;
    return mask;
  }

  // What a scan has in the image; nothing where its pose is not known.
  std::vector<SeenPoint> pointsOf(const std::string& lidar, size_t scan, const DatasetImage& image,
                                  const gs::CameraCalibration& camera) const {
    const auto map_from_base =
        drive_.trajectory().at(drive_.timeline().sensors.at(lidar).stamps[scan]);
    if (!map_from_base) return {};
    const gs::Rigid3 opencv_from_map = gs::mapFromOpencv({.camera = gs::cameraOf(camera),
                                                          .map_from_camera = image.map_from_camera})
                                           .inverse();
    return pointsInImage(lenses_.at(image.camera), {camera.image_width, camera.image_height},
                         opencv_from_map * *map_from_base, drive_.loadScan(lidar, scan));
  }

  // Static points of the nearest scans, where the camera looks and not at the ego itself.
  std::vector<SeenPoint> staticPoints(const DatasetImage& image,
                                      const gs::CameraCalibration& camera,
                                      const gs::Image8& own) const {
    std::vector<SeenPoint> all;
    for (const auto& [lidar, scan] : nearestScans(drive_.timeline(), image.stamp)) {
      std::vector<SeenPoint> points = pointsOf(lidar, scan, image, camera);
      const gs::Stamp stamp = drive_.timeline().sensors.at(lidar).stamps[scan];
      removeIndices(points, movingIndices(moving_, lidar, stamp));
      // The true depth, where there is one, tells better what is hidden.
      if (!truth_.static_view)
        points = withoutHidden(points, {camera.image_width, camera.image_height},
                               lineSpacing(world_.calibration, lidar, camera.intrinsics.fy));
      std::erase_if(points, [&](const SeenPoint& point) {
        return *own.at(static_cast<int>(point.px.x()), static_cast<int>(point.px.y())) == 0;
      });
      all.insert(all.end(), points.begin(), points.end());
    }
    return all;
  }

  // Clears the pixels of moving things in `mask`; false when they are not known.
  bool takeMovingOut(const DatasetImage& image, const gs::CameraCalibration& camera,
                     gs::Image8& mask) const {
    if (!truth_.moving_pixels && moving_.empty()) return false;
    gs::Image8 still = truth_.moving_pixels
                           ? truth_.moving_pixels(camera.frame_id, image.stamp)
                           : maskOfMovers({mask.width, mask.height}, pointsOnMovers(image, camera),
                                          camera.intrinsics.fx);
    if (truth_.moving_pixels)  // has what moves, not what stands still
      for (uint8_t& pixel : still.pixels) pixel = pixel == 0 ? 255 : 0;
    if (still.pixels.size() == mask.pixels.size())
      for (size_t i = 0; i < mask.pixels.size(); ++i)
        if (still.pixels[i] == 0) mask.pixels[i] = 0;
    return true;
  }

  std::vector<SeenPoint> pointsOnMovers(const DatasetImage& image,
                                        const gs::CameraCalibration& camera) const {
    std::vector<SeenPoint> all;
    for (const auto& [lidar, sensor] : drive_.timeline().sensors) {
      if (sensor.is_camera) continue;
      for (const size_t scan : scansAround(sensor.stamps, image.stamp)) {
        const auto moving = movingIndices(moving_, lidar, sensor.stamps[scan]);
        if (moving.empty()) continue;
        std::vector<SeenPoint> points = pointsOf(lidar, scan, image, camera);
        keepIndices(points, moving);
        all.insert(all.end(), points.begin(), points.end());
      }
    }
    return all;
  }

  void measureDepth(const DatasetImage& image, const gs::CameraCalibration& camera,
                    const std::vector<SeenPoint>& points, const gs::ImageF& rendered,
                    ViewSums& sums) const {
    if (points.empty()) return;
    DriveTruth::View seen;
    if (truth_.static_view) seen = truth_.static_view(camera, image.map_from_camera, image.stamp);
    for (const SeenPoint& point : points) {
      if (truth_.static_view) {
        // On a moving thing, or hidden from the camera: not what the true static image shows here.
        const double true_depth = depthAt(seen.depth, point.px);
        if (!(std::abs(true_depth - point.depth) < 0.1 + 0.02 * point.depth)) continue;
      }
      const double depth = depthAt(rendered, point.px);
      sums.depth_errors.push_back(depth > 0 ? static_cast<float>(std::abs(depth - point.depth))
                                            : std::numeric_limits<float>::infinity());
    }
  }

  // What the simulator makes of the place, against the recording.
  void measureClosedLoop(const DatasetImage& image, const gs::Image8& mask,
                         const gs::Image8& recorded, FrameEvaluation& frame,
                         ClosedLoopSum& sum) const {
    const auto map_from_base = drive_.trajectory().at(image.stamp);
    if (!map_from_base) return;
    const SimulatedView view =
        options_.simulate(frame.camera, *map_from_base, motionAt(drive_.trajectory(), image.stamp));
    frame.simulated =
        gs::similarityWhere(mask, recorded, view.rgb, gs::ssimMap(recorded, view.rgb));
    if (frame.simulated->pixels == 0) return;
    sum.simulated.add(*frame.simulated);
    sum.recorded.add(frame.telling());
    sum.heights.push_back(
        std::abs(view.map_from_base.translation.z() - map_from_base->translation.z()));
    sum.tilts.push_back(view.map_from_base.rotation.angularDistance(map_from_base->rotation) * 180 /
                        std::numbers::pi);
    if (options_.save_image)
      options_.save_image(fmt::format("{}_{:06}_simulated", frame.camera, image.frame_index),
                          sideBySide(recorded, view.rgb));
  }

  // The world from where the vehicle never was, against what is really to be seen from there.
  void measureBeside(const DatasetImage& image, const std::string& id,
                     const gs::CameraCalibration& camera, double left, QualitySum& sum) const {
    const auto map_from_base = drive_.trajectory().at(image.stamp);
    if (!map_from_base) return;
    const gs::Rigid3 shifted = *map_from_base * gs::Rigid3{gs::Quat::Identity(), {0, left, 0}};
    if (truth_.is_road && !truth_.is_road(shifted.translation.x(), shifted.translation.y())) return;
    const gs::Rigid3 map_from_camera = shifted * camera.extrinsics.baseFromSensor();
    const DriveTruth::View wanted = truth_.static_view(camera, map_from_camera, image.stamp);
    constexpr float kTooNear = 0.5f;  // m: inside a parked car nobody drives
    for (const float depth : wanted.depth.pixels)
      if (depth > 0 && depth < kTooNear) return;
    const gs::RenderedView rendered = render(camera, map_from_camera, false);
    sum.add(gs::similarityWhere(ownMask(image.camera, camera), wanted.rgb, rendered.rgb,
                                gs::ssimMap(wanted.rgb, rendered.rgb)));
    if (options_.save_image)
      options_.save_image(fmt::format("{}_{:06}_{}{:g}m", id, image.frame_index,
                                      left > 0 ? "left" : "right", std::abs(left)),
                          sideBySide(wanted.rgb, rendered.rgb));
  }

  const gs::WorldBundle& world_;
  const RecordedDrive& drive_;
  const EvaluationOptions& options_;
  const DriveTruth& truth_;
  std::unique_ptr<gs::SplatRenderer> renderer_;
  gs::RenderSettings settings_;
  std::map<std::string, std::pair<std::string, const gs::CameraCalibration*>> cameras_;  // by frame
  std::map<std::string, gs::Lens> lenses_;
  std::map<std::string, MovingPoints> moving_;
  std::map<std::string, gs::Image8> ego_masks_;
};

}  // namespace

Evaluation evaluateWorld(const gs::WorldBundle& world, const RecordedDrive& drive,
                         const PipelineConfig::Ingest& ingest, const EvaluationOptions& options,
                         const DriveTruth& truth) {
  const Frameset frameset = resample(drive.timeline(), ingest);
  const auto images = datasetImages(frameset, world.calibration, drive.trajectory());
  size_t held_out = 0;
  const auto chosen = chooseImages(images, options, held_out);
  return Evaluator(world, drive, options, truth).run(chosen, held_out);
}

}  // namespace gs_builder
