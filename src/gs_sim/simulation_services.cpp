// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/simulation_services.hpp"

#include <tuple>

#include "gs/formats/cdr.hpp"
#include "gs/msgs/gs_sim_msgs.hpp"
#include "gs/msgs/std_srvs.hpp"
#include "gs_sim/host_requests.hpp"

namespace gs_sim {
namespace {

namespace msgs = gs::msgs;

template <typename Response>
Response toResponse(const RequestResult& result) {
  Response response;
  response.success = result.success;
  response.message = result.message;
  return response;
}

void control(SimulationHost& host, const msgs::SimulationControlRequest& request,
             const Answered& done) {
  using Request = msgs::SimulationControlRequest;
  switch (request.command) {
    case Request::kCmdPause: return done(pause(host));
    case Request::kCmdResume:
      if (!request.step_once) return done(resume(host));
      pause(host);  // again after the step, whether it ran before or not
      return step(host, 1, done);
    case Request::kCmdStep: return step(host, 1, done);
    case Request::kCmdReset: return done(reset(host, std::nullopt, true));
    default: return done({false, "unknown command " + std::to_string(request.command)});
  }
}

// "std_srvs/srv/Trigger_Request" is a half of std_srvs/srv/Trigger.
std::string typeOf(const gs::RosTypeTree& request) {
  return request.type.name.substr(0, request.type.name.rfind('_'));
}

template <typename Request>
std::optional<Request> findRequest(gs::Bytes bytes) {
  return gs::findCdr<Request>(bytes);
}

// As it was before use_initial_pose was appended; clients that were built then still send it.
struct OldResetWorldRequest {
  msgs::Pose initial_pose;
  bool reset_time = false;

  static void fields(auto& self, auto&& visit) {
    visit("initial_pose", self.initial_pose);
    visit("reset_time", self.reset_time);
  }
};

template <>
std::optional<msgs::ResetWorldRequest> findRequest(gs::Bytes bytes) {
  if (auto request = gs::findCdr<msgs::ResetWorldRequest>(bytes)) return request;
  const auto old = gs::findCdr<OldResetWorldRequest>(bytes);
  if (!old) return std::nullopt;
  return msgs::ResetWorldRequest{.initial_pose = old->initial_pose, .reset_time = old->reset_time};
}

template <typename Request, typename Response>
using Answer = std::function<void(const Request&, std::function<void(const Response&)>)>;

template <typename Request, typename Response>
SimulationService later(std::string name, Answer<Request, Response> answer) {
  auto request_type = gs::describeRosType<Request>();
  const auto prepare = [answer = std::move(answer)](gs::Bytes bytes,
                                                    SimulationService::Respond respond) {
    auto request = findRequest<Request>(bytes);
    if (!request) return std::function<void()>();
    return std::function<void()>([answer, request = std::move(*request),
                                  respond = std::move(respond)] {
      answer(request, [respond](const Response& response) { respond(gs::encodeCdr(response)); });
    });
  };
  std::string type = typeOf(request_type);
  return {.name = std::move(name),
          .type = std::move(type),
          .request = std::move(request_type),
          .response = gs::describeRosType<Response>(),
          .prepare = prepare};
}

template <typename Request, typename Response>
SimulationService now(std::string name, std::function<Response(const Request&)> answer) {
  return later<Request, Response>(
      std::move(name),
      [answer = std::move(answer)](const Request& request,
                                   const std::function<void(const Response&)>& respond) {
        respond(answer(request));
      });
}

// /sim/world_info of the world that is loaded now.
msgs::WorldInfo currentWorldInfo(const SimulationHost& host) {
  const WorldDescription now = host.describe();
  return worldInfoMessage(host.current().info.stamp, *now.world, now.frames, now.sensors);
}

msgs::ResetWorldResponse resetWorld(SimulationHost& host, const msgs::ResetWorldRequest& request) {
  std::optional<EgoPose> pose;
  if (request.use_initial_pose || !isUnset(request.initial_pose))
    pose = toEgoPose(request.initial_pose);
  return toResponse<msgs::ResetWorldResponse>(reset(host, pose, request.reset_time));
}

msgs::SetEgoPoseResponse setEgoPose(SimulationHost& host, const msgs::SetEgoPoseRequest& request) {
  const auto& [v, w] = std::tie(request.twist.linear, request.twist.angular);
  return toResponse<msgs::SetEgoPoseResponse>(
      setEgoPose(host, toEgoPose(request.pose), {v.x, v.y, v.z, w.x, w.y, w.z}));
}

msgs::LoadWorldResponse loadWorld(SimulationHost& host, const msgs::LoadWorldRequest& request) {
  auto response = toResponse<msgs::LoadWorldResponse>(loadWorld(host, request.world_bundle_path));
  response.world_info = currentWorldInfo(host);
  return response;
}

}  // namespace

EgoPose toEgoPose(const msgs::Pose& pose) {
  const auto& [p, q] = std::tie(pose.position, pose.orientation);
  return {p.x, p.y, p.z, q.x, q.y, q.z, q.w, {}};
}

bool isUnset(const msgs::Pose& pose) {
  msgs::Pose zeros;
  zeros.orientation = {.x = 0, .y = 0, .z = 0, .w = 0};
  msgs::Pose identity;
  identity.orientation = {.x = 0, .y = 0, .z = 0, .w = 1};
  return pose == zeros || pose == identity;
}

std::vector<SimulationService> simulationServices(SimulationHost& host) {
  using Trigger = msgs::TriggerRequest;
  using Done = msgs::TriggerResponse;
  return {
      now<msgs::ResetWorldRequest, msgs::ResetWorldResponse>(
          "sim/reset_world", [&host](const auto& request) { return resetWorld(host, request); }),
      now<msgs::SetEgoPoseRequest, msgs::SetEgoPoseResponse>(
          "sim/set_ego_pose", [&host](const auto& request) { return setEgoPose(host, request); }),
      now<msgs::LoadWorldRequest, msgs::LoadWorldResponse>(
          "sim/load_world", [&host](const auto& request) { return loadWorld(host, request); }),
      later<msgs::SimulationControlRequest, msgs::SimulationControlResponse>(
          "sim/control",
          [&host](const auto& request, const auto& respond) {
            control(host, request, [respond](const RequestResult& result) {
              respond(toResponse<msgs::SimulationControlResponse>(result));
            });
          }),
      now<Trigger, Done>("sim/pause",
                         [&host](const auto&) { return toResponse<Done>(pause(host)); }),
      now<Trigger, Done>("sim/resume",
                         [&host](const auto&) { return toResponse<Done>(resume(host)); }),
      later<Trigger, Done>("sim/step",
                           [&host](const auto&, const auto& respond) {
                             step(host, 1, [respond](const RequestResult& result) {
                               respond(toResponse<Done>(result));
                             });
                           }),
  };
}

}  // namespace gs_sim
