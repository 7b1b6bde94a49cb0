// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/load_parameters.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "gs/core/commented_yaml.hpp"
#include "gs/core/error.hpp"
#include "gs/core/load_config.hpp"
#include "gs/core/value_checks.hpp"

namespace gs_sim {
namespace {
namespace fs = std::filesystem;

struct Source {
  fs::path name;  // for messages
  gs::Node root;
};

// ROS 2 parameter files keep their parameters below "<node>: ros__parameters:".
const gs::Node& withoutRosWrapping(const gs::Node& root) {
  if (root.entries.size() != 1) return root;
  const gs::Node* inner = root.entries.front().second.find("ros__parameters");
  return inner == nullptr ? root : *inner;
}

void read(const Source& source, SimulationParameters& parameters) {
  std::vector<gs::Problem> problems;
  gs::ProblemList list(problems);
  const auto pose_before = parameters.simulation.initial_pose;
  gs::readValue(source.root, parameters, "", list);
  if (!problems.empty()) throw gs::configError(source.name, problems);
  // A pose is given value by value: what this source does not name stays.
  auto& pose = parameters.simulation.initial_pose;
  if (pose && pose_before) pose = pose->orElse(*pose_before);
  // Files of ROS parameters have no null.
  auto& replay = parameters.simulation.replay_control;
  if (replay && replay->empty()) replay.reset();
  for (const NamedChoice& named : choicesIn(parameters.sensors))
    if (named.choice.rate_override == 0.0) named.choice.rate_override.reset();
}

// Like every other file of the project, one of parameters may say which format it has. That is no
// parameter: nobody can set or ask for it.
void takeVersion(Source& source) {
  const gs::Node* version = source.root.find("version");
  if (version == nullptr) return;
  gs::ValueChecks checks;
  checks.isCompatibleVersion("version", version->findString().value_or(""));
  std::vector<gs::Problem> problems = checks.take();
  for (gs::Problem& problem : problems) problem.line = gs::lineOf(source.root, problem.path);
  if (!problems.empty()) throw gs::configError(source.name, problems);
  std::erase_if(source.root.entries, [](const auto& entry) { return entry.first == "version"; });
}

Source sourceOf(const fs::path& file) {
  gs::ConfigDocument document = gs::readConfigDocument(file);
  if (!document.problems.empty() || !document.root) throw gs::configError(file, document.problems);
  Source source{file, withoutRosWrapping(*document.root)};
  takeVersion(source);
  return source;
}

void readFile(const Source& source, SimulationParameters& parameters) {
  read(source, parameters);
  const fs::path folder = source.name.parent_path();
  if (source.root.find("world") != nullptr && !parameters.world.empty())
    parameters.world = (folder / parameters.world).lexically_normal().string();
  const gs::Node* simulation = source.root.find("simulation");
  auto& replay = parameters.simulation.replay_control;
  if (simulation != nullptr && simulation->find("replay_control") != nullptr && replay)
    replay = (folder / *replay).lexically_normal().string();
}

// "a.b=c" as the document {a: {b: c}}.
Source sourceOf(const std::string& assignment) {
  const size_t equals = assignment.find('=');
  const auto failure = [&](const std::string& why) {
    return gs::Error({.code = gs::ErrorCode::ConfigInvalid,
                      .component = "config",
                      .message = "--set " + assignment + ": " + why,
                      .suggestion =
                          "Write --set name=value, for example --set "
                          "vehicle.max_speed=10 or --set sensors.camera.cameras=[front]."});
  };
  if (equals == std::string::npos || equals == 0) throw failure("this sets nothing");
  std::vector<gs::Problem> problems;
  auto value = gs::parseDocument(assignment.substr(equals + 1), gs::DocumentFormat::Yaml, problems);
  if (!value || !problems.empty()) throw failure("the value is not YAML");
  gs::Node node = std::move(*value);
  std::string path = assignment.substr(0, equals);
  while (true) {
    const size_t dot = path.rfind('.');
    gs::Node map;
    map.kind = gs::Node::Kind::Map;
    map.entries.emplace_back(dot == std::string::npos ? path : path.substr(dot + 1),
                             std::move(node));
    node = std::move(map);
    if (dot == std::string::npos) break;
    path.resize(dot);
  }
  return {"--set " + assignment, std::move(node)};
}

// Whether a source sets the value at a dotted path, or a part of it.
bool sets(const gs::Node& root, std::string_view path) {
  const gs::Node* node = &root;
  while (!path.empty() && node != nullptr) {
    const size_t dot = std::min(path.find('.'), path.size());
    node = node->find(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return node != nullptr;
}

// Values out of range are the fault of the last source that set them.
void requireUsable(const SimulationParameters& parameters, const std::vector<Source>& sources) {
  std::vector<gs::Problem> found = problemsIn(parameters);
  if (found.empty()) return;
  for (auto source = sources.rbegin(); source != sources.rend(); ++source) {
    std::vector<gs::Problem> mine;
    for (gs::Problem& problem : found) {
      if (!sets(source->root, problem.path)) continue;
      problem.line = gs::lineOf(source->root, problem.path);
      mine.push_back(problem);
    }
    if (!mine.empty()) throw gs::configError(source->name, mine);
  }
  throw gs::configError("the parameters", found);
}

struct VehicleFile {
  VehicleParameters vehicle;
  static void fields(auto& self, auto&& visit) {
    visit("vehicle", self.vehicle, {.comment = "size, limits and behaviour"});
  }
};
struct SimFile {
  LoopParameters simulation;
  FrameParameters frames;
  GroundParameters ground;
  static void fields(auto& self, auto&& visit) {
    visit("simulation", self.simulation, {.comment = "time, start and control"});
    visit("frames", self.frames, {.comment = "names in TF and headers"});
    visit("ground", self.ground, {.comment = "of the vehicle"});
  }
};
struct SensorsFile {
  SensorParameters sensors;
  static void fields(auto& self, auto&& visit) {
    visit("sensors", self.sensors, {.comment = "what is simulated of the calibrated sensors"});
  }
};

}  // namespace

SimulationParameters loadParameters(const ParameterSources& sources) {
  SimulationParameters parameters = sources.defaults;
  std::vector<Source> read_sources;
  for (const fs::path& file : sources.files) {
    read_sources.push_back(sourceOf(file));
    readFile(read_sources.back(), parameters);
  }
  for (const std::string& assignment : sources.assignments) {
    read_sources.push_back(sourceOf(assignment));
    read(read_sources.back(), parameters);
  }
  requireUsable(parameters, read_sources);
  return parameters;
}

std::vector<std::string> assignmentsFrom(
    const std::vector<std::pair<std::string, std::string>>& values) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const auto& [name, value] : values) {
    const size_t dot = name.rfind('.');
    if (dot != std::string::npos)
      groups[name.substr(0, dot)].push_back(name.substr(dot + 1) + ": " + value);
  }
  std::vector<std::string> assignments;
  for (const auto& [name, value] : values) {
    const auto group = groups.find(name.substr(0, name.rfind('.')));
    if (group == groups.end() || group->second.size() == 1) {
      assignments.push_back(name + "=" + value);
    } else if (!group->second.empty()) {
      std::string all;
      for (const std::string& entry : group->second) all += (all.empty() ? "" : ", ") + entry;
      assignments.push_back(group->first + "={" + all + "}");
      group->second.clear();  // said
    }
  }
  return assignments;
}

std::optional<ParameterFile> findParameterFile(std::string_view word) {
  for (const auto& [file, known] : enumWords(std::type_identity<ParameterFile>()))
    if (known == word) return file;
  return std::nullopt;
}

const char* usualFileName(ParameterFile file) {
  switch (file) {
    case ParameterFile::Vehicle: return "default_vehicle.yaml";
    case ParameterFile::Sim: return "default_sim.yaml";
    case ParameterFile::Sensors: break;
  }
  return "default_sensors.yaml";
}

std::string defaultParametersText(ParameterFile file, bool is_all_shown) {
  const gs::YamlDetail shown = is_all_shown ? gs::YamlDetail::All : gs::YamlDetail::Common;
  switch (file) {
    case ParameterFile::Vehicle: return gs::toCommentedYaml(VehicleFile{}, shown);
    case ParameterFile::Sim: return gs::toCommentedYaml(SimFile{}, shown);
    case ParameterFile::Sensors: break;
  }
  return gs::toCommentedYaml(SensorsFile{}, shown);
}

}  // namespace gs_sim
