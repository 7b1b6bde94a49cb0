// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gs_builder/log_survey.hpp"

namespace gs_builder {
namespace {

using Json = nlohmann::ordered_json;

std::string sizeText(uint64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  return mib < 1024 ? fmt::format("{:.1f} MiB", mib) : fmt::format("{:.2f} GiB", mib / 1024);
}

double sinceStart(const LogSurvey& survey, gs::Stamp stamp) {
  return gs::toSeconds(stamp - survey.start);
}

// The tree below `parent`, indented; frames that were shown are not shown again, so that a loop in
// the transforms ends.
void appendTree(std::string& text, const LogSurvey& survey, const std::string& parent, int depth,
                std::vector<std::string>& shown) {
  for (const FrameEdge& edge : survey.frames) {
    if (edge.parent != parent || edge.child == parent) continue;
    text += fmt::format("  {:{}}{} ({}, {}x)\n", "", 2 * depth, edge.child,
                        edge.is_static ? "static" : "moving", edge.count);
    if (std::find(shown.begin(), shown.end(), edge.child) != shown.end()) continue;
    shown.push_back(edge.child);
    appendTree(text, survey, edge.child, depth + 1, shown);
  }
}

std::string treeText(const LogSurvey& survey) {
  std::string text = "TF tree\n";
  std::vector<std::string> roots, shown;
  for (const FrameEdge& edge : survey.frames) {
    const bool is_child = std::any_of(survey.frames.begin(), survey.frames.end(),
                                      [&](const FrameEdge& e) { return e.child == edge.parent; });
    if (!is_child && std::find(roots.begin(), roots.end(), edge.parent) == roots.end())
      roots.push_back(edge.parent);
  }
  if (roots.empty() && !survey.frames.empty()) roots.push_back(survey.frames.front().parent);
  for (const std::string& root : roots) {
    text += "  " + root + "\n";
    appendTree(text, survey, root, 1, shown);
  }
  return survey.frames.empty() ? "TF tree    none\n" : text;
}

std::string topicText(const LogSurvey& survey, const TopicSurvey& topic) {
  std::string text = fmt::format("  {:<40} {:<38} {:>7} {:>8.2f} Hz", topic.name, topic.type,
                                 topic.count, topic.periods.rateHz());
  if (topic.periods.gaps() > 0)
    text += fmt::format("  {} gaps, the longest {:.3f} s at {:.2f} s", topic.periods.gaps(),
                        topic.periods.longest(), sinceStart(survey, topic.periods.longestAt()));
  if (topic.backward_stamps > 0) text += fmt::format("  {} stamps go back", topic.backward_stamps);
  if (topic.unreadable > 0) text += fmt::format("  {} unreadable", topic.unreadable);
  return text + "\n";
}

std::string cameraText(const CameraSurvey& camera) {
  std::string text = fmt::format("  {}: {} x {} {}, frame {}", camera.image_topic, camera.width,
                                 camera.height, camera.encoding, camera.frame_id);
  if (camera.info_topic.empty()) return text + ", NO camera_info\n";
  text += fmt::format(", {} fx {:.1f} fy {:.1f} cx {:.1f} cy {:.1f}", camera.distortion_model,
                      camera.fx, camera.fy, camera.cx, camera.cy);
  if (camera.info_width != camera.width || camera.info_height != camera.height)
    text += fmt::format(", but camera_info is for {} x {}", camera.info_width, camera.info_height);
  return text + "\n";
}

Json topicJson(const LogSurvey& survey, const TopicSurvey& topic) {
  Json json = {{"name", topic.name},
               {"type", topic.type},
               {"count", topic.count},
               {"bytes", topic.bytes},
               {"rate_hz", topic.periods.rateHz()},
               {"gaps", topic.periods.gaps()},
               {"longest_period_sec", topic.periods.longest()},
               {"first_sec", sinceStart(survey, topic.first)},
               {"last_sec", sinceStart(survey, topic.last)},
               {"unreadable", topic.unreadable}};
  if (topic.has_header) {
    json["frame_id"] = topic.frame_id;
    json["backward_stamps"] = topic.backward_stamps;
    json["max_stamp_offset_sec"] = topic.max_stamp_offset;
  }
  return json;
}

Json cameraJson(const CameraSurvey& camera) {
  return {{"image_topic", camera.image_topic},
          {"info_topic", camera.info_topic},
          {"frame_id", camera.frame_id},
          {"encoding", camera.encoding},
          {"width", camera.width},
          {"height", camera.height},
          {"distortion_model", camera.distortion_model},
          {"fx", camera.fx},
          {"fy", camera.fy},
          {"cx", camera.cx},
          {"cy", camera.cy}};
}

}  // namespace

std::string toText(const LogSurvey& survey) {
  std::string text = fmt::format("{}\n  {}, {} files, {}, {} messages\n  {} to {} ({:.3f} s)\n",
                                 survey.log, sizeText(survey.size_bytes), survey.files,
                                 survey.is_indexed ? "indexed" : "NO index", survey.message_count,
                                 gs::toIso8601(survey.start), gs::toIso8601(survey.end),
                                 sinceStart(survey, survey.end));
  text += fmt::format("topics     {}\n", survey.topics.size());
  for (const TopicSurvey& topic : survey.topics) text += topicText(survey, topic);
  text += fmt::format("cameras    {}\n", survey.cameras.size());
  for (const CameraSurvey& camera : survey.cameras) text += cameraText(camera);
  text += fmt::format("lidars     {}\n", survey.lidars.size());
  for (const LidarSurvey& lidar : survey.lidars)
    text += fmt::format("  {}: {} points, fields {}, frame {}\n", lidar.topic, lidar.points,
                        fmt::join(lidar.fields, " "), lidar.frame_id);
  text += fmt::format("ego pose   {}\n", survey.poses.empty()
                                             ? "from TF only"
                                             : fmt::format("{}", fmt::join(survey.poses, ", ")));
  text += treeText(survey);
  text += fmt::format("damage     {}\n", survey.damage.empty() ? "none" : "");
  for (const gs::McapProblem& problem : survey.damage)
    text += fmt::format("  {} at byte {}: {} ({} bytes lost)\n", problem.file, problem.offset,
                        problem.message, problem.lost_bytes);
  return text;
}

Json toJson(const LogSurvey& survey) {
  Json json = {{"log", survey.log},
               {"size_bytes", survey.size_bytes},
               {"files", survey.files},
               {"indexed", survey.is_indexed},
               {"messages", survey.message_count},
               {"start", gs::toIso8601(survey.start)},
               {"duration_sec", sinceStart(survey, survey.end)}};
  for (const char* list : {"topics", "cameras", "lidars", "frames", "damage"})
    json[list] = Json::array();
  for (const TopicSurvey& topic : survey.topics) json["topics"].push_back(topicJson(survey, topic));
  for (const CameraSurvey& camera : survey.cameras) json["cameras"].push_back(cameraJson(camera));
  for (const LidarSurvey& lidar : survey.lidars)
    json["lidars"].push_back({{"topic", lidar.topic},
                              {"frame_id", lidar.frame_id},
                              {"points", lidar.points},
                              {"fields", lidar.fields}});
  for (const FrameEdge& edge : survey.frames)
    json["frames"].push_back({{"parent", edge.parent},
                              {"child", edge.child},
                              {"static", edge.is_static},
                              {"count", edge.count}});
  for (const gs::McapProblem& problem : survey.damage)
    json["damage"].push_back({{"file", problem.file},
                              {"offset", problem.offset},
                              {"lost_bytes", problem.lost_bytes},
                              {"message", problem.message}});
  json["poses"] = survey.poses;
  json["attachments"] = survey.attachments;
  return json;
}

}  // namespace gs_builder
