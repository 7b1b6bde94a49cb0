// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/frame_extraction.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/parallel.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/image_codec.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/formats/pcd.hpp"
#include "gs/formats/png.hpp"
#include "gs_builder/lidar_spec.hpp"
#include "gs_builder/motion_compensation.hpp"

namespace gs_builder {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMinPoints = 100, kMaxPoints = 200'000;
constexpr size_t kSampleScans = 12;
constexpr size_t kBatchBytes = size_t{64} << 20;

// One sensor while its messages are unpacked.
struct Sensor {
  std::string name, id, topic;
  bool is_camera = false;
  bool is_compressed = false;
  const FrameChoice* choice = nullptr;
  std::string folder;  // relative to the stage's
  int width = 0, height = 0;
  gs::Rigid3 base_from_lidar;
  SweepTiming timing;
  float intensity_scale = 1;
  size_t sample_every = 1;

  size_t messages = 0;  // seen so far
  size_t scans = 0;     // unpacked so far
  size_t dropped = 0, large = 0;
  std::string first_problem;
};

struct Job {
  size_t sensor = 0;
  gs::Stamp stamp;
  std::vector<std::byte> message;
  bool is_sampled = false;

  // What became of it.
  std::string problem;
  std::string bytes;
  const char* extension = "";
  size_t points = 0, non_finite = 0;
  gs::LidarPoints sample;
  fs::path file;
};

bool endsLikeJpeg(gs::Bytes bytes) {
  // Cameras pad; the marker that ends the image stands within the last bytes.
  const std::string_view text = gs::asText(bytes);
  return text.substr(text.size() - std::min<size_t>(text.size(), 64)).find("\xff\xd9") !=
         std::string_view::npos;
}

std::string_view kPngSignature("\x89PNG\r\n\x1a\n", 8);

void unpackCompressed(Job& job, const Sensor& sensor) {
  const auto message = gs::findCdr<gs::msgs::CompressedImage>(job.message, &job.problem);
  if (!message) return;
  const gs::Bytes data = std::as_bytes(std::span(message->data));
  if (gs::asText(data).starts_with(kPngSignature)) {
    const gs::Image8 image = gs::decodePng(data, sensor.topic);
    if (image.width != sensor.width || image.height != sensor.height) job.problem = "another size";
    job.extension = "png";
  } else {
    const auto size = gs::findJpegSize(data);
    if (!size) job.problem = "neither JPEG nor PNG";
    else if (size->width != sensor.width || size->height != sensor.height)
      job.problem = fmt::format("{} x {} instead of {} x {}", size->width, size->height,
                                sensor.width, sensor.height);
    else if (!endsLikeJpeg(data)) job.problem = "the JPEG is cut off";
    job.extension = "jpg";
  }
  if (job.problem.empty()) job.bytes = gs::asText(data);
}

void unpackRaw(Job& job, const Sensor& sensor, const PipelineConfig::Ingest& ingest) {
  const auto message = gs::findCdr<gs::msgs::Image>(job.message, &job.problem);
  if (!message) return;
  const gs::Image8 image = gs::decodeRawImage(gs::viewImage(*message), sensor.topic);
  if (image.width != sensor.width || image.height != sensor.height) {
    job.problem = "another size";
  } else if (ingest.image_format == ImageFormat::Png) {
    job.bytes = gs::encodePng(image);
    job.extension = "png";
  } else {
    const auto jpeg = gs::encodeJpeg(image, ingest.jpeg_quality);
    job.bytes = gs::asText(jpeg);
    job.extension = "jpg";
  }
}

void unpackCloud(Job& job, const Sensor& sensor, const EgoTrajectory& trajectory) {
  const auto message = gs::findCdr<gs::msgs::PointCloud2>(job.message, &job.problem);
  if (!message) return;
  gs::LidarPoints scan = gs::decodePointCloud(gs::viewPointCloud(*message), sensor.topic);
  job.non_finite = scan.non_finite;
  setSweepTimes(sensor.timing, scan);
  auto in_base = pointsInBase(scan, job.stamp, sensor.base_from_lidar, trajectory);
  if (!in_base) {
    job.problem = "no ego pose";
    return;
  }
  gs::PcdCloud cloud;
  cloud.positions = std::move(*in_base);
  cloud.intensity.assign(cloud.positions.size(), 0.0f);
  for (size_t i = 0; i < scan.intensity.size(); ++i) {
    const float value = sensor.intensity_scale * scan.intensity[i];
    cloud.intensity[i] = std::isfinite(value) ? std::clamp(value, 0.0f, 255.0f) : 0.0f;
  }
  if (cloud.positions.size() < kMinPoints) {
    job.problem = fmt::format("only {} usable points", cloud.positions.size());
    return;
  }
  job.points = cloud.positions.size();
  job.bytes = gs::encodePcd(cloud);
  job.extension = "pcd";
  if (job.is_sampled) job.sample = std::move(scan);
}

class Extractor {
 public:
  Extractor(const LogDigest& digest, const Diagnosis& diagnosis,
            const std::map<std::string, SweepTiming>& timing, const PipelineConfig::Ingest& ingest,
            const fs::path& folder)
      : diagnosis_(diagnosis), ingest_(ingest), folder_(folder) {
    for (const CameraPlan& plan : diagnosis.plan.cameras) {
      const RecordedSensors::Camera& camera = diagnosis.cameras.at(plan.id);
      addSensor({.name = plan.name(),
                 .id = plan.id,
                 .topic = plan.image_topic,
                 .is_camera = true,
                 .is_compressed = isCompressed(digest, plan.image_topic),
                 .folder = "raw_extract/images/" + plan.name(),
                 .width = camera.image_width,
                 .height = camera.image_height});
    }
    const bool is_one = diagnosis.plan.lidars.size() == 1;
    for (const LidarPlan& plan : diagnosis.plan.lidars) {
      const FrameChoice& choice = diagnosis.frames.at(plan.topic);
      const LidarLook& look = digest.lidars.at(plan.topic);
      addSensor(
          {.name = plan.name(),
           .id = plan.id,
           .topic = plan.topic,
           .folder = is_one ? "raw_extract/lidar" : "raw_extract/lidar/" + plan.name(),
           .base_from_lidar = *digest.tf.find(diagnosis.plan.base_frame, plan.frame, choice.first),
           .timing = timing.at(plan.id),
           // Files have 0 to 255, whatever the driver counts to.
           .intensity_scale = 255 / static_cast<float>(intensityScale(look.max_intensity)),
           .sample_every = std::max<size_t>(1, (choice.kept + kSampleScans - 1) / kSampleScans)});
      result_.samples[plan.id];
    }
  }

  std::vector<std::string> topics() const {
    std::vector<std::string> topics;
    for (const Sensor& sensor : sensors_) topics.push_back(sensor.topic);
    return topics;
  }

  void take(const gs::LogMessage& message) {
    const size_t index = sensor_of_.at(message.topic.name);
    Sensor& sensor = sensors_[index];
    const size_t number = sensor.messages++;
    if (number >= sensor.choice->stamps.size() || !sensor.choice->stamps[number]) return;
    jobs_.push_back({.sensor = index,
                     .stamp = *sensor.choice->stamps[number],
                     .message = {message.data.begin(), message.data.end()},
                     .is_sampled = !sensor.is_camera && sensor.scans++ % sensor.sample_every == 0});
    batch_bytes_ += message.data.size();
    if (batch_bytes_ >= kBatchBytes) unpackBatch();
  }

  ExtractedFrames finish() {
    unpackBatch();
    for (const Sensor& sensor : sensors_) {
      (sensor.is_camera ? result_.dropped_images : result_.dropped_scans) += sensor.dropped;
      if (sensor.dropped > 0)
        result_.warnings.push_back(fmt::format("{}: {} frames left out, the first because: {}",
                                               sensor.name, sensor.dropped, sensor.first_problem));
      if (sensor.large > 0)
        result_.warnings.push_back(fmt::format("{}: {} scans have more than {} points", sensor.name,
                                               sensor.large, kMaxPoints));
    }
    if (result_.non_finite_points > 0)
      result_.warnings.push_back(
          fmt::format("{} LiDAR points are NaN or infinite; left out", result_.non_finite_points));
    return std::move(result_);
  }

 private:
  static bool isCompressed(const LogDigest& digest, const std::string& topic) {
    for (const TopicSurvey& survey : digest.survey.topics)
      if (survey.name == topic) return survey.type == gs::msgs::CompressedImage::kRosType;
    return false;
  }

  void addSensor(Sensor sensor) {
    sensor.choice = &diagnosis_.frames.at(sensor.topic);
    gs::createDirectories(folder_ / sensor.folder);
    SensorTimeline& timeline = result_.timeline.sensors[sensor.name];
    timeline.is_camera = sensor.is_camera;
    timeline.topic = sensor.topic;
    sensor_of_[sensor.topic] = sensors_.size();
    sensors_.push_back(std::move(sensor));
  }

  void unpack(Job& job) const {
    const Sensor& sensor = sensors_[job.sensor];
    try {
      if (!sensor.is_camera) unpackCloud(job, sensor, diagnosis_.ego.trajectory);
      else if (sensor.is_compressed) unpackCompressed(job, sensor);
      else unpackRaw(job, sensor, ingest_);
    } catch (const gs::Error& error) {  // one bad message must not end the drive; it is counted
      job.problem = error.report().message;
    }
    job.message = {};
  }

  // In parallel, but for the numbers: they follow the order of the log.
  void unpackBatch() {
    gs::parallelFor(jobs_.size(), 1, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) unpack(jobs_[i]);
    });
    for (Job& job : jobs_) number(job);
    gs::parallelFor(jobs_.size(), 1, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        if (!jobs_[i].file.empty()) gs::writeFile(jobs_[i].file, std::string_view(jobs_[i].bytes));
    });
    jobs_.clear();
    batch_bytes_ = 0;
  }

  void number(Job& job) {
    Sensor& sensor = sensors_[job.sensor];
    result_.non_finite_points += job.non_finite;
    if (!job.problem.empty()) {
      if (sensor.dropped++ == 0) sensor.first_problem = job.problem;
      return;
    }
    SensorTimeline& timeline = result_.timeline.sensors.at(sensor.name);
    const std::string file =
        fmt::format("{}/{:010}.{}", sensor.folder, timeline.stamps.size(), job.extension);
    timeline.stamps.push_back(job.stamp);
    timeline.files.push_back(file);
    job.file = folder_ / file;
    result_.lidar_points += job.points;
    sensor.large += job.points > kMaxPoints;
    if (job.is_sampled) result_.samples.at(sensor.id).push_back(std::move(job.sample));
  }

  const Diagnosis& diagnosis_;
  const PipelineConfig::Ingest& ingest_;
  const fs::path& folder_;
  std::vector<Sensor> sensors_;
  std::map<std::string, size_t> sensor_of_;  // by topic
  std::vector<Job> jobs_;
  size_t batch_bytes_ = 0;
  ExtractedFrames result_;
};

}  // namespace

ExtractedFrames extractFrames(const fs::path& log, const LogDigest& digest,
                              const Diagnosis& diagnosis,
                              const std::map<std::string, SweepTiming>& timing,
                              const PipelineConfig::Ingest& ingest, const fs::path& folder,
                              const std::function<void(double)>& progress) {
  Extractor extractor(digest, diagnosis, timing, ingest, folder);
  // Damage was reported by the first pass.
  const gs::LogReader reader(log, {.on_problem = [](const gs::McapProblem&) {}});
  const gs::LogSummary& summary = reader.summary();
  const double span = std::max(1e-9, gs::toSeconds(summary.end) - gs::toSeconds(summary.start));
  size_t count = 0;
  reader.read({.topics = extractor.topics()}, [&](const gs::LogMessage& message) {
    extractor.take(message);
    if (++count % 32 == 0)
      progress((gs::toSeconds(message.log_time) - gs::toSeconds(summary.start)) / span);
  });
  ExtractedFrames frames = extractor.finish();
  frames.timeline.source_mcap = log.filename().string();
  return frames;
}

}  // namespace gs_builder
