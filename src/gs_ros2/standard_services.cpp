// SPDX-License-Identifier: Apache-2.0
// The services of simulation_interfaces. One entity exists, the ego vehicle; nothing can be
// spawned.
#include <algorithm>
#include <memory>

#include <regex.h>

#include "gs/core/rigid3.hpp"
#include "gs/msgs/simulation_interfaces_v1.hpp"
#include "gs_ros2/simulation_services.hpp"
#include "gs_sim/host_requests.hpp"
#include "gs_sim/simulation_services.hpp"

namespace gs_ros2 {
namespace {

namespace si = gs::msgs::simulation_interfaces;
using gs_sim::RequestResult;
using gs_sim::SimulationHost;

// More is a mistake or an attempt to keep us busy.
constexpr uint64_t kMaxSteps = 1'000'000;
constexpr size_t kMaxFilter = 200;

si::Result ok() { return {.result = si::Result::kOk, .error_message = ""}; }
si::Result failure(uint8_t code, std::string why) {
  return {.result = code, .error_message = std::move(why)};
}
si::Result toResult(const RequestResult& result) {
  return result.success ? ok() : failure(si::Result::kOperationFailed, result.message);
}

std::vector<uint16_t> features() {
  using Features = si::SimulatorFeatures;
  return {Features::kEntityCategories,       Features::kEntityStateGetting,
          Features::kEntityStateSetting,     Features::kSimulationReset,
          Features::kSimulationResetTime,    Features::kSimulationResetState,
          Features::kSimulationStateGetting, Features::kSimulationStateSetting,
          Features::kSimulationStatePause,   Features::kStepSimulationSingle,
          Features::kStepSimulationMultiple, Features::kWorldLoading,
          Features::kWorldInfoGetting};
}

// POSIX extended, as the interface asks. Repetition counts are refused: they can make the library
// take all memory there is.
std::optional<bool> matchesFilter(const std::string& filter, const char* name) {
  if (filter.empty()) return true;
  if (filter.size() > kMaxFilter || filter.find('{') != std::string::npos) return std::nullopt;
  regex_t expression;
  if (regcomp(&expression, filter.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return std::nullopt;
  const bool fits = regexec(&expression, name, 0, nullptr, 0) == 0;
  regfree(&expression);
  return fits;
}

si::GetEntitiesResponse getEntities(const si::EntityFilters& filters) {
  using Category = si::EntityCategory;
  if (!filters.bounds.points.empty())
    return {.result = failure(si::Result::kFeatureUnsupported, "bounds are not supported")};
  const auto fits = matchesFilter(filters.filter, kEgoName);
  if (!fits)
    return {.result = failure(si::Result::kOperationFailed,
                              "the filter is no regular expression, or one with '{'")};
  const auto is_robot = [](const Category& c) { return c.category == Category::kCategoryRobot; };
  const bool has_category =
      filters.categories.empty() ||
      std::any_of(filters.categories.begin(), filters.categories.end(), is_robot);
  si::GetEntitiesResponse response{.result = ok()};
  if (*fits && has_category && filters.tags.tags.empty()) response.entities = {kEgoName};
  return response;
}

gs::msgs::Vector3 toVector3(const gs::Vec3& v) { return {.x = v.x(), .y = v.y(), .z = v.z()}; }
gs::Vec3 toVec3(const gs::msgs::Vector3& v) { return {v.x, v.y, v.z}; }

// Everything in the map frame: the interface wants velocities as seen in the frame of the header.
si::EntityState entityState(const gs_sim::StepOutput& step, const std::string& map_frame) {
  const gs_sim::EgoPose& pose = step.ego.pose;
  const gs_sim::EgoTwist& twist = step.ego.twist;
  const auto rotation = gs_sim::mapFromBase(pose).rotation;
  const auto [sec, nanosec] = gs::toSecNanosec(step.info.stamp);
  si::EntityState state;
  state.header = {.stamp = {sec, nanosec}, .frame_id = map_frame};
  state.pose.position = {.x = pose.x, .y = pose.y, .z = pose.z};
  state.pose.orientation = {.x = pose.qx, .y = pose.qy, .z = pose.qz, .w = pose.qw};
  state.twist.linear = toVector3(rotation * gs::Vec3(twist.vx, twist.vy, twist.vz));
  state.twist.angular = toVector3(rotation * gs::Vec3(twist.wx, twist.wy, twist.wz));
  state.acceleration.linear =
      toVector3(rotation * gs::Vec3(step.ego.acceleration, step.ego.lateral_acceleration, 0));
  return state;
}

si::Result setEntityState(SimulationHost& host, const si::SetEntityStateRequest& request) {
  if (request.entity != kEgoName)
    return failure(si::Result::kNotFound, "there is no entity '" + request.entity + "'");
  const gs_sim::StepOutput now = host.current();
  const std::string& frame = request.state.header.frame_id;
  if (!frame.empty() && frame != host.describe().frames.map)
    return failure(si::Result::kFeatureUnsupported, "states are set in the map frame only");
  gs_sim::EgoPose pose = now.ego.pose;
  if (request.set_pose) {
    pose = gs_sim::toEgoPose(request.state.pose);
    if (const std::string problem = gs_sim::problemWith(pose); !problem.empty())
      return failure(si::SetEntityStateResponse::kInvalidPose, problem);
  }
  gs_sim::EgoTwist twist = now.ego.twist;
  if (request.set_twist) {
    const auto base_from_map = gs_sim::mapFromBase(pose).rotation.normalized().inverse();
    const gs::Vec3 v = base_from_map * toVec3(request.state.twist.linear);
    const gs::Vec3 w = base_from_map * toVec3(request.state.twist.angular);
    twist = {v.x(), v.y(), v.z(), w.x(), w.y(), w.z()};
  }
  return toResult(gs_sim::setEgoPose(host, pose, twist));
}

si::WorldResource worldResource(const SimulationHost& host) {
  const auto world = host.describe().world;
  si::WorldResource resource;
  resource.name = world->bundle.index.scene_id;
  resource.world_resource.uri = world->bundle_path.string();
  return resource;
}

// Beside paused and playing there is "stopped": paused at the very beginning.
struct StandardState {
  explicit StandardState(SimulationHost& simulation) : host(simulation) {}

  uint8_t state() const {
    using State = si::SimulationState;
    if (!host.isPaused()) return State::kStatePlaying;
    return is_stopped ? State::kStateStopped : State::kStatePaused;
  }

  si::Result set(uint8_t wanted) {
    using State = si::SimulationState;
    using Response = si::SetSimulationStateResponse;
    if (wanted == state())
      return failure(Response::kAlreadyInTargetState, "the simulation is in that state");
    switch (wanted) {
      case State::kStatePlaying:
      case State::kStatePaused:
        host.setPaused(wanted == State::kStatePaused);
        is_stopped = false;
        return ok();
      case State::kStateStopped: return stop();
      case State::kStateQuitting: host.quit(); return ok();
      default: return failure(Response::kIncorrectTransition, "that state cannot be asked for");
    }
  }

  si::Result stop() {
    host.setPaused(true);
    const RequestResult result = gs_sim::reset(host, std::nullopt, true);
    is_stopped = result.success;
    return toResult(result);
  }

  si::Result reset(uint8_t scope) {
    using Request = si::ResetSimulationRequest;
    if (scope == Request::kScopeDefault) scope = Request::kScopeAll;
    if (!(scope & Request::kScopeState))
      return scope & Request::kScopeTime ? failure(si::Result::kFeatureUnsupported,
                                                   "time cannot be reset without the state")
                                         : ok();  // nothing is ever spawned
    return toResult(gs_sim::reset(host, std::nullopt, (scope & Request::kScopeTime) != 0));
  }

  void step(uint64_t steps, const std::function<void(si::StepSimulationResponse)>& respond) {
    if (!host.isPaused())
      return respond({failure(si::Result::kIncorrectState, "the simulation is not paused")});
    if (steps > kMaxSteps)
      return respond({failure(si::Result::kOperationFailed,
                              "more than " + std::to_string(kMaxSteps) + " steps at once")});
    if (steps == 0) return respond({ok()});
    is_stopped = false;
    host.step(steps, [respond](const RequestResult& result) { respond({toResult(result)}); });
  }

  si::LoadWorldResponse load(const si::Resource& resource) {
    if (resource.uri.empty())
      return {.result = resource.resource_string.empty()
                            ? failure(si::LoadWorldResponse::kNoResource, "no world was named")
                            : failure(si::LoadWorldResponse::kUnsupportedFormat,
                                      "a world is a folder; name it in 'uri'")};
    constexpr std::string_view kScheme = "file://";
    const std::string path =
        resource.uri.starts_with(kScheme) ? resource.uri.substr(kScheme.size()) : resource.uri;
    const RequestResult loaded = gs_sim::loadWorld(host, path);
    if (!loaded.success)
      return {.result = failure(si::LoadWorldResponse::kResourceParseError, loaded.message)};
    host.setPaused(true);
    is_stopped = true;
    return {.result = ok(), .world = worldResource(host)};
  }

  SimulationHost& host;
  bool is_stopped = false;
};

// Version 1 has no switches: what it says is meant.
si::SetEntityStateRequest withSwitches(const si::v1::SetEntityStateRequest& request) {
  return {.entity = request.entity, .state = request.state, .set_pose = true, .set_twist = true};
}

void serveSetEntityState(Node& node, SimulationHost& host, StandardInterfaces version) {
  using Request = si::SetEntityStateRequest;
  using Response = si::SetEntityStateResponse;
  const std::string name = node.resolve("set_entity_state");
  node.addService(
      version == StandardInterfaces::V1 ? serviceSpec<si::v1::SetEntityStateRequest, Response>(name)
                                        : serviceSpec<Request, Response>(name),
      [&host](gs::Bytes bytes, ServiceServer::Respond respond) -> std::function<void()> {
        auto request = gs::findCdr<Request>(bytes);
        if (!request)
          if (const auto first = gs::findCdr<si::v1::SetEntityStateRequest>(bytes))
            request = withSwitches(*first);
        if (!request) return nullptr;
        return [&host, request = *request, respond] {
          respond(gs::encodeCdr(Response{.result = setEntityState(host, request)}));
        };
      });
}

void serveLoadWorld(Node& node, const std::shared_ptr<StandardState>& state,
                    StandardInterfaces version) {
  if (version == StandardInterfaces::V1)
    node.serve<si::v1::LoadWorldRequest, si::LoadWorldResponse>(
        "load_world", [state](const auto& request) {
          return state->load({.uri = request.uri, .resource_string = request.resource_string});
        });
  else
    node.serve<si::LoadWorldRequest, si::LoadWorldResponse>(
        "load_world", [state](const auto& request) { return state->load(request.world_resource); });
}

}  // namespace

void serveStandardInterfaces(Node& node, SimulationHost& host, StandardInterfaces version) {
  const auto state = std::make_shared<StandardState>(host);

  node.serve<si::GetSimulatorFeaturesRequest, si::GetSimulatorFeaturesResponse>(
      "get_simulator_features", [](const auto&) {
        si::GetSimulatorFeaturesResponse response;
        response.features.features = features();
        return response;
      });
  node.serve<si::GetSimulationStateRequest, si::GetSimulationStateResponse>(
      "get_simulation_state", [state](const auto&) {
        return si::GetSimulationStateResponse{.state = {state->state()}, .result = ok()};
      });
  node.serve<si::SetSimulationStateRequest, si::SetSimulationStateResponse>(
      "set_simulation_state", [state](const auto& request) {
        return si::SetSimulationStateResponse{.result = state->set(request.state.state)};
      });
  node.serve<si::ResetSimulationRequest, si::ResetSimulationResponse>(
      "reset_simulation", [state](const auto& request) {
        return si::ResetSimulationResponse{.result = state->reset(request.scope)};
      });
  node.serveLater<si::StepSimulationRequest, si::StepSimulationResponse>(
      "step_simulation",
      [state](const auto& request, auto respond) { state->step(request.steps, respond); });
  node.serve<si::GetEntitiesRequest, si::GetEntitiesResponse>(
      "get_entities", [](const auto& request) { return getEntities(request.filters); });
  node.serve<si::GetEntityStateRequest, si::GetEntityStateResponse>(
      "get_entity_state", [&host](const auto& request) {
        if (request.entity != kEgoName)
          return si::GetEntityStateResponse{
              .result =
                  failure(si::Result::kNotFound, "there is no entity '" + request.entity + "'")};
        return si::GetEntityStateResponse{
            .result = ok(), .state = entityState(host.current(), host.describe().frames.map)};
      });
  serveSetEntityState(node, host, version);
  node.serve<si::GetCurrentWorldRequest, si::GetCurrentWorldResponse>(
      "get_current_world", [&host](const auto&) {
        return si::GetCurrentWorldResponse{.result = ok(), .world = worldResource(host)};
      });
  serveLoadWorld(node, state, version);
}

}  // namespace gs_ros2
