// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gs/core/document.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"

namespace gs_builder {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

double rateOf(const std::vector<gs::Stamp>& stamps) {
  const double span = gs::toSeconds(stamps.back() - stamps.front());
  return span > 0 ? static_cast<double>(stamps.size()) / span : 0.0;
}

gs::Duration timeOf(int64_t k, double rate_hz) {
  return {std::llround(static_cast<double>(k) * 1e9 / rate_hz)};
}

std::optional<size_t> nearestStamp(const std::vector<gs::Stamp>& stamps, gs::Stamp at,
                                   gs::Duration tolerance) {
  const auto above = std::lower_bound(stamps.begin(), stamps.end(), at);
  std::optional<size_t> best;
  gs::Duration distance = tolerance;
  const auto consider = [&](auto candidate) {
    const gs::Duration off{std::abs((*candidate - at).ns)};
    if (off > distance || (best && off == distance)) return;
    best = static_cast<size_t>(candidate - stamps.begin());
    distance = off;
  };
  if (above != stamps.begin()) consider(std::prev(above));
  if (above != stamps.end()) consider(above);
  return best;
}

// The period that most messages keep, whatever the gaps.
gs::Duration usualPeriod(const std::vector<gs::Stamp>& stamps) {
  std::vector<int64_t> periods;
  for (size_t i = 1; i < stamps.size(); ++i) periods.push_back((stamps[i] - stamps[i - 1]).ns);
  if (periods.empty()) return {};
  const auto middle = periods.begin() + static_cast<std::ptrdiff_t>(periods.size() / 2);
  std::nth_element(periods.begin(), middle, periods.end());
  return {*middle};
}

[[noreturn]] void failFile(const std::string& name, int line, const std::string& why) {
  throw gs::Error({.code = gs::ErrorCode::InputInvalid,
                   .component = "timeline",
                   .message = fmt::format("'{}', line {}: {}", name, line, why),
                   .details = {{"file", name}, {"line", line}},
                   .suggestion = "Run the mcap_ingest step again."});
}

gs::Stamp stampIn(const gs::Node& node, const char* key, const std::string& name) {
  const gs::Node* found = node.find(key);
  const auto stamp = found != nullptr && found->kind == gs::Node::Kind::Number
                         ? gs::findDecimalSeconds(found->scalar)
                         : std::nullopt;
  if (!stamp) failFile(name, node.line, std::string(key) + " is no time");
  return *stamp;
}

FrameTrigger triggerIn(const gs::Node& node, const std::string& name) {
  FrameTrigger trigger{.stamp = stampIn(node, "original_timestamp", name)};
  const gs::Node* index = node.find("frame_index");
  const gs::Node* path = node.find("file_path");
  const int64_t number = index != nullptr ? index->findInteger().value_or(-1) : -1;
  const auto file = path != nullptr ? path->findString() : std::nullopt;
  if (number < 0 || !file) failFile(name, node.line, "a trigger is incomplete");
  trigger.frame_index = number;
  trigger.file_path = *file;
  return trigger;
}

}  // namespace

std::string toTimelineText(const Timeline& timeline) {
  std::string text =
      fmt::format("{{\n  \"version\": \"1.0.0\",\n  \"source_mcap\": {},\n  \"sensors\": {{",
                  quoted(timeline.source_mcap));
  const char* separator = "\n";
  for (const auto& [name, sensor] : timeline.sensors) {
    text += fmt::format("{}    {}: {{\n      \"type\": \"{}\",\n      \"topic\": {},\n", separator,
                        quoted(name), sensor.is_camera ? "camera" : "lidar", quoted(sensor.topic));
    text +=
        fmt::format("      \"frame_count\": {},\n      \"timestamps\": [", sensor.stamps.size());
    for (size_t i = 0; i < sensor.stamps.size(); ++i)
      text += (i == 0 ? "" : ", ") + gs::toDecimalSeconds(sensor.stamps[i]);
    text += fmt::format(
        "],\n      \"start_time\": {},\n      \"end_time\": {},\n      \"avg_rate\": {}\n    }}",
        gs::toDecimalSeconds(sensor.stamps.front()), gs::toDecimalSeconds(sensor.stamps.back()),
        nlohmann::json(rateOf(sensor.stamps)).dump());
    separator = ",\n";
  }
  return text + "\n  }\n}\n";
}

Timeline parseTimeline(std::string_view text, const std::string& name) {
  std::vector<gs::Problem> problems;
  const auto root = gs::parseDocument(text, gs::DocumentFormat::Json, problems);
  const gs::Node* sensors = root ? root->find("sensors") : nullptr;
  if (sensors == nullptr) failFile(name, 1, "there are no sensors");
  Timeline timeline;
  if (const gs::Node* source = root->find("source_mcap"))
    timeline.source_mcap = source->findString().value_or("");
  for (const auto& [key, node] : sensors->entries) {
    SensorTimeline& sensor = timeline.sensors[key];
    const gs::Node* type = node.find("type");
    const gs::Node* topic = node.find("topic");
    const gs::Node* stamps = node.find("timestamps");
    if (type == nullptr || topic == nullptr || stamps == nullptr)
      failFile(name, node.line, "a sensor is incomplete");
    sensor.is_camera = type->findString() == "camera";
    sensor.topic = topic->findString().value_or("");
    for (const gs::Node& item : stamps->items) {
      const auto stamp = gs::findDecimalSeconds(item.scalar);
      if (!stamp) failFile(name, item.line, "a stamp is no time");
      sensor.stamps.push_back(*stamp);
    }
  }
  return timeline;
}

Timeline readTimeline(const std::filesystem::path& file) {
  return parseTimeline(gs::readTextFile(file, gs::kMaxJsonBytes), file.string());
}

double recordedRateHz(const std::vector<gs::Stamp>& stamps) {
  const gs::Duration usual = usualPeriod(stamps);
  int64_t sum = 0, count = 0;
  for (size_t i = 1; i < stamps.size(); ++i) {
    const int64_t period = (stamps[i] - stamps[i - 1]).ns;
    if (2 * period > 3 * usual.ns) continue;
    sum += period;
    ++count;
  }
  if (sum <= 0) return 0;
  return std::round(1e11 * static_cast<double>(count) / static_cast<double>(sum)) / 100;
}

double recordedRateHz(const Timeline& timeline, bool of_cameras) {
  double rate_hz = 0;
  for (const auto& [name, sensor] : timeline.sensors)
    if (sensor.is_camera == of_cameras) rate_hz = std::max(rate_hz, recordedRateHz(sensor.stamps));
  return rate_hz;
}

namespace {

// How far a sensor's stamps lie from the ticks of a clock that it keeps pace with; 0 when it does
// not. Without it, a sensor half a period off would be left out and doubled by turns.
gs::Duration phaseOf(const std::vector<gs::Stamp>& stamps, gs::Stamp first, double rate_hz) {
  if (std::abs(recordedRateHz(stamps) - rate_hz) > 0.01 * rate_hz) return {};
  double x = 0, y = 0;
  for (const gs::Stamp stamp : stamps) {
    const double turns = gs::toSeconds(stamp - first) * rate_hz;
    x += std::cos(2 * std::numbers::pi * turns);
    y += std::sin(2 * std::numbers::pi * turns);
  }
  return {std::llround(1e9 * std::atan2(y, x) / (2 * std::numbers::pi * rate_hz))};
}

}  // namespace

Frameset resample(const Timeline& timeline, const PipelineConfig::Ingest& ingest) {
  // A rate that nobody can know is no reason to stop: frames a second apart are still frames.
  const auto rate_of = [&](const std::optional<double>& wanted, bool of_cameras) {
    return wanted.value_or(std::max(1.0, recordedRateHz(timeline, of_cameras)));
  };
  return resample(timeline, rate_of(ingest.camera_rate_hz, true),
                  rate_of(ingest.lidar_rate_hz, false));
}

Frameset resample(const Timeline& timeline, double camera_rate_hz, double lidar_rate_hz) {
  Frameset frameset{.camera_rate_hz = camera_rate_hz, .lidar_rate_hz = lidar_rate_hz};
  std::optional<gs::Stamp> first, last;
  for (const auto& [name, sensor] : timeline.sensors) {
    if (sensor.stamps.empty()) continue;
    first = std::min(first.value_or(sensor.stamps.front()), sensor.stamps.front());
    last = std::max(last.value_or(sensor.stamps.back()), sensor.stamps.back());
  }
  if (!first) return frameset;
  std::map<gs::Duration, Frame> frames;
  for (const auto& [name, sensor] : timeline.sensors) {
    const double rate_hz = sensor.is_camera ? camera_rate_hz : lidar_rate_hz;
    const gs::Duration period = std::max(timeOf(1, rate_hz), usualPeriod(sensor.stamps));
    const gs::Duration tolerance{period.ns / 2};
    const gs::Duration phase = phaseOf(sensor.stamps, *first, rate_hz);
    for (int64_t k = 0; *first + timeOf(k, rate_hz) <= *last; ++k) {
      const gs::Duration sim_time = timeOf(k, rate_hz);
      const auto nearest = nearestStamp(sensor.stamps, *first + sim_time + phase, tolerance);
      if (!nearest) continue;
      Frame& frame = frames[sim_time];
      frame.sim_time = sim_time;
      frame.sensors[name] = {sensor.stamps[*nearest], static_cast<int64_t>(*nearest),
                             sensor.files[*nearest]};
    }
  }
  for (auto& [time, frame] : frames) frameset.frames.push_back(std::move(frame));
  return frameset;
}

std::string toFramesetText(const Frameset& frameset) {
  std::string text = fmt::format(
      "{{\n  \"version\": \"1.0.0\",\n  \"target_rates\": {{\"camera\": {}, \"lidar\": {}}},\n"
      "  \"frames\": [",
      nlohmann::json(frameset.camera_rate_hz).dump(),
      nlohmann::json(frameset.lidar_rate_hz).dump());
  const char* separator = "\n";
  for (const Frame& frame : frameset.frames) {
    text += fmt::format("{}    {{\n      \"sim_time\": {}", separator,
                        gs::toDecimalSeconds(gs::Stamp{frame.sim_time.ns}));
    for (const auto& [name, trigger] : frame.sensors)
      text += fmt::format(
          ",\n      {}: {{\"original_timestamp\": {}, \"frame_index\": {}, \"file_path\": {}}}",
          quoted(name), gs::toDecimalSeconds(trigger.stamp), trigger.frame_index,
          quoted(trigger.file_path));
    text += "\n    }";
    separator = ",\n";
  }
  return text + "\n  ]\n}\n";
}

Frameset parseFrameset(std::string_view text, const std::string& name) {
  std::vector<gs::Problem> problems;
  const auto root = gs::parseDocument(text, gs::DocumentFormat::Json, problems);
  if (!root) failFile(name, problems.empty() ? 0 : problems[0].line, "is not JSON");
  Frameset frameset;
  const gs::Node* rates = root->find("target_rates");
  const auto rate = [&](const char* key) {
    const gs::Node* node = rates != nullptr ? rates->find(key) : nullptr;
    const auto value = node != nullptr ? node->findDouble() : std::nullopt;
    if (!value || !(*value > 0)) failFile(name, root->line, "target_rates are incomplete");
    return *value;
  };
  frameset.camera_rate_hz = rate("camera");
  frameset.lidar_rate_hz = rate("lidar");
  const gs::Node* frames = root->find("frames");
  if (frames == nullptr) failFile(name, root->line, "there are no frames");
  for (const gs::Node& node : frames->items) {
    Frame frame{.sim_time = {stampIn(node, "sim_time", name).ns}};
    for (const auto& [key, child] : node.entries)
      if (key != "sim_time") frame.sensors[key] = triggerIn(child, name);
    frameset.frames.push_back(std::move(frame));
  }
  return frameset;
}

Frameset readFrameset(const std::filesystem::path& file) {
  return parseFrameset(gs::readTextFile(file, gs::kMaxJsonBytes), file.string());
}

}  // namespace gs_builder
