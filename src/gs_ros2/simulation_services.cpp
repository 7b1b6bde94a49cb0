// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/simulation_services.hpp"

#include <cmath>

#include "gs/core/log.hpp"
#include "gs/msgs/std_srvs.hpp"

namespace gs_ros2 {
namespace {

namespace msgs = gs::msgs;
using gs_sim::RequestResult;

const RequestResult kNotPaused{false, "the simulation runs: pause it first, then step"};

template <typename Response>
Response toResponse(const RequestResult& result) {
  Response response;
  response.success = result.success;
  response.message = result.message;
  return response;
}

RequestResult setPaused(SimulationHost& host, bool is_paused) {
  const bool was = host.isPaused();
  host.setPaused(is_paused);
  if (was == is_paused) return {true, is_paused ? "was paused already" : "was running already"};
  return {true, is_paused ? "paused" : "running"};
}

void step(SimulationHost& host, std::function<void(RequestResult)> done) {
  if (!host.isPaused()) return done(kNotPaused);
  host.step(1, std::move(done));
}

RequestResult reset(const ServiceContext& context, const std::optional<gs_sim::EgoPose>& pose,
                    bool reset_time) {
  const RequestResult result = context.host.reset(pose, reset_time);
  if (result.success) context.on_jump();
  return result;
}

void control(const ServiceContext& context, const msgs::SimulationControlRequest& request,
             const std::function<void(RequestResult)>& done) {
  using Request = msgs::SimulationControlRequest;
  switch (request.command) {
    case Request::kCmdPause: return done(setPaused(context.host, true));
    case Request::kCmdResume: return done(setPaused(context.host, false));
    case Request::kCmdStep: return step(context.host, done);
    case Request::kCmdReset: return done(reset(context, std::nullopt, true));
    default: return done({false, "unknown command " + std::to_string(request.command)});
  }
}

}  // namespace

std::string problemWithPose(const msgs::Pose& pose) {
  const auto& [p, q] = std::tie(pose.position, pose.orientation);
  for (const double value : {p.x, p.y, p.z, q.x, q.y, q.z, q.w})
    if (!std::isfinite(value)) return "the pose has a value that is not finite";
  const double norm = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  if (std::abs(norm - 1) > 1e-3) return "the orientation is no unit quaternion";
  return "";
}

gs_sim::EgoPose toEgoPose(const msgs::Pose& pose) {
  const auto& q = pose.orientation;
  const double norm = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {.x = pose.position.x,
          .y = pose.position.y,
          .z = pose.position.z,
          .qx = q.x / norm,
          .qy = q.y / norm,
          .qz = q.z / norm,
          .qw = q.w / norm,
          .stamp = {}};
}

bool isUnset(const msgs::Pose& pose) {
  msgs::Pose zeros;
  zeros.orientation = {.x = 0, .y = 0, .z = 0, .w = 0};
  msgs::Pose identity;
  identity.orientation = {.x = 0, .y = 0, .z = 0, .w = 1};
  return pose == zeros || pose == identity;
}

void serveSimulation(const ServiceContext& context) {
  Node& node = context.node;
  SimulationHost& host = context.host;

  node.serve<msgs::ResetWorldRequest, msgs::ResetWorldResponse>(
      "sim/reset_world", [context](const msgs::ResetWorldRequest& request) {
        std::optional<gs_sim::EgoPose> pose;
        if (!isUnset(request.initial_pose)) {
          if (const std::string problem = problemWithPose(request.initial_pose); !problem.empty())
            return toResponse<msgs::ResetWorldResponse>({false, problem});
          pose = toEgoPose(request.initial_pose);
        }
        return toResponse<msgs::ResetWorldResponse>(reset(context, pose, request.reset_time));
      });

  node.serve<msgs::SetEgoPoseRequest, msgs::SetEgoPoseResponse>(
      "sim/set_ego_pose", [context](const msgs::SetEgoPoseRequest& request) {
        if (const std::string problem = problemWithPose(request.pose); !problem.empty())
          return toResponse<msgs::SetEgoPoseResponse>({false, problem});
        const auto& [v, w] = std::tie(request.twist.linear, request.twist.angular);
        const RequestResult result =
            context.host.setEgoPose(toEgoPose(request.pose), {v.x, v.y, v.z, w.x, w.y, w.z});
        if (result.success) context.on_jump();
        return toResponse<msgs::SetEgoPoseResponse>(result);
      });

  node.serve<msgs::LoadWorldRequest, msgs::LoadWorldResponse>(
      "sim/load_world", [context](const msgs::LoadWorldRequest& request) {
        const RequestResult result = context.host.loadWorld(request.world_bundle_path);
        if (result.success) context.on_new_world();
        auto response = toResponse<msgs::LoadWorldResponse>(result);
        response.world_info = context.world_info();
        return response;
      });

  node.serveLater<msgs::SimulationControlRequest, msgs::SimulationControlResponse>(
      "sim/control", [context](const msgs::SimulationControlRequest& request, auto respond) {
        control(context, request, [respond](const RequestResult& result) {
          respond(toResponse<msgs::SimulationControlResponse>(result));
        });
      });

  using Trigger = msgs::TriggerResponse;
  node.serve<msgs::TriggerRequest, Trigger>("sim/pause", [&host](const msgs::TriggerRequest&) {
    return toResponse<Trigger>(setPaused(host, true));
  });
  node.serve<msgs::TriggerRequest, Trigger>("sim/resume", [&host](const msgs::TriggerRequest&) {
    return toResponse<Trigger>(setPaused(host, false));
  });
  node.serveLater<msgs::TriggerRequest, Trigger>("sim/step", [&host](const msgs::TriggerRequest&,
                                                                     auto respond) {
    step(host, [respond](const RequestResult& result) { respond(toResponse<Trigger>(result)); });
  });
}

}  // namespace gs_ros2
