// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gs_builder/log_survey.hpp"
#include "gs_builder/motion_topics.hpp"

namespace gs_builder {
namespace {

using Json = nlohmann::ordered_json;

std::string sizeText(uint64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  if (bytes < 1024) return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
  if (mib < 1) return fmt::format("{:.1f} KiB", 1024 * mib);
  return mib < 1024 ? fmt::format("{:.1f} MiB", mib) : fmt::format("{:.2f} GiB", mib / 1024);
}

std::string counted(uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
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
    const bool is_shown = std::find(shown.begin(), shown.end(), edge.child) != shown.end();
    text += fmt::format("  {:{}}{} ({}, {}x){}\n", "", 2 * depth, edge.child,
                        edge.is_static ? "static" : "moving", edge.count,
                        is_shown ? " has a SECOND parent here" : "");
    if (is_shown) continue;
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

std::string topicText(const LogSurvey& survey, const TopicSurvey& topic, size_t name_width,
                      size_t type_width) {
  const double rate = topic.periods.rateHz();
  std::string text =
      fmt::format("  {:<{}} {:<{}} {:>7} {:>8}", topic.name, name_width, topic.type, type_width,
                  topic.count, rate > 0 ? fmt::format("{:.2f} Hz", rate) : "-");
  if (topic.periods.isBursty())
    text += fmt::format("  in bursts, the longest pause {:.3f} s", topic.periods.longest());
  else if (topic.periods.gaps() > 0)
    text +=
        fmt::format("  {}, the longest {:.3f} s at {:.2f} s", counted(topic.periods.gaps(), "gap"),
                    topic.periods.longest(), sinceStart(survey, topic.periods.longestAt()));
  if (topic.backward_stamps > 0)
    text += fmt::format("  {} of its stamps go back in time", topic.backward_stamps);
  if (topic.max_stamp_offset > 1)
    text += fmt::format("  stamps up to {:.3f} s off the log's time", topic.max_stamp_offset);
  if (!isReadable(topic.encoding))
    text += fmt::format("  encoded as {}, which is not read (only cdr is)", topic.encoding);
  if (topic.lost > 0) text += fmt::format("  {} lost in damage", topic.lost);
  if (topic.unreadable > 0) text += fmt::format("  {} unreadable", topic.unreadable);
  return text + "\n";
}

std::string topicsText(const LogSurvey& survey) {
  std::string text = fmt::format("topics     {}\n", survey.topics.size());
  size_t name_width = 0, type_width = 0;
  for (const TopicSurvey& topic : survey.topics) {
    name_width = std::max(name_width, topic.name.size());
    type_width = std::max(type_width, topic.type.size());
  }
  for (const TopicSurvey& topic : survey.topics)
    text += topicText(survey, topic, name_width, type_width);
  return text;
}

std::string frameText(const LogSurvey& survey, const std::string& frame_id) {
  if (frame_id.empty()) return "NO frame";
  return "frame " + frame_id + (survey.knowsFrame(frame_id) ? "" : " (NOT in the TF tree)");
}

std::string damageText(const LogSurvey& survey) {
  if (survey.damage.empty()) return "damage     none\n";
  uint64_t lost = 0;
  for (const gs::McapProblem& problem : survey.damage) lost += problem.lost_bytes;
  std::string text = fmt::format("damage     {}, {} lost\n", counted(survey.damage.size(), "place"),
                                 counted(lost, "byte"));
  for (const gs::McapProblem& problem : survey.damage)
    text += fmt::format("  {} at byte {}: {} ({} lost)\n", problem.file, problem.offset,
                        problem.message, counted(problem.lost_bytes, "byte"));
  return text;
}

std::string cameraText(const LogSurvey& survey, const CameraSurvey& camera) {
  const std::string size =
      camera.width > 0 ? fmt::format("{} x {}", camera.width, camera.height) : "unknown size";
  std::string text = fmt::format("  {}: {} {}, {}", camera.image_topic, size, camera.encoding,
                                 frameText(survey, camera.frame_id));
  if (camera.info_topic.empty()) return text + ", NO camera_info\n";
  text += fmt::format(", {} fx {:.1f} fy {:.1f} cx {:.1f} cy {:.1f}", camera.distortion_model,
                      camera.fx, camera.fy, camera.cx, camera.cy);
  if (camera.info_width != camera.width || camera.info_height != camera.height)
    text += fmt::format(", but camera_info is for {} x {}", camera.info_width, camera.info_height);
  return text + "\n";
}

std::string poseText(const LogSurvey& survey) {
  if (!survey.poses.empty()) return fmt::format("{}", fmt::join(survey.poses, ", "));
  const bool is_moving = std::any_of(survey.frames.begin(), survey.frames.end(),
                                     [](const FrameEdge& edge) { return !edge.is_static; });
  return is_moving ? "from TF only" : "NONE: neither odometry nor moving TF";
}

// Topics of inertial sensors, satellite receivers and wheels, with their kind.
std::vector<std::pair<std::string, const TopicSurvey*>> motionTopicsOf(const LogSurvey& survey) {
  std::vector<std::pair<std::string, const TopicSurvey*>> found;
  for (const TopicSurvey& topic : survey.topics) {
    const std::string kind = motionKindOf(topic.type);
    if (!kind.empty() && topic.count > 0) found.emplace_back(kind, &topic);
  }
  return found;
}

std::string motionText(const LogSurvey& survey) {
  const auto topics = motionTopicsOf(survey);
  std::string text = fmt::format("motion     {}\n", topics.size());
  for (const auto& [kind, topic] : topics)
    text += fmt::format("  {}: {}, {}\n", topic->name, kind, frameText(survey, topic->frame_id));
  return text;
}

Json topicJson(const LogSurvey& survey, const TopicSurvey& topic) {
  Json json = {{"name", topic.name},
               {"type", topic.type},
               {"count", topic.count},
               {"bytes", topic.bytes},
               {"rate_hz", topic.periods.rateHz()},  // 0: not known from so few
               {"gaps", topic.periods.gaps()},
               {"longest_period_sec", topic.periods.longest()},
               {"first_sec", nullptr},  // of no message
               {"last_sec", nullptr},
               {"unreadable", topic.unreadable},
               {"lost", topic.lost},
               {"encoding", topic.encoding}};
  if (topic.count > 0) {
    json["first_sec"] = sinceStart(survey, topic.first);
    json["last_sec"] = sinceStart(survey, topic.last);
  }
  if (topic.has_header) {
    json["frame_id"] = topic.frame_id;
    json["backward_stamps"] = topic.backward_stamps;
    json["max_stamp_offset_sec"] = topic.max_stamp_offset;
  }
  return json;
}

Json cameraJson(const LogSurvey& survey, const CameraSurvey& camera) {
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
          {"cy", camera.cy},
          {"distortion", camera.distortion},
          {"info_width", camera.info_width},
          {"info_height", camera.info_height},
          {"frame_known", survey.knowsFrame(camera.frame_id)}};
}

}  // namespace

std::string toText(const LogSurvey& survey) {
  std::string text = fmt::format(
      "{}\n  {}, {}, {}, {}\n  {} to {} ({:.3f} s)\n", survey.log, sizeText(survey.size_bytes),
      counted(survey.files, "file"), survey.is_indexed ? "indexed" : "NO index",
      counted(survey.message_count, "message"), gs::toIso8601(survey.start),
      gs::toIso8601(survey.end), sinceStart(survey, survey.end));
  text += topicsText(survey);
  text += fmt::format("cameras    {}\n", survey.cameras.size());
  for (const CameraSurvey& camera : survey.cameras) text += cameraText(survey, camera);
  text += fmt::format("lidars     {}\n", survey.lidars.size());
  for (const LidarSurvey& lidar : survey.lidars)
    text += fmt::format("  {}: {} points, fields {}, {}\n", lidar.topic, lidar.points,
                        fmt::join(lidar.fields, " "), frameText(survey, lidar.frame_id));
  text += motionText(survey);
  text += fmt::format("ego pose   {}\n", poseText(survey));
  text += treeText(survey);
  text += damageText(survey);
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
  for (const char* list : {"topics", "cameras", "lidars", "motion", "frames", "damage"})
    json[list] = Json::array();
  for (const TopicSurvey& topic : survey.topics) json["topics"].push_back(topicJson(survey, topic));
  for (const CameraSurvey& camera : survey.cameras)
    json["cameras"].push_back(cameraJson(survey, camera));
  for (const LidarSurvey& lidar : survey.lidars)
    json["lidars"].push_back({{"topic", lidar.topic},
                              {"frame_id", lidar.frame_id},
                              {"points", lidar.points},
                              {"fields", lidar.fields},
                              {"frame_known", survey.knowsFrame(lidar.frame_id)}});
  for (const auto& [kind, topic] : motionTopicsOf(survey))
    json["motion"].push_back({{"topic", topic->name},
                              {"kind", kind},
                              {"frame_id", topic->frame_id},
                              {"frame_known", survey.knowsFrame(topic->frame_id)}});
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
